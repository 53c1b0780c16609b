import { isDeepStrictEqual } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import pLimit from 'p-limit';
import { raceWithAbort } from '../../../async/race-with-abort.ts';
import { type Clock, systemClock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { Source } from '../../../sources/source.ts';
import { append } from './append.ts';
import { Checkpoints } from './checkpoints.ts';
import { Compaction } from './compaction.ts';
import { Deletions } from './deletions.ts';
import { fatalError, isFatal } from './fatal.ts';
import { GroupCommit } from './group-commit.ts';
import { GroupWriter } from './group-writer.ts';
import { type HeldFiles, heldFiles } from './held-files.ts';
import type { IngestBatch, IngestCounts } from './ingest-batch.ts';
import { type IsFlatOnly, ListTables } from './list-tables.ts';
import { type RowOrigin, readOrigin, writeOrigin } from './metadata.ts';
import { moveLog } from './move-log.ts';
import { type MoveProgress, moveOldRows } from './move-old-rows.ts';
import { type DatabaseOptions, type OpenDatabase, openDatabase, openingError } from './open-database.ts';
import { prepareTables } from './prepare-tables.ts';
import { Retention } from './retention.ts';
import { freeBytesAt, refuseWithoutRoom } from './room-to-move.ts';
import type { RowBatch } from './row-batch.ts';
import { rowTables } from './row-table.ts';
import { shortageError } from './shortage.ts';
import { SnapshotGate } from './snapshot-gate.ts';
import type { AppendOptions, AppendResult, Store } from './store.ts';
import { inSnapshot, inTransaction } from './transaction.ts';

export interface StoreOptions extends DatabaseOptions {
  readonly sources: readonly Source[];
  /** Logs failures that harm no rows, and the progress of an upgrade. */
  readonly log?: Log | undefined;
  /** Called while rows of an older format are moved, before everything else. */
  readonly onMove?: ((progress: MoveProgress) => void) | undefined;
  /** The free bytes on the store's disk; by default, the system's figure. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  readonly clock?: Clock | undefined;
  /** After how many days rows are deleted, for sources that don't say it themselves. By default, they are kept. */
  readonly retentionDays?: number | undefined;
  /** The size of the write-ahead log that causes a checkpoint. */
  readonly logBytes?: number | undefined;
}

/**
 * Opens the store of a data folder, created if missing, and brings its tables into the form of the sources' schemas. A
 * store of an older format is upgraded first, which takes some ten seconds for a million rows. Throws `StoreError` with
 * words for the operator: the store is in use, the file is not a store, or its rows don't fit a changed schema.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options);
  try {
    const connection = await database.instance.connect();
    try {
      await prepareStore(connection, options);
      const listTables = await ListTables.find(connection, options.sources);
      return new FileStore(database, options, listTables, await readOrigin(connection));
    } finally {
      connection.closeSync();
    }
  } catch (error) {
    database.close();
    throw openingError(database.file, error);
  }
}

async function prepareStore(
  connection: DuckDBConnection,
  { sources, dataDir, log, onMove, freeBytes = () => freeBytesAt(dataDir) }: StoreOptions,
): Promise<void> {
  await prepareTables(connection, sources, {
    beforeCommit: () => refuseWithoutRoom(connection, sources, freeBytes),
  });
  const logged = moveLog(log);
  await moveOldRows(connection, sources, {
    onProgress(progress) {
      logged(progress);
      onMove?.(progress);
    },
  });
}

class FileStore implements Store {
  #sources: readonly Source[];
  readonly #database: OpenDatabase;
  /** Writers, one at a time. */
  readonly #writes = pLimit(1);
  /** Tasks that remove stored rows, for good or to write them elsewhere, one at a time. */
  readonly #removals = pLimit(1);
  readonly #gate = new SnapshotGate();
  readonly #listTables: ListTables;
  readonly #closing = new AbortController();
  readonly #appends = new Set<Promise<unknown>>();
  readonly #compaction = new Map<string, Compaction>();
  readonly #checkpoints: Checkpoints;
  readonly #groups: GroupCommit;
  readonly #deletions: Deletions;
  readonly #retention: Retention;
  /** Exists from the first group on. */
  #groupWriter: GroupWriter | undefined;
  readonly #log: Log | undefined;
  #origin: RowOrigin | undefined;
  #hasFailed = false;

  constructor(
    database: OpenDatabase,
    { sources, log, clock = systemClock, logBytes, retentionDays }: StoreOptions,
    listTables: ListTables,
    origin: RowOrigin | undefined,
  ) {
    this.#database = database;
    this.#listTables = listTables;
    this.#sources = sources;
    this.#log = log;
    this.#origin = origin;
    this.#checkpoints = new Checkpoints({
      ...{ instance: database.instance, file: database.file, writes: this.#writes, gate: this.#gate },
      ...{ clock, log, logBytes, onError: (error) => this.#noteFatal(error) },
    });
    this.#deletions = new Deletions({
      ...{ instance: database.instance, removals: this.#removals, writes: this.#writes, gate: this.#gate },
      committed: (deleted) => this.#checkpoints.committed(deleted),
    });
    this.#retention = new Retention({
      ...{ sources: () => this.sources, defaultDays: retentionDays, clock, log },
      deleteBefore: (source, before, signal) => this.#deletions.deleteBefore(source, before, signal),
      onError: (error) => this.#noteFatal(error),
    });
    this.#groups = new GroupCommit({
      clock,
      commit: (batches) => this.#commitGroup(batches),
      mayRetry: (error) => !this.#hasFailed && !(error instanceof GatewayError),
    });
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  useSources(sources: readonly Source[]): Promise<void> {
    return this.#writes(async () => {
      const connection = await this.connect();
      try {
        await prepareTables(connection, sources, { gate: this.#gate });
        this.#sources = sources.map((source) => {
          const before = this.#sources.find(({ name }) => name === source.name);
          return isDeepStrictEqual(source, before) && before !== undefined ? before : source;
        });
        this.#compaction.clear();
      } catch (error) {
        this.#noteFatal(error);
        throw error;
      } finally {
        connection.closeSync();
      }
    });
  }

  async connect(): Promise<DuckDBConnection> {
    this.#closing.signal.throwIfAborted();
    return await this.#database.instance.connect();
  }

  async read<T>(connection: DuckDBConnection, task: (isFlatOnly: IsFlatOnly) => Promise<T>): Promise<T> {
    try {
      return await inSnapshot(connection, this.#gate, () => task(this.#listTables.isFlatOnly));
    } catch (error) {
      this.#noteFatal(error);
      throw error;
    }
  }

  append(
    source: Source,
    batches: AsyncIterable<RowBatch>,
    { origin, signal, file }: AppendOptions,
  ): Promise<AppendResult> {
    if (this.#hasFailed) return Promise.reject(fatalError());
    const closing = this.#closing.signal;
    const result = append({
      instance: this.#database.instance,
      writes: this.#writes,
      gate: this.#gate,
      source,
      present: () => this.#sources.find(({ name }) => name === source.name),
      listTables: this.#listTables,
      batches,
      file,
      origin,
      signal: signal === undefined ? closing : AbortSignal.any([closing, signal]),
      committed: (connection, present, imported) => this.#committed(connection, present, origin, imported),
    });
    result.catch((error) => {
      this.#noteFatal(error);
      // Callers get the error, but only the operator can solve the problem.
      const cause = error instanceof GatewayError ? error.details.cause : undefined;
      if (cause !== undefined)
        this.#log?.error('rows could not be added', { source: source.name, cause: String(cause) });
    });
    const settled = result.catch(() => undefined).finally(() => this.#appends.delete(settled));
    this.#appends.add(settled);
    return result;
  }

  ingest(batches: readonly IngestBatch[]): Promise<readonly IngestCounts[]> {
    if (this.#hasFailed) return Promise.reject(fatalError());
    return this.#groups.add(batches);
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async rowCounts(): Promise<ReadonlyMap<string, number>> {
    const connection = await this.connect();
    try {
      const counts = new Map<string, number>();
      for (const source of this.sources) {
        const ofTables = rowTables(source).map(({ sql }) => `(SELECT count(*) FROM ${sql})`);
        const reader = await connection.runAndReadAll(`SELECT ${ofTables.join(' + ')}`);
        counts.set(source.name, Number(reader.value(0, 0)));
      }
      return counts;
    } finally {
      connection.closeSync();
    }
  }

  origin(): RowOrigin | undefined {
    return this.#origin;
  }

  hold<T>(task: (files: HeldFiles) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#hasFailed) return Promise.reject(fatalError());
    const either = AbortSignal.any([this.#closing.signal, signal]);
    const lastCommit = () => this.#writes(() => heldFiles(this.#database));
    const held = () => this.#checkpoints.hold(async () => task(await raceWithAbort(lastCommit, either)));
    return raceWithAbort(held, either);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const error = new GatewayError('BACKEND_UNAVAILABLE', 'the store is closing');
    this.#closing.abort(error);
    await this.#groups.close(error);
    await this.#retention.close();
    await Promise.all(this.#appends);
    this.#groupWriter?.close();
    await this.#checkpoints.close();
    this.#database.close();
  }

  /** Commits the rows of several requests. */
  async #commitGroup(batches: readonly IngestBatch[]): Promise<readonly IngestCounts[]> {
    try {
      const counts = await this.#writes(async () => {
        this.#groupWriter ??= await GroupWriter.create(this.#database.instance, this.#listTables);
        const writer = this.#groupWriter;
        const { connection } = writer;
        return await inTransaction(
          connection,
          () => this.#gate,
          async () => {
            const counts = await writer.add(batches);
            if (this.#origin !== 'imported' && counts.some(({ imported }) => imported > 0))
              await writeOrigin(connection, 'imported');
            return counts;
          },
        );
      });
      if (counts.some(({ imported }) => imported > 0)) this.#origin = 'imported';
      this.#checkpoints.committed();
      return counts;
    } catch (error) {
      this.#noteFatal(error);
      const shortage = shortageError(error) ?? (this.#hasFailed ? fatalError(error) : undefined);
      if (shortage !== undefined) this.#log?.error('rows could not be added', { cause: String(error) });
      throw shortage ?? error;
    }
  }

  #noteFatal(error: unknown): void {
    if (this.#hasFailed || !isFatal(error)) return;
    this.#hasFailed = true;
    const cause = String(error instanceof GatewayError ? error.details.cause : error);
    this.#log?.error('the store has failed: it must be reopened before it can be read', {
      cause,
    });
  }

  async #committed(
    connection: DuckDBConnection,
    source: Source,
    origin: RowOrigin,
    rows: number,
  ): Promise<void> {
    if (rows === 0) return;
    this.#origin = origin;
    this.#checkpoints.committed();
    const compaction = this.#compaction.get(source.name) ?? new Compaction(source, this.#gate);
    this.#compaction.set(source.name, compaction);
    const closing = this.#closing.signal;
    const interrupt = () => connection.interrupt();
    closing.addEventListener('abort', interrupt);
    try {
      closing.throwIfAborted();
      await compaction.after(connection, rows);
    } catch (error) {
      this.#noteFatal(error);
      // The rows are committed. A table out of order is slower, but correct.
      if (!closing.aborted)
        this.#log?.warn('a table could not be compacted', { source: source.name, error: String(error) });
    } finally {
      closing.removeEventListener('abort', interrupt);
    }
  }
}
