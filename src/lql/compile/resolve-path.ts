import { byNearness } from '../../nearness.ts';
import type { Column, SqlType } from '../../sql/type.ts';
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
const shownNames = 20;

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
      const there = fields.map((field) => field.name);
      return refuse(
        places[index] ?? at,
        `${owner} has no field ${name}; it has ${list(byNearness(name, there))}`,
      );
    }
    steps.push(step);
    if (index === names.length - 1) break;
    fields = recordOf(step.type) ?? refuse(at, `${names.slice(0, index + 1).join('.')} has no fields`);
  }
  const last = steps.at(-1);
  if (last === undefined) return refuse(at, 'expected the name of a field');
  return { steps, type: last.type };
}

/** The fields of a record, or of a list of records. */
export function recordOf(type: SqlType): readonly Column[] | undefined {
  const inner = type.kind === 'ARRAY' ? type.element : type;
  return inner.kind === 'STRUCT' ? inner.fields : undefined;
}

/** Names for people, as many as they care to read. */
export function list(names: readonly string[]): string {
  const rest = names.length - shownNames;
  return [...names.slice(0, shownNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
