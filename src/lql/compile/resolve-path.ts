import { type Column, elementType, formatType, type SqlType } from '../../sql/type.ts';
import { bySimilarity } from '../../text/suggest.ts';
import { shortened } from '../shortened.ts';
import type { Path } from '../syntax.ts';

/** A field that a path leads to. */
export interface Field {
  /** From the column of the table to the field, by the names that they are declared with. */
  readonly steps: readonly Column[];
  readonly type: SqlType;
}

/** Refuses what stands at a place of the LQL text. */
export type Refuse = (at: number, message: string) => never;

/** How many names a refusal lists. */
const shownNames = 50;

/**
 * The field that the path leads to, whatever the letter case of its names. Repeated records on the way are looked into.
 *
 * @param refuse called for a name that isn't there; tells the names that are, the nearest first
 */
export function resolvePath({ names, places, at }: Path, columns: readonly Column[], refuse: Refuse): Field {
  const steps: Column[] = [];
  let fields = columns;
  for (const [index, name] of names.entries()) {
    const step = fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
    const owner = index === 0 ? 'the table' : names.slice(0, index).join('.');
    if (step === undefined) {
      const there = bySimilarity(
        name,
        fields.map((field) => field.name),
      );
      const known = `it has ${listed(there)}`;
      return refuse(places[index] ?? at, `${owner} has no field ${shortened(name)}; ${known}`);
    }
    steps.push(step);
    if (index === names.length - 1) break;
    fields =
      recordOf(step.type) ?? refuse(places[index] ?? at, noRecord(names.slice(0, index + 1), step.type));
  }
  const last = steps.at(-1);
  if (last === undefined) return refuse(at, 'expected the name of a field');
  return { steps, type: last.type };
}

/** The fields of a record, or of a list of records. */
export function recordOf(type: SqlType): readonly Column[] | undefined {
  const inner = elementType(type);
  return inner.kind === 'STRUCT' ? inner.fields : undefined;
}

function noRecord(names: readonly string[], type: SqlType): string {
  return `${names.join('.')} has no fields: it is ${formatType(type)}`;
}

/** Names for people, as many as they care to read. */
function listed(names: readonly string[]): string {
  const rest = names.length - shownNames;
  return [...names.slice(0, shownNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
