import { link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fileFailure } from '../../../../base/system/read-written-file.ts';
import { unfinishedStoreFile } from './make-store-file.ts';
import { StoreError } from './store-error.ts';

/**
 * Keeps other processes from opening a store for writing. DuckDB's lock is on the file, and it reads the write-ahead log that
 * belongs to the name: this one opens the file by another name, which has none.
 *
 * @throws StoreError (`files`) without the right to write; DuckDB's error if another process has the store open, or the file can't
 *   be read
 */
export async function lockStore(file: string): Promise<AsyncDisposable> {
  const name = unfinishedStoreFile(file, 'lock');
  const remove = () => rm(name, { force: true });
  await remove();
  await link(file, name).catch((error) => {
    const message = `${dirname(file)} can't be written (${fileFailure(error)}). Only the user whose gateway has made the store can open it`;
    throw new StoreError('files', message, error);
  });
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
