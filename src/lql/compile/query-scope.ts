import type { Column, ScalarType } from '../../sql/type.ts';
import type { Refuse } from './resolve-path.ts';
import { identifier } from './sql-text.ts';
import { table } from './unnest.ts';

/** What a query is compiled over. */
export interface QueryScope {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly refuse: Refuse;
  /** The column that tells when something happened, if there is one. */
  readonly time: { readonly name: string; readonly type: ScalarType } | undefined;
}

/** The time column, as SQL reads it; refused where the table has none. */
export function timeOf(
  { time, refuse }: QueryScope,
  at: number,
): { readonly sql: string; readonly type: ScalarType } {
  if (time === undefined) return refuse(at, 'the table has no column timestamp that is a time');
  return { sql: `${table}.${identifier(time.name)}`, type: time.type };
}
