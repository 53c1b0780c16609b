/**
 * The column that holds a field of a record by itself, as SQL.
 *
 * @param path the positions that lead to the field, joined by dots
 */
export function fieldColumn(column: string, path: string): string {
  return `"${column}.${path}"`;
}
