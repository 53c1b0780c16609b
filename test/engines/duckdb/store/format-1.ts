import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { allRowsSql, listTable, rowTables } from '../../../../src/engines/duckdb/store/row-table.ts';
import type { Source } from '../../../../src/sources/source.ts';

/** Runs a task on the file of a store that nobody has open. */
export async function inStoreFile<T>(
  dataDir: string,
  task: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(join(dataDir, 'store.duckdb'));
  const connection = await instance.connect();
  try {
    return await task(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Makes a store of format 1 of a closed store: all rows of a source are in one table, as its schema has them, in timestamp order. */
export async function asFormat1(dataDir: string, ...sources: readonly Source[]): Promise<void> {
  await inStoreFile(dataDir, async (connection) => {
    for (const source of sources) {
      const { sql, definitions } = listTable(source);
      await connection.run(`CREATE TEMP TABLE whole (${definitions})`);
      await connection.run(`INSERT INTO whole SELECT * FROM ${allRowsSql(source)} ORDER BY "timestamp"`);
      for (const table of rowTables(source)) await connection.run(`DROP TABLE ${table.sql}`);
      await connection.run(`CREATE TABLE ${sql} AS FROM whole`);
      await connection.run('DROP TABLE temp.whole');
    }
    await connection.run('DROP SCHEMA flat');
    await connection.run(`UPDATE meta.facts SET value = '1' WHERE name = 'format'`);
  });
}
