import { chmod, rm } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { quoteIdentifier } from '../../engines/duckdb/dialect/duck-type.ts';
import { stringLiteral } from '../../engines/duckdb/dialect/literal.ts';
import { storageVersion } from '../../engines/duckdb/store/file/make-store-file.ts';
import type { ExaminedTable } from './examine-tables.ts';

/**
 * Copies all readable rows of a database file into a new one.
 *
 * @param from its tables were examined
 * @throws DuckDB's errors; errors of the file system. Nothing is left then
 */
export async function salvage(
  from: string,
  to: string,
  tables: readonly ExaminedTable[],
  { memoryLimit, signal }: { readonly memoryLimit: string; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const instance = await DuckDBInstance.create(to, {
      ...{ storage_compatibility_version: storageVersion, memory_limit: memoryLimit, threads: '1' },
      ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
    });
    try {
      await chmod(to, 0o600);
      const connection = await instance.connect();
      await connection.run(`ATTACH ${stringLiteral(from)} AS damaged (READ_ONLY)`);
      const made = await connection.runAndReadAll(
        `SELECT sql FROM duckdb_tables() WHERE database_name = 'damaged'`,
      );
      for (const schema of new Set(tables.map(({ table }) => table.schema)))
        await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(schema)}`);
      for (const [sql] of made.getRows()) await connection.run(withoutDatabase(String(sql)));
      for (const { table, ranges } of tables)
        for (const { from: first, to: end, isReadable } of ranges) {
          signal.throwIfAborted();
          if (isReadable)
            await connection.run(
              `INSERT INTO ${table.sql} SELECT * FROM damaged.${table.sql} WHERE rowid >= ${first} AND rowid < ${end}`,
            );
        }
      await connection.run('DETACH damaged');
      await connection.run('CHECKPOINT');
      connection.closeSync();
    } finally {
      instance.closeSync();
    }
  } catch (error) {
    for (const path of [to, `${to}.wal`]) await rm(path, { force: true });
    throw error;
  }
}

/** The statement that makes a table, in the database that is open. */
function withoutDatabase(sql: string): string {
  return sql.replace(/^CREATE TABLE damaged\./, 'CREATE TABLE ');
}
