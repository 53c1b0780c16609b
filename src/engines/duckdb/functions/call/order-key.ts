/** A key of an order in DuckDB. */
export interface OrderKey {
  readonly sql: string;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
}

/** The keys as the list of an ORDER BY clause. */
export function orderList(keys: readonly OrderKey[]): string {
  return keys.map(({ sql, direction, nulls }) => `${sql} ${direction} NULLS ${nulls}`).join(', ');
}
