import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';

/** The name of a resolved column in the emitted SQL. */
export function columnName(column: Pick<ResolvedColumn, 'id'>): string {
  return `c${column.id}`;
}
