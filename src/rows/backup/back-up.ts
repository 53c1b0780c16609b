import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import type { Clock } from '../../base/system/clock.ts';
import { isCode } from '../../base/system/is-code.ts';
import { syncFile, writeNew } from '../../base/system/replace-file.ts';
import { removeAbandoned, removeUnfinished, unfinishedFile } from '../../base/system/unfinished-file.ts';
import { version } from '../../base/version.ts';
import { readAllAddedFields } from '../../definitions/sources/added-fields.ts';
import { type HeldFiles, heldFiles, type TableRows } from '../../engines/duckdb/store/database/held-files.ts';
import { openDatabase } from '../../engines/duckdb/store/database/open-database.ts';
import { serverHolding } from '../../engines/duckdb/store/file/server-file.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';
import { withDatabase } from './backup-database.ts';
import { copyBytes } from './copy-bytes.ts';
import { refuseWithoutSpace } from './free-space.ts';
import { holdThrough } from './hold-through.ts';
import { writeManifest } from './manifest.ts';
import { Pace } from './pace.ts';
import { refuseExisting } from './refuse-existing.ts';
import type { OnStep } from './steps.ts';
import { verifyFile } from './verify-file.ts';

interface BackUpOptions {
  readonly dataDir: string;
  /** DuckDB's limits in this process. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  readonly bytesPerSecond: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
  /** The free bytes on the disk of a folder; by default, the system's figure. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** A finished backup. */
interface BackupMade {
  readonly bytes: number;
  readonly rows: TableRows;
}

/**
 * Writes a backup of a store, with the rows as of one commit, while a gateway may use the store. The file has its name
 * once it is complete, verified and on the disk; if anything fails, nothing is left.
 *
 * @throws CommandError, StoreError, GatewayError; the signal's reason; errors of the file system
 */
export async function backUp(file: string, options: BackUpOptions): Promise<BackupMade> {
  const { force, clock, signal, onStep, memoryLimit, bytesPerSecond } = options;
  const target = resolve(file);
  if (!force) await refuseExisting(target, file);
  await removeAbandoned(target);
  const unfinished = unfinishedFile(target);
  const pace = new Pace(bytesPerSecond, clock, signal);
  try {
    const { rows, addedFields, createdAt } = await withHeldStore(options, (held) =>
      copyStore(held, unfinished, options),
    );
    await withDatabase(unfinished, { memoryLimit, isReadOnly: false }, async (connection) => {
      await writeManifest(connection, {
        ...{ createdAt, gateway: version, addedFields },
        rows: Object.fromEntries(rows),
      });
      await connection.run('CHECKPOINT');
    });
    const { size } = await stat(unfinished);
    await verifyFile(unfinished, {
      ...{ rows, memoryLimit, onStep },
      afterSlice: (part) => pace.done(size * part),
    });
    await syncFile(unfinished);
    signal.throwIfAborted();
    if (!force) await refuseExisting(target, file);
    await rename(unfinished, target);
    await syncFile(dirname(target));
    return { bytes: size, rows };
  } finally {
    await removeUnfinished(unfinished);
  }
}

/** Copies the files of a store, and reads its added fields. */
async function copyStore(
  { file, handle, fileBytes, logBytes, rows, signal }: HeldStore,
  unfinished: string,
  { dataDir, bytesPerSecond, clock, onStep, freeBytes }: BackUpOptions,
) {
  // The rows of the log are in both files until the end.
  await refuseWithoutSpace(dirname(unfinished), fileBytes + 2 * logBytes, freeBytes);
  const createdAt = new Date(clock.now()).toISOString();
  const pace = new Pace(bytesPerSecond, clock, signal);
  let copied = 0;
  onStep('copying', 0, fileBytes + logBytes);
  const onProgress = (bytes: number) => {
    copied += bytes;
    onStep('copying', copied, fileBytes + logBytes);
  };
  await writeNew(unfinished, (to) => copyBytes(handle, to, fileBytes, { pace, onProgress }));
  if (logBytes > 0) {
    const log = await open(`${file}.wal`, 'r');
    try {
      await writeNew(`${unfinished}.wal`, (to) => copyBytes(log, to, logBytes, { pace, onProgress }));
    } finally {
      await log.close();
    }
  }
  // A field is in its file before the store has it.
  const addedFields = Object.fromEntries(await readAllAddedFields(dataDir));
  return { rows, addedFields, createdAt };
}

/** The files of a store as of a commit, to be read by this process. */
interface HeldStore extends HeldFiles {
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
async function withHeldStore<T>(
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
