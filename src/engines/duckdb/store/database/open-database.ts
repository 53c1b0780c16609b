import { readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { makeFolder } from '../../../../base/system/make-folder.ts';
import type { Log } from '../../../../base/terminal/log.ts';
import { keepPrivate } from '../file/keep-private.ts';
import { makeStoreFile, removeUnfinishedFiles } from '../file/make-store-file.ts';
import { readServerFile } from '../file/server-file.ts';
import { StoreError } from '../file/store-error.ts';
import { storeFileIn } from '../file/store-file-name.ts';
import { type CutLog, recoverLogs } from '../log/recover-logs.ts';
import { allowOnly } from './allow-only.ts';

/** All processes shared the folder `spill` once. */
const ofProcess = /^spill(-\d+-\d+)?$/;

export interface DatabaseOptions {
  /** The folder of the store; created if missing. */
  readonly dataDir: string;
  /** DuckDB's `memory_limit`, such as `2GB`. The process exceeds it by 100 to 250 MB. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** DuckDB's `max_temp_directory_size`, such as `20GB`; by default, nearly all free space. */
  readonly tempLimit?: string;
  /** Files of rows that it may read besides its own; none by default. */
  readonly readable?: readonly string[];
  /** Gets warnings about files and folders that other users have access to. */
  readonly log?: Log | undefined;
}

/** A database that this process has open. */
export interface OpenDatabase {
  readonly instance: DuckDBInstance;
  readonly file: string;
  /** What was cut off its write-ahead log when it was opened. */
  readonly cutLogs: readonly CutLog[];
  /** Closes the database and releases its file for other processes. */
  close(): void;
}

/** Optimizers of DuckDB 1.5.5 that give wrong results: docs/decisions/duckdb-faults.md has the reports of each. */
const faultyOptimizers = [
  // Confuses columns and loses rows, where a query finds the first rows by `row_number()`.
  'top_n_window_elimination',
  // Filters the rows below a LIMIT by the keys of a join above it.
  'join_filter_pushdown',
  // Takes the keys of a DISTINCT or a GROUP BY for unique above an UNNEST, and removes an outer join that multiplies rows.
  'join_elimination',
  // Takes subplans for equal that differ in their columns or conditions, such as the two sides of a join of a table with itself.
  'common_subplan',
];

/** One that is slow without those: it reads the columns of the first rows by a join, whose filter would find them in the table. */
const slowOptimizer = 'late_materialization';

const disabledOptimizers = [...faultyOptimizers, slowOptimizer].join(',');

/**
 * DuckDB's lock on the file excludes other processes only. It would allow a second database on one file in this process,
 * which would damage the file.
 */
const openFiles = new Set<string>();

/**
 * Opens the store's one file, created if missing, locked down: no other files, no extensions, no changes of settings.
 * Throws `StoreError` (`locked`, `files`, `format`).
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const folder = await ownFolder(options.dataDir);
  const file = await storeFileIn(folder);
  if (openFiles.has(file))
    throw new StoreError('locked', `the store ${file} is already open in this process`);
  openFiles.add(file);
  try {
    const { instance, cutLogs } = await openInstance(file, spillFolder(folder), options);
    const close = () => {
      instance.closeSync();
      openFiles.delete(file);
    };
    try {
      await lockDown(instance, options.readable);
      await keepPrivate(folder, [file, `${file}.wal`], options.log);
      await removeOtherSpillFolders(spillFolder(folder), folder);
      await removeUnfinishedFiles(file);
    } catch (error) {
      close();
      throw error;
    }
    for (const { description } of cutLogs) options.log?.warn(`Cut off: ${description}`);
    return { instance, file, cutLogs, close };
  } catch (error) {
    openFiles.delete(file);
    throw error;
  }
}

async function ownFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir, 0o700);
    return await realpath(dataDir);
  } catch (error) {
    throw new StoreError('files', `the folder ${dataDir} can't be used: ${messageOf(error)}`, error);
  }
}

async function openInstance(file: string, spill: string, options: DatabaseOptions) {
  try {
    await makeStoreFile(file);
    const cutLogs = await recoverLogs(file);
    // In this order, because DuckDB refuses settings after those that lock it down.
    const instance = await DuckDBInstance.create(file, {
      memory_limit: options.memoryLimit,
      threads: String(options.threads),
      temp_directory: spill,
      ...(options.tempLimit !== undefined && { max_temp_directory_size: options.tempLimit }),
      // The store decides when: in the midst of a commit, a checkpoint would delay it.
      checkpoint_threshold: '1TB',
      // Merging row groups takes a second each, in which no writer can work.
      max_vacuum_tasks: '0',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(options.readable === undefined && { enable_external_access: 'false' }),
      // Freed memory returns to the system soon: DuckDB's allocator would keep hundreds of megabytes.
      allocator_flush_threshold: '16MB',
      allocator_bulk_deallocation_flush_threshold: '16MB',
      allocator_background_threads: 'true',
    });
    return { instance, cutLogs };
  } catch (error) {
    throw await withHolder(file, openingError(file, error));
  }
}

/** The time zone can be set only when ICU is loaded, hence after opening. The same is true for the lock on settings. */
export async function lockDown(instance: DuckDBInstance, readable?: readonly string[]): Promise<void> {
  const connection = await instance.connect();
  try {
    if (readable !== undefined) await allowOnly(connection, readable);
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    // A transaction takes its snapshot when it begins, and needs no statement for it.
    await connection.run('SET GLOBAL immediate_transaction_mode = true');
    await connection.run(`SET GLOBAL disabled_optimizers = '${disabledOptimizers}'`);
    await connection.run('SET GLOBAL lock_configuration = true');
  } finally {
    connection.closeSync();
  }
}

/** A store that a gateway has open is said to be in use by it. The process that has the file open is a child of it. */
export async function withHolder(file: string, error: StoreError): Promise<StoreError> {
  const { kind, holder } = error;
  if (kind !== 'locked' || holder === undefined) return error;
  const server = await readServerFile(dirname(file));
  if (server?.storePid !== holder) return error;
  return inUse(file, `the gateway at ${server.url} (pid ${server.pid})`, error.cause, holder);
}

function inUse(file: string, who: string, cause: unknown, holder: number | undefined): StoreError {
  const message = `the store ${file} is in use by ${who}. Stop it, or set DATA_DIR to another folder.`;
  return new StoreError('locked', message, cause, holder);
}

/** Why a store can't be opened, in words for the operator. DuckDB reads some parts of a file only later. */
export function openingError(file: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = messageOf(error);
  if (/lock/i.test(message) && /conflicting|set lock/i.test(message)) {
    const holder = /\(PID (\d+)\)/.exec(message)?.[1];
    const who = holder === undefined ? 'another process' : `another process (pid ${holder})`;
    return inUse(file, who, error, holder === undefined ? undefined : Number(holder));
  }
  if (/could not read enough bytes|computed checksum/i.test(message)) {
    return new StoreError('format', `the store ${file} is damaged`, error);
  }
  if (/valid DuckDB database|version number|corrupt|serializ/i.test(message)) {
    return new StoreError('format', `${file} is not a store that this version can read`, error);
  }
  const reason = systemReason(error);
  const because = reason === undefined ? '' : `: ${reason}`;
  return new StoreError('files', `the store ${file} can't be opened${because}`, error);
}

/** What the operating system said, if the error quotes it. The rest is DuckDB's. */
function systemReason(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error) return error.message;
  return /^IO Error: .*": ([A-Z][A-Za-z/ -]+)$/m.exec(messageOf(error))?.[1];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The folder for what this process spills from memory, which DuckDB makes when it needs it. DuckDB may spill while it opens
 * the store, before it is known that no other process has it open: so each process has its own.
 */
function spillFolder(dataDir: string): string {
  return join(dataDir, `spill-${process.pid}-${Math.round(performance.timeOrigin)}`);
}

/** Removes what killed processes left behind. Only for the store's owner, whose own folder stays. */
async function removeOtherSpillFolders(own: string, dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const others = names.filter((name) => ofProcess.test(name) && name !== basename(own));
  await Promise.all(others.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
}
