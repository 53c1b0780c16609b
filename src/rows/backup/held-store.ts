import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import { isCode } from '../../base/system/is-code.ts';
import { type HeldFiles, heldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import { openDatabase } from '../../engines/duckdb/store/database/open-database.ts';
import { serverHolding } from '../../engines/duckdb/store/file/server-file.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';
import { holdThrough } from './hold-through.ts';

/** The files of a store as of a commit, to be read by this process. */
export interface HeldStore extends HeldFiles {
  readonly handle: FileHandle;
  /** Aborted when the files may change: then nothing that was read can be used. */
  readonly signal: AbortSignal;
}

interface HoldOptions {
  readonly dataDir: string;
  readonly memoryLimit: string;
  readonly threads: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a task that reads a store's files as of a commit: while the gateway that has the store keeps them for it, or with
 * the store open in this process.
 *
 * @throws CommandError, StoreError; GatewayError if the gateway refuses; the signal's reason; errors of the task. If it
 *   throws, the files may have changed while the task read them
 */
export async function withHeldStore<T>(
  { dataDir, signal, ...limits }: HoldOptions,
  task: (held: HeldStore) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const handle = await openStoreFile(dataDir);
  // Closed last: DuckDB's lock on the file ends when this process closes any handle of it.
  opened.defer(() => handle.close());
  let files: HeldFiles;
  try {
    const database = await openDatabase({ dataDir, ...limits });
    opened.defer(async () => database.close());
    files = await heldFiles(database);
  } catch (error) {
    const server = await serverHolding(dataDir, error);
    return await holdThrough(server, signal, (held, either) => task({ ...held, handle, signal: either }));
  }
  return await task({ ...files, handle, signal });
}

/** Opening the database would create a missing file. */
async function openStoreFile(dataDir: string): Promise<FileHandle> {
  try {
    return await open(join(dataDir, storeFileName), 'r');
  } catch (error) {
    const isMissing = isCode(error, 'ENOENT');
    if (isMissing) throw new CommandError(`There is no store in DATA_DIR (${dataDir}).`, error);
    throw error;
  }
}
