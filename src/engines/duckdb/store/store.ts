import type { DuckDBConnection } from '@duckdb/node-api';
import type { GatewayError } from '../../../base/errors/errors.ts';
import type { Account } from '../../../base/fairness/account.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { HeldFiles } from './database/held-files.ts';
import type { FileRows } from './insert/file-rows.ts';
import type { IngestBatch, IngestCounts } from './insert/ingest-batch.ts';
import type { RowBatch } from './insert/row-batch.ts';
import type { RefusedSource } from './refused-source.ts';
import type { SourcePlan } from './source-plan.ts';
import type { SourceState } from './source-states.ts';
import type { IsFlatOnly } from './tables/list-tables.ts';
import type { RowOrigin } from './tables/metadata.ts';
import type { ChangingRows } from './transactions/changing-rows.ts';
import type { RowKey } from './upkeep/deletions.ts';
import type { DiskState } from './upkeep/disk-monitor.ts';

/** The embedded store: the rows of every source, in one file owned by this process. */
export interface Store {
  /** The present sources. Those that `useSources` left unchanged are the same objects as before. */
  readonly sources: readonly Source[];

  /**
   * Those of them whose stored rows don't fit their files. All tasks with them reject with a `GatewayError`
   * (`BACKEND_UNAVAILABLE`).
   */
  readonly unavailable: readonly RefusedSource[];

  /** The error of tasks with a source, given by its name. Undefined if it is available. */
  refusalOf(source: string): GatewayError | undefined;

  /**
   * Replaces the sources while the store is used, between two commits. Tables of sources that have grown are extended
   * without rewriting their rows, except those with several elements in a repeated record. Running queries are unaffected,
   * and running appends add rows of the new form. Tables of sources that are gone keep their rows.
   *
   * Rejects with a `StoreError` (`schema`) if stored rows of a source that was available don't fit, and then changes nothing.
   *
   * @param drop columns whose values go, as for `openStore`
   */
  useSources(sources: readonly Source[], drop?: readonly string[]): Promise<void>;

  /** What `useSources` would do. */
  planSources(sources: readonly Source[], drop?: readonly string[]): Promise<readonly SourcePlan[]>;

  /**
   * A connection for reading. The caller closes it before the store. Rows being added and tables being sorted neither delay
   * its queries nor are visible to them before they are committed.
   */
  connect(): Promise<DuckDBConnection>;

  /**
   * Runs queries of the task on the connection in one read transaction. Without it, a query that begins during the commit
   * of a large file may, very rarely, see a part of its rows.
   *
   * @param task gets a function that returns whether a source has all rows in its flat table
   * @param afterwards gets the end of the transaction, so that the result needn't wait for it. Until then, the connection is in use.
   */
  read<T>(
    connection: DuckDBConnection,
    task: (isFlatOnly: IsFlatOnly) => Promise<T>,
    afterwards?: (end: Promise<void>) => void,
  ): Promise<T>;

  /**
   * Runs a task like `read`, but keeps the tables that it makes in the database `slices`, which is in memory, if it succeeds.
   */
  derive<T>(connection: DuckDBConnection, task: (isFlatOnly: IsFlatOnly) => Promise<T>): Promise<T>;

  /** Changes whenever rows were moved or removed, or the columns of tables changed, but not when rows were only added. */
  readonly layout: number;

  /** Tells which rows commits change. */
  readonly changing: ChangingRows;

  /**
   * Adds rows to a source, all of them or none: after a rejection, including errors that `batches` throws, the store is
   * unchanged. Rows may come in any order. Of several rows with one id, the first is added; rows whose id the store has are
   * ignored. In a reference table, a row replaces the one with its id, and the last of several counts. Several calls may run at a
   * time, each with its own staging, but one commits at a time.
   *
   * Rejects with a `GatewayError`: `FORBIDDEN` for demo rows in a store with other rows, and `BACKEND_UNAVAILABLE` once the
   * store is closing, or without enough disk or memory. Rejects with the signal's reason if it is aborted in time.
   */
  append(source: Source, batches: AsyncIterable<RowBatch>, options: AppendOptions): Promise<AppendResult>;

