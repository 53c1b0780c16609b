import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { quoteIdentifier } from '../duck-type.ts';
import { columnDefinitions, tableSql } from './source-table.ts';

/**
 * Puts a table with the rows of a query in the place of a source's table, in the present transaction. Readers of
 * the old one go on undisturbed. (Deleting and inserting in one transaction isn't that: in DuckDB 1.5.5 readers
 * see rows twice for a moment.)
 *
 * @param columns the SELECT list over the old table
 * @param order the ORDER BY clause, or nothing
 */
export async function replaceTable(
  connection: DuckDBConnection,
  source: Source,
  columns: string,
  order = '',
): Promise<void> {
  const table = tableSql(source.name);
  // No source has this name.
  const passing = tableSql(`${source.name} (new)`);
  await connection.run(`CREATE TABLE ${passing} (${columnDefinitions(source.columns)})`);
  await connection.run(`INSERT INTO ${passing} SELECT ${columns} FROM ${table} ${order}`);
  await connection.run(`DROP TABLE ${table}`);
  await connection.run(`ALTER TABLE ${passing} RENAME TO ${quoteIdentifier(source.name)}`);
}
