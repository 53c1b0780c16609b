import type { Column, ScalarType } from '../../sql/type.ts';
import type { Refuse } from './resolve-path.ts';
import { identifier } from './sql-text.ts';

/** Tells what is wrong with a regular expression, if anything is. */
export type RegexpMistake = (pattern: string) => string | undefined;

/** What a query is compiled over. */
export interface QueryScope {
  readonly table: string;
  /** What SQL calls a row of the table. */
  readonly row: string;
  readonly columns: readonly Column[];
  readonly refuse: Refuse;
  readonly regexpMistake: RegexpMistake;
  /** The column that tells when something happened, if there is one. */
  readonly time: { readonly name: string; readonly type: ScalarType } | undefined;
}

/** The time column, as SQL reads it; refused where the table has none. */
export function timeOf(
  { time, row, refuse }: QueryScope,
  at: number,
): { readonly sql: string; readonly type: ScalarType } {
  if (time === undefined) return refuse(at, 'the table has no column timestamp that is a time');
  return { sql: `${row}.${identifier(time.name)}`, type: time.type };
}

/**
 * A name for a row of the table. It is no name of a column, in the table or in the result: ORDER BY would take it for that.
 */
export function rowName(taken: Iterable<string>): string {
  const names = new Set([...taken].map((name) => name.toLowerCase()));
  let name = 't';
  while (names.has(name)) name += '_';
  return name;
}
