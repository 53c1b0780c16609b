import type { DuckDBConnection } from '@duckdb/node-api';
import type { RowTable } from './row-table.ts';

/** Whether the store has a table, by its name in any letter case. */
export async function hasTable(connection: DuckDBConnection, { schema, name }: RowTable): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    'SELECT 1 FROM duckdb_tables() WHERE schema_name = $1 AND lower(table_name) = lower($2)',
    [schema, name],
  );
  return reader.currentRowCount > 0;
}

/** Whether a table holds any rows. */
export async function hasRows(connection: DuckDBConnection, { sql }: RowTable): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT 1 FROM ${sql} LIMIT 1`);
  return reader.currentRowCount > 0;
}

/** How many rows a table holds. */
export async function countRows(connection: DuckDBConnection, { sql }: RowTable): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${sql}`);
  return Number(reader.value(0, 0));
}
