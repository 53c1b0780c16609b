import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import type { FileRows } from './file-rows.ts';
import type { IsFlatOnly } from './list-tables.ts';
import type { RowOrigin } from './metadata.ts';
import type { RowBatch } from './row-batch.ts';

/** The embedded store: the rows of every source, in one file that this process owns. */
export interface Store {
  readonly sources: readonly Source[];

  /**
   * A connection for reading, closed by whoever asked for it, before the store is. Rows being added, and tables
   * being put in order, neither delay its queries nor show in them before they are committed.
   */
  connect(): Promise<DuckDBConnection>;

  /**
   * Runs queries of the task on the connection in one read transaction. Without it a query that begins just while
   * a large file is committed may, very rarely, see a part of its rows.
   *
   * @param task gets a function that says which sources have no rows outside their flat table
   */
  read<T>(connection: DuckDBConnection, task: (isFlatOnly: IsFlatOnly) => Promise<T>): Promise<T>;

  /**
   * Adds rows to a source, all of them or none: a rejection, also one that `batches` throws, leaves the store as
   * it was. Rows may come in any order. Of rows with one id the first counts; those whose id the store has
   * are left out. Several calls may run at a time, each with its rows staged aside, but one commits at a time.
   *
   * Rejects with a `GatewayError`: `FORBIDDEN` for demo rows in a store that holds others, and
   * `BACKEND_UNAVAILABLE` once the store is closing, and when disk or memory don't suffice; with the signal's reason when it is aborted in time.
   */
  append(source: Source, batches: AsyncIterable<RowBatch>, options: AppendOptions): Promise<AppendResult>;

  /** Whether DuckDB has given the store up, so that it is of no use until it is opened anew. */
  readonly hasFailed: boolean;

  /** How many rows each source has, by its name. */
  rowCounts(): Promise<ReadonlyMap<string, number>>;

  /** Where the rows come from; undefined when there never were any. */
  origin(): RowOrigin | undefined;

  /** Ends what is being added, without committing it, then closes the file. */
  close(): Promise<void>;
}

export interface AppendOptions {
  /** A store of demo rows becomes one of imported rows with the first of these; never the other way. */
  readonly origin: RowOrigin;
  readonly signal?: AbortSignal | undefined;
  /** Rows to add before those of the batches, which are read when these are in. Nobody else can commit meanwhile. */
  readonly file?: FileRows | undefined;
}

export interface AppendResult {
  /** Rows that the store has more than before. */
  readonly imported: number;
  /** Rows left out because an earlier one of the same call has their id. */
  readonly repeated: number;
  /** Rows left out because the store had their id. */
  readonly alreadyThere: number;
}
