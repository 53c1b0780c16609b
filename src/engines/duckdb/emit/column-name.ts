import type { ResolvedColumn } from '../../../sql/resolved/column.ts';

/** The name of a resolved column in the emitted SQL. */
export function columnName(column: ResolvedColumn): string {
  return `c${column.id}`;
}
