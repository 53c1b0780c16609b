import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import type { RowTable } from './row-table.ts';

interface ReplacingQuery {
  readonly columns?: string;
  readonly from?: string;
  /** The ORDER BY clause. */
  readonly order?: string;
}

/**
 * Replaces one of a source's tables by a table with the rows of a query, in the present transaction. Readers of the old one
 * are not disturbed. (If rows are deleted and inserted in one transaction, readers in DuckDB 1.5.5 see them twice for a
 * moment.)
 *
 * @param query the new rows: a SELECT list, its FROM clause unless that is the old table, and the order
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
