import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import type { RowTable } from './row-table.ts';

/**
 * Puts another table in the place of a source's table, in the present transaction. Readers of the old one are not disturbed. (If
 * rows are deleted and inserted in one transaction, readers in DuckDB 1.5.5 see them twice for a moment.)
 *
 * @param statements those that make and fill the new table, given its name as SQL
 */
export async function replaceTable(
  connection: DuckDBConnection,
  { schema, name, sql }: Pick<RowTable, 'schema' | 'name' | 'sql'>,
  statements: (made: string) => readonly string[],
): Promise<void> {
  // No source has this name.
  const made = `${schema}.${quoteIdentifier(`${name} (new)`)}`;
  const named = `ALTER TABLE ${made} RENAME TO ${quoteIdentifier(name)}`;
  for (const statement of [...statements(made), `DROP TABLE ${sql}`, named]) await connection.run(statement);
}
