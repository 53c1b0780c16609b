import { leavesOf } from './leaves.ts';
import { alterFlat } from './reshape-flat.ts';
import type { TableColumn } from './schema-change.ts';

/** Rows in a second when a table is written anew, and values in a second when a column is (measured on two busy cores). */
const copiedRows = 100_000;
const convertedValues = 500_000;

/** About how many seconds it takes to bring so many rows into the form of the columns. */
export function effortOf(rows: number, columns: readonly TableColumn[]): number {
  const statements = alterFlat('t', leavesOf(columns), []);
  if (statements === undefined) return rows / copiedRows;
  return (rows * statements.filter((sql) => sql.includes(' USING ')).length) / convertedValues;
}
