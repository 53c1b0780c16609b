import { identifier } from '../../text/identifier.ts';
import type { Field } from './resolve-path.ts';

/** A step into a list: its elements under an alias. */
export interface Unnesting {
  readonly list: string;
  readonly alias: string;
}

/** A field as a SQL expression, with the lists that must be unnested to reach it. */
export interface ReachedField {
  readonly unnestings: readonly Unnesting[];
  readonly sql: string;
}

/**
 * Determines how to reach a field from a row of the table. Unnests every list of records on the way, but not the field
 * itself.
 *
 * @param row the row as a SQL expression
 * @param nameOf returns the alias for the elements of a list, given the list's SQL
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
