import { bySimilarity } from '../../../base/text/suggest.ts';
import { type Column, elementType, formatType, type SqlType } from '../../values/type.ts';
import { shortened } from '../syntax/lql-error.ts';
import type { Path } from '../syntax/syntax.ts';

/** A field that a path resolves to. */
export interface Field {
  /** The columns and fields from the table to the field, with their declared names. */
  readonly steps: readonly Column[];
  readonly type: SqlType;
}

/** Reports an error at a position of the LQL text. */
export type Refuse = (at: number, message: string) => never;

/** The maximum number of names that an error lists. */
const shownNames = 50;

/**
 * Resolves a path, ignoring letter case. The path may lead through repeated records.
 *
 * @param refuse called for an unknown name; the error lists the known names, most similar first
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

/** A list of names for an error message, limited in length. */
function listed(names: readonly string[]): string {
  const rest = names.length - shownNames;
  return [...names.slice(0, shownNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
