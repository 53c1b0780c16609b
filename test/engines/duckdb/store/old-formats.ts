import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import {
  allRowsSql,
  listTable,
  oldTables,
  rowTables,
} from '../../../../src/engines/duckdb/store/tables/row-table.ts';

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
    await connection.run('CREATE SCHEMA logs');
    for (const source of sources) {
      const [{ sql, definitions } = throwing()] = oldTables(source);
      await connection.run(`CREATE TABLE ${sql} (${definitions})`);
      await connection.run(`INSERT INTO ${sql} SELECT * FROM ${allRowsSql(source)} ORDER BY "timestamp"`);
      for (const table of rowTables(source)) await connection.run(`DROP TABLE ${table.sql}`);
    }
    await connection.run('DROP SCHEMA flat');
    await connection.run('DROP SCHEMA lists');
    await connection.run(`UPDATE meta.facts SET value = '1' WHERE name = 'format'`);
  });
}

/** Makes a store of format 2 of a closed store: the rows without a flat form are as their schema has them. */
export async function asFormat2(dataDir: string, ...sources: readonly Source[]): Promise<void> {
  await inStoreFile(dataDir, async (connection) => {
    await connection.run('CREATE SCHEMA logs');
    for (const source of sources) {
      const [{ sql, definitions } = throwing()] = oldTables(source);
      const list = listTable(source);
      await connection.run(`CREATE TABLE ${sql} (${definitions})`);
      await connection.run(`INSERT INTO ${sql} SELECT ${list.whole} FROM ${list.sql} ORDER BY "timestamp"`);
      await connection.run(`DROP TABLE ${list.sql}`);
    }
    await connection.run('DROP SCHEMA lists');
    await connection.run(`UPDATE meta.facts SET value = '2' WHERE name = 'format'`);
  });
}

function throwing(): never {
  throw new Error('no table');
}