  /**
   * Adds the few rows of a request, to any sources, all of them or none. Requests that arrive at the same time share a
   * commit. Resolves once the rows are committed and synced, with the counts of each batch. Rows are ignored if an earlier
   * row of the request, or a row of the store with a time in the range of the batch, has their id.
   *
   * @param account whose turn it is when requests wait; by default, the gateway's
   *
   * Rejects with a `GatewayError`: `OVERLOADED` while too many rows wait and this account's key has most of them, and `BACKEND_UNAVAILABLE` once the store
   * is closing, or without enough disk or memory.
   */
  ingest(batches: readonly IngestBatch[], account?: Account): Promise<readonly IngestCounts[]>;

  /**
   * Deletes rows of a source, while writers and readers go on. Their space is used again. Rows by their keys are deleted all
   * at once or not at all; an aborted deletion of old rows has deleted some of them.
   *
   * @returns how many
   */
  deleteRows(source: Source, rows: RowsToDelete, signal: AbortSignal): Promise<number>;

  /** How many rows of a source are older than a time, in microseconds since the epoch. */
  countBefore(source: Source, before: bigint): Promise<number>;

  /** How many characters of rows of `ingest` wait for their commit or are in it. */
  readonly waitingLength: number;

  /** How many bytes were cut off the write-ahead log when it was opened, because they were never acknowledged. */
  readonly cutBytes: number;

  /** The file system of the store; undefined if it is unknown. While it is full, `append` and `ingest` reject at once. */
  readonly disk: DiskState | undefined;

  /** Whether DuckDB has invalidated the store, so that it must be opened again. */
  readonly hasFailed: boolean;

  /** How many rows each source has, by its name. */
  rowCounts(): Promise<ReadonlyMap<string, number>>;

  /** What each source has. */
  sourceStates(): Promise<readonly SourceState[]>;

  /** The origin of the rows; undefined if there never were any. */
  origin(): RowOrigin | undefined;

  /**
   * Runs a task that reads the store's files as of the last commit. Readers and writers go on meanwhile, and the write-ahead
   * log grows. Another process must read them: DuckDB's lock on its file ends when this one closes any handle of it.
   *
   * Rejects at once when the signal is aborted. The task must end then, too.
   */
  hold<T>(task: (files: HeldFiles) => Promise<T>, signal: AbortSignal): Promise<T>;

  /** Ends running appends without committing them, then closes the file. */
  close(): Promise<void>;
}

/** Rows to delete: those before a time, in microseconds since the epoch, or those with some keys. */
export type RowsToDelete = { readonly before: bigint } | { readonly keys: AsyncIterable<readonly RowKey[]> };

export interface AppendOptions {
  /** The first imported rows turn a store of demo rows into one of imported rows; never the other way. */
  readonly origin: RowOrigin;
  readonly signal?: AbortSignal | undefined;
  /** Whose turn it is when imports wait; by default, the gateway's. */
  readonly account?: Account | undefined;
  /** Whether the rows replace all that the source has, which must be a reference table. */
  readonly isReplacing?: boolean | undefined;
  /** Whether to wait until the rows are clustered. By default, that goes on in the background. */
  readonly untilClustered?: boolean | undefined;
  /** Rows to add before those of the batches, which are read afterwards. No other writer can commit meanwhile. */
  readonly file?: FileRows | undefined;
}

export interface AppendResult {
  /** The number of new rows. */
  readonly imported: number;
  /** Rows ignored because an earlier one of the same call has their id. */
  readonly repeated: number;
  /** Rows ignored because the store had their id. */
  readonly alreadyThere: number;
  /** Rows of a reference table that the new ones replace. Absent for other sources. */
  readonly replaced?: number;
}
