import { counted } from '../../base/text/counted.ts';
import type { TableRows } from '../../engines/duckdb/store/database/held-files.ts';

/** How many rows of how many sources tables have: a source has a table for each form of its rows. */
export function describeRows(rows: TableRows): string {
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  const named = [...rows].filter(([, count]) => count > 0).map(([name]) => name.slice(name.indexOf('.') + 1));
  return `${counted(total, 'row')} of ${counted(new Set(named).size, 'source')}`;
}
