import type { DuckDBConnection } from '@duckdb/node-api';

/** The column with a row's place among all rows of an import. No column of a source has its name. */
export const place = '".place"';

interface InsertedRows {
  /** The columns that get values. */
  readonly columns: string;
  /** A relation that has them, and `place`. */
  readonly from: string;
  /** Whether the rows are sorted by time first. */
  readonly isSorted: boolean;
}

/** Inserts the rows of a relation into a table. Returns how many. */
export async function insertRows(
  connection: DuckDBConnection,
  table: string,
  { columns, from, isSorted }: InsertedRows,
): Promise<number> {
  const order = isSorted ? `ORDER BY "timestamp", ${place}` : '';
  const sql = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from} ${order}`;
  return (await connection.run(sql)).rowsChanged;
}
