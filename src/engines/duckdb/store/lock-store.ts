import { link, rm } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Keeps other processes from opening a store for writing. DuckDB's lock is on the file, and it reads the write-ahead log that
 * belongs to the name: this one opens the file by another name, which has none.
 *
 * @throws DuckDB's error if another process has the store open, or the file can't be read; errors of the file system
 */
export async function lockStore(file: string): Promise<AsyncDisposable> {
  const name = `${file}.${process.pid}.new`;
  const remove = () => rm(name, { force: true });
  await remove();
  await link(file, name);
  try {
    const instance = await DuckDBInstance.create(name, { access_mode: 'READ_ONLY', threads: '1' });
    return {
      async [Symbol.asyncDispose]() {
        instance.closeSync();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
