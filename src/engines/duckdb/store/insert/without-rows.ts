import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { rowTables } from '../tables/row-table.ts';

/**
 * Puts tables without some rows in the place of a source's tables, in the present transaction. Further rows are added to them.
 * Readers of the old tables are not disturbed. (If rows are deleted and inserted in one transaction, readers in DuckDB 1.5.5 see
 * them twice for a moment.) It writes all other rows again.
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
  for (const { schema, name, sql, definitions, columns, key } of rowTables(source)) {
    const isLeftOut = condition === 'true' || key.id === undefined ? 'true' : condition(key.id);
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${sql} WHERE ${isLeftOut}`);
    const rows = Number(counted.value(0, 0));
    left += rows;
    if (rows === 0) continue;
    // No source has this name.
    const made = `${schema}.${quoteIdentifier(`${name} (new)`)}`;
    await connection.run(`CREATE TABLE ${made} (${definitions})`);
    if (isLeftOut !== 'true')
      await connection.run(
        `INSERT INTO ${made} (${columns}) SELECT ${columns} FROM ${sql} WHERE NOT ${isLeftOut} ORDER BY rowid`,
      );
    await connection.run(`DROP TABLE ${sql}`);
    await connection.run(`ALTER TABLE ${made} RENAME TO ${quoteIdentifier(name)}`);
  }
  return left;
}
