import type { DuckDBConnection } from '@duckdb/node-api';

/** The column with a row's place among all rows of an import. No column of a source has its name. */
export const place = '".place"';

/**
 * The order of time. Of rows with one time, the first of the import comes first.
 *
 * @param time of a row, as SQL
 */
export function byTime(time: string): string {
  return `${time}, ${place}`;
}

interface InsertedRows {
  /** The columns that get values. */
  readonly columns: string;
  /** A relation that has them, and `place`. */
  readonly from: string;
  /** The ORDER BY clause by which the rows are sorted first. Undefined if they stay in their order. */
  readonly order: string | undefined;
}

/** Inserts the rows of a relation into a table. Returns how many. */
export async function insertRows(
  connection: DuckDBConnection,
  table: string,
  { columns, from, order }: InsertedRows,
): Promise<number> {
  const sorted = order === undefined ? '' : `ORDER BY ${order}`;
  const sql = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from} ${sorted}`;
  return (await connection.run(sql)).rowsChanged;
}
