import type { OrderKey } from '../call/order-key.ts';

/**
 * The aggregate of a group's values as a list in an order. DuckDB's `list(… ORDER BY …)` sorts each group by itself. List
 * functions sort those of two thousand groups at once: in a sixth of the time if each has one row, in half of it for ten
 * rows, and in up to twice the time for a million rows in one group (measured).
 *
 * @param keys the order; none for any
 * @param filter a FILTER clause, or empty
 */
export function sortedList(value: string, keys: readonly OrderKey[], filter = ''): string {
  const values = `list(${value})${filter}`;
  const [key, ...more] = keys;
  if (key === undefined) return values;
  const parts = keys.map(({ sql, direction, nulls }) => `${sql}, '${direction} NULLS ${nulls}'`);
  const places =
    more.length === 0
      ? `list_grade_up(list(${key.sql})${filter}, '${key.direction}', 'NULLS ${key.nulls}')`
      : `list_grade_up(list(create_sort_key(${parts.join(', ')}))${filter})`;
  return `list_select(${values}, ${places})`;
}
