import type { Field } from './resolve-path.ts';
import { identifier } from './sql-text.ts';

/** A step into a list: its elements, one after the other, under a name. */
export interface Unnesting {
  readonly list: string;
  readonly alias: string;
}

/** A field as SQL reads it: through the elements of the lists on its way. */
export interface ReachedField {
  readonly unnestings: readonly Unnesting[];
  readonly sql: string;
}

/**
 * How to reach a field from a row of the table. Every list of records on the way is unnested; the field itself is not.
 *
 * @param row the row, as SQL reads it
 * @param nameOf gives the name for the elements of a list, by the SQL of the list
 */
export function reach({ steps }: Field, row: string, nameOf: (list: string) => string): ReachedField {
  const unnestings: Unnesting[] = [];
  let sql = row;
  steps.forEach(({ name, type }, index) => {
    sql += `.${identifier(name)}`;
    if (index === steps.length - 1 || type.kind !== 'ARRAY') return;
    const alias = nameOf(sql);
    unnestings.push({ list: sql, alias });
    sql = alias;
  });
  return { unnestings, sql };
}
