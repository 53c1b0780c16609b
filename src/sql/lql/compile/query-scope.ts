import { identifier } from '../../text/identifier.ts';
import type { Column, ScalarType } from '../../values/type.ts';
import type { Field, Refuse } from './resolve-path.ts';

/** Checks a regular expression. Returns what is wrong with it, or undefined. */
export type RegexpMistake = (pattern: string) => string | undefined;

/** The context in which a query is compiled. */
export interface QueryScope {
  readonly table: string;
  /** The alias of the table's rows in SQL. */
  readonly row: string;
  readonly columns: readonly Column[];
  readonly refuse: Refuse;
  readonly regexpMistake: RegexpMistake;
  /** The column with the time of a row, if there is one. */
  readonly time: { readonly name: string; readonly type: ScalarType } | undefined;
}

/** The time column as a SQL expression. Refused if the table has none. */
export function timeOf(
  { time, row, refuse }: QueryScope,
  at: number,
): { readonly sql: string; readonly type: ScalarType } {
  if (time === undefined) return refuse(at, 'the table has no column timestamp that is a time');
  return { sql: `${row}.${identifier(time.name)}`, type: time.type };
}

/**
 * An alias for the table's rows that differs from all columns of the table and the result: ORDER BY would resolve it as
 * a column.
 */
export function rowName(taken: Iterable<string>): string {
  const names = new Set([...taken].map((name) => name.toLowerCase()));
  let name = 't';
  while (names.has(name)) name += '_';
  return name;
}

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
