import { counted } from '../../base/text/counted.ts';
import type { TableRows } from '../../engines/duckdb/store/database/held-files.ts';

/** How many rows of how many sources tables have. */
export function describeRows(rows: TableRows): string {
  const bySource = rowsBySource(rows);
  const total = [...bySource.values()].reduce((sum, count) => sum + count, 0);
  return `${counted(total, 'row')} of ${counted(bySource.size, 'source')}`;
}

/** The sources that have rows, with how many: a source has a table for each form of its rows. */
export function rowsBySource(rows: TableRows): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [table, count] of rows) {
    const source = table.slice(table.indexOf('.') + 1);
    if (count > 0) sums.set(source, (sums.get(source) ?? 0) + count);
  }
  return sums;
}
