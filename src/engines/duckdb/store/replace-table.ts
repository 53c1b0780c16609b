import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../duck-type.ts';
import type { RowTable } from './row-table.ts';

interface ReplacingQuery {
  readonly columns?: string;
  readonly from?: string;
  /** The ORDER BY clause. */
  readonly order?: string;
}

/**
 * Puts a table with the rows of a query in the place of one of a source's tables, in the present transaction. Readers of
 * the old one go on undisturbed. (Deleting and inserting in one transaction isn't that: in DuckDB 1.5.5 readers
 * see rows twice for a moment.)
 *
 * @param query what is put into it: a SELECT list, what it is over unless it is the old table, and the order
 */
export async function replaceTable(
  connection: DuckDBConnection,
  table: RowTable,
  { columns = table.columns, from = table.sql, order = '' }: ReplacingQuery,
): Promise<void> {
  // No source has this name.
  const temporary = `${table.schema}.${quoteIdentifier(`${table.name} (new)`)}`;
  await connection.run(`CREATE TABLE ${temporary} (${table.definitions})`);
  await connection.run(`INSERT INTO ${temporary} SELECT ${columns} FROM ${from} ${order}`);
  await connection.run(`DROP TABLE ${table.sql}`);
  await connection.run(`ALTER TABLE ${temporary} RENAME TO ${quoteIdentifier(table.name)}`);
}
