import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../../definitions/sources/source.ts';
import { replaceTable } from '../tables/replace-table.ts';
import { rowTables } from '../tables/row-table.ts';

/**
 * Puts tables without some rows in the place of a source's tables, in the present transaction. Further rows are added to them.
 * It writes all other rows again, with all of their columns: the table may have some that the source's file doesn't have.
 *
 * @param condition of the rows to leave out, as SQL, or as a function of the text of their ids
 * @returns how many rows are left out
 */
export async function withoutRows(
  connection: DuckDBConnection,
  source: Source,
  condition: 'true' | ((id: string) => string),
): Promise<number> {
  let left = 0;
  for (const table of rowTables(source)) {
    const { sql, key } = table;
    const isLeftOut = condition === 'true' || key.id === undefined ? 'true' : condition(key.id);
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${sql} WHERE ${isLeftOut}`);
    const rows = Number(counted.value(0, 0));
    left += rows;
    if (rows === 0) continue;
    await replaceTable(connection, table, (made) => [
      `CREATE TABLE ${made} AS SELECT * FROM ${sql} WHERE NOT (${isLeftOut}) ORDER BY rowid`,
    ]);
  }
  return left;
}
