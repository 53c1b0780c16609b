/**
 * The SQL name of the column with a single field of a record.
 *
 * @param path the positions that lead to the field, joined by dots
 */
export function fieldColumn(column: string, path: string): string {
  return `"${column}.${path}"`;
}
