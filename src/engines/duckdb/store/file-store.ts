import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import pLimit from 'p-limit';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import { ownAccount } from '../../../base/fairness/account.ts';
import { FairLimit } from '../../../base/fairness/fair-limit.ts';
import { systemClock } from '../../../base/system/clock.ts';
import { diskSpace } from '../../../base/system/disk-space.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { isMerged, isReference } from '../../../definitions/sources/row-key.ts';
import { isOwnSource, type Source } from '../../../definitions/sources/source.ts';
import type { OnRowChanges } from '../../engine/row-changes.ts';
import { append } from './append.ts';
import { ConversionBeside, conversionStepRows } from './convert-beside.ts';
import { type HeldFiles, heldFiles } from './database/held-files.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { fatalError, isFatal } from './fatal.ts';
import { StoreError } from './file/store-error.ts';
import { GroupCommit } from './insert/group-commit.ts';
import { GroupWriter } from './insert/group-writer.ts';
import {
  changesOf,
  type IngestBatch,
  type IngestCounts,
  lengthOfBatches,
  timesOf,
} from './insert/ingest-batch.ts';
import type { RowBatch } from './insert/row-batch.ts';
import type { PlannedSource } from './planned-source.ts';
import { type PreparedTables, planSources, prepareTables } from './prepare-tables.ts';
import { RecentQueries } from './recent-queries.ts';
import { type RefusedSource, unavailableSource } from './refused-source.ts';
import { type SourcePlan, sourcePlans } from './source-plan.ts';
import { rowCounts, type SourceState, sourceStates } from './source-states.ts';
import type { AppendOptions, AppendResult, RowsToDelete, Store } from './store.ts';
import type { StoreOptions } from './store-options.ts';
import type { IsFlatOnly, ListTables } from './tables/list-tables.ts';
import { type RowOrigin, writeOrigin } from './tables/metadata.ts';
import { haveSameForm, SourceChanged } from './tables/source-changed.ts';
import { ChangingRows } from './transactions/changing-rows.ts';
import { rowsGate } from './transactions/rows-gate.ts';
import { SnapshotGate } from './transactions/snapshot-gate.ts';
import { inSnapshot, inTransaction, keepingInMemory } from './transactions/transaction.ts';
import { Checkpoints } from './upkeep/checkpoints.ts';
import { Compaction } from './upkeep/compaction.ts';
import { Deletions } from './upkeep/deletions.ts';
import { DiskMonitor, type DiskState } from './upkeep/disk-monitor.ts';
import { fileSpace } from './upkeep/file-space.ts';
import { FutureRows } from './upkeep/future-rows.ts';
import { Retention } from './upkeep/retention.ts';
import { shortageError } from './upkeep/shortage.ts';

/** Its promises never reject. */
interface RunningCompaction {
  /** Resolves when the rows are in timestamp order. */
  readonly ordered: Promise<void>;
  readonly ended: Promise<void>;
}

/** So many milliseconds after a query, another one is likely. */
const busyMs = 5_000;

/** A store in a file, which is open. */
export class FileStore implements Store {
  #sources: readonly Source[];
  #unavailable: ReadonlyMap<string, RefusedSource>;
  readonly #database: OpenDatabase;
  // A task that needs several of these locks takes them in this order, and the gate within the last one.
  /** Tasks that remove stored rows, for good or to write them elsewhere, one at a time. */
  readonly #removals = pLimit(1);
  /** Imports that copy their rows, one at a time. */
  readonly #imports = new FairLimit();
  /** Writers, one at a time: small requests, and the commits of larger tasks. */
  readonly #writes = pLimit(1);
  readonly #gate = new SnapshotGate();
  readonly changing = new ChangingRows();
  /** The gate for commits that only add rows. */
  readonly #rowsGate: Pick<SnapshotGate, 'commit'>;
  readonly #listTables: ListTables;
  readonly #closing = new AbortController();
  /** Running appends, deletions and changes of sources. */
  readonly #tasks = new Set<Promise<void>>();
  readonly #compaction: Compaction;
  /** The running compactions. */
  readonly #compacting = new Map<string, RunningCompaction>();
  /** Ends the running compactions. */
  #compactionEnd = new AbortController();
  readonly #disk: DiskMonitor;
  readonly #checkpoints: Checkpoints;
  readonly #groups: GroupCommit;
  readonly #deletions: Deletions;
  readonly #retention: Retention;
  /** Exists from the first group on. */
  #groupWriter: GroupWriter | undefined;
  readonly #log: Log | undefined;
  readonly #onChange: OnRowChanges;
  readonly #conversionStepRows: number;
  #origin: RowOrigin | undefined;
  #hasFailed = false;
  #changesOfSources = 0;
  readonly #queries: RecentQueries;

  constructor(
    database: OpenDatabase,
    options: StoreOptions,
    prepared: PreparedTables,
    listTables: ListTables,
    origin: RowOrigin | undefined,
  ) {
    const { sources, dataDir, log, clock = systemClock, logBytes } = options;
    const { retentionDays, maxFutureSeconds = 86_400 } = options;
    this.#onChange = options.onChange ?? (() => {});
    this.#database = database;
    this.#listTables = listTables;
    this.#conversionStepRows = options.conversionStepRows ?? conversionStepRows;
    this.#sources = sources;
    this.#unavailable = unavailableOf(prepared);
    this.#log = log;
    this.#queries = new RecentQueries(clock);
    this.#rowsGate = rowsGate(this.#gate, clock);
    this.#origin = origin;
    const { diskSpace: space = () => diskSpace(dataDir), reservedBytes } = options;
    this.#disk = new DiskMonitor({
      ...{ space, reservedBytes, clock, log },
      reusableBytes: async () => (await this.#inSnapshot(fileSpace)).reusableBytes,
      onFull: () => this.#checkpoints.committed(),
    });
    this.#checkpoints = new Checkpoints({
      ...{ instance: database.instance, file: database.file, writes: this.#writes, gate: this.#gate },
      ...{ clock, log, logBytes, onError: (error) => this.#noteFatal(error) },
      onCheckpoint: () => this.#compaction.checkpointed(),
      disk: this.#disk,
    });
    this.#compaction = new Compaction({
      ...{ instance: database.instance, removals: this.#removals, writes: this.#writes, gate: this.#gate },
      clock,
      isBusy: () => clock.elapsed() - (this.#queries.last ?? Number.NEGATIVE_INFINITY) < busyMs,
      hasRoom: (bytes) => this.#disk.hasRoom(bytes),
      committed: (deleted) => this.#checkpoints.committed(deleted),
    });
    this.#deletions = new Deletions({
      ...{ instance: database.instance, removals: this.#removals, writes: this.#writes, gate: this.#gate },
      changing: this.changing,
      committed: (deleted) => this.#checkpoints.committed(deleted),
    });
    const futureRows = new FutureRows({
      ...{ instance: database.instance, deletions: this.#deletions, writes: this.#writes, gate: this.#gate },
    });
    this.#retention = new Retention({
      ...{ sources: () => this.#available, defaultDays: retentionDays, maxFutureSeconds, clock, log },
      deleteBefore: (source, before, signal) => this.#deleteBefore(source, before, signal),
      deleteFuture: async (source, times, signal) => {
        const deleted = await futureRows.delete(source, times, signal);
        if (deleted > 0) this.#onChange([{ source: source.name }]);
        return deleted;
      },
      onError: (error) => this.#noteFatal(error),
    });
    this.#groups = new GroupCommit({
      clock,
      commit: (batches) => this.#commitGroup(batches),
      lastQuery: () => this.#queries.last,
      mayRetry: (error) =>
        !this.#hasFailed && (!(error instanceof GatewayError) || error instanceof SourceChanged),
    });
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  get layout(): number {
    return this.#checkpoints.removals + this.#changesOfSources;
  }

  get unavailable(): readonly RefusedSource[] {
    return [...this.#unavailable.values()];
  }

  refusalOf(source: string): GatewayError | undefined {
    const refused = this.#unavailable.get(source);
    return refused && unavailableSource(refused);
  }

  get #available(): readonly Source[] {
    return this.#sources.filter(({ name }) => !this.#unavailable.has(name));
  }

  useSources(sources: readonly Source[], drop?: readonly string[]): Promise<void> {
    // A compaction may wait half a minute for a moment without readers. It can be done later.
    this.#compactionEnd.abort(new Error('the sources change'));
    this.#compactionEnd = new AbortController();
    // A copy of rows within a table would meet its new columns at the commit.
    return this.#tracked(
      this.#removals(async () => {
        const conversion = await this.#convertBeside(sources, drop);
        await this.#aloneWriting(() => this.#useSources(sources, drop, conversion));
      }),
    );
  }

  /** Runs a task while nobody else writes. */
  #aloneWriting<T>(task: () => Promise<T>): Promise<T> {
    return this.#imports.run(ownAccount, () => this.#writes(task));
  }

  /** Converts columns of large tables in steps, while readers and writers go on. */
  async #convertBeside(
    sources: readonly Source[],
    drop: readonly string[] | undefined,
  ): Promise<ConversionBeside> {
    const connection = await this.connect();
    try {
      const planned = await planSources(connection, sources, drop);
      const conversion = await ConversionBeside.of(connection, planned, this.#conversionStepRows);
      if (conversion.isNone || this.#areRefusedNewly(planned)) return conversion;
      await this.#aloneWriting(() => conversion.begin(connection));
      for (;;) {
        this.#closing.signal.throwIfAborted();
        const begun = performance.now();
        const rows = await this.#writes(() => conversion.step(connection, this.#conversionStepRows));
        if (rows === 0) return conversion;
        this.#checkpoints.committed();
        // Queries have half of the time for themselves.
        await sleep(performance.now() - begun);
      }
    } finally {
      connection.closeSync();
    }
  }

  planSources(sources: readonly Source[], drop?: readonly string[]): Promise<readonly SourcePlan[]> {
    return this.#inSnapshot((connection) => sourcePlans(connection, sources, drop));
  }

  async #useSources(
    sources: readonly Source[],
    drop: readonly string[] | undefined,
    conversion: ConversionBeside,
  ): Promise<void> {
    const connection = await this.connect();
    try {
      // Columns of rows that are there may change.
      const all = [...this.#sources, ...sources].map(({ name }) => ({ source: name }));
      // Rows that came meanwhile.
      while ((await conversion.step(connection)) > 0);
      const prepared = await prepareTables(connection, sources, {
        converted: conversion.columns,
        gate: this.changing.gate(all, this.#gate),
        beforeCommit: async ({ refused }) => this.#refuseNewly(refused),
        drop,
      });
      // Its tables may have been there before the source.
      await this.#listTables.findMore(connection, prepared.available);
      this.#sources = sources.map((source) => {
        const before = this.#present(source);
        if (!isDeepStrictEqual(source.clustering, before?.clustering)) this.#compaction.postponed(source);
        return isDeepStrictEqual(source, before) && before !== undefined ? before : source;
      });
      this.#unavailable = unavailableOf(prepared);
      this.#changesOfSources += 1;
    } catch (error) {
      this.#noteFatal(error);
      throw error;
    } finally {
      connection.closeSync();
    }
  }

  #areRefusedNewly(planned: readonly PlannedSource[]): boolean {
    return planned.some(({ source, faults }) => faults.length > 0 && !this.#unavailable.has(source.name));
  }

  /** @throws StoreError (`schema`) if a source would no longer be available */
  #refuseNewly(refused: readonly RefusedSource[]): void {
    const lost = refused.filter(({ source }) => !this.#unavailable.has(source));
    if (lost.length > 0) throw new StoreError('schema', lost.map(({ details }) => details).join('\n'));
  }

  async connect(): Promise<DuckDBConnection> {
    this.#closing.signal.throwIfAborted();
    return await this.#database.instance.connect();
  }

  async read<T>(
    connection: DuckDBConnection,
    task: (isFlatOnly: IsFlatOnly) => Promise<T>,
    afterwards?: (end: Promise<void>) => void,
  ): Promise<T> {
    using _ = this.#queries.begin();
    try {
      return await inSnapshot(connection, this.#gate, () => task(this.#listTables.isFlatOnly), afterwards);
    } catch (error) {
      this.#noteFatal(error);
      throw error;
    }
  }

  async derive<T>(connection: DuckDBConnection, task: (isFlatOnly: IsFlatOnly) => Promise<T>): Promise<T> {
    try {
      return await keepingInMemory(connection, this.#gate, () => task(this.#listTables.isFlatOnly));
    } catch (error) {
      this.#noteFatal(error);
      throw error;
    }
  }

  append(
    source: Source,
    batches: AsyncIterable<RowBatch>,
    {
      origin,
      signal,
      file,
      account = ownAccount,
      untilClustered = false,
      isReplacing = false,
    }: AppendOptions,
  ): Promise<AppendResult> {
    const refusal = this.refusalOf(source.name) ?? this.#refusal;
    if (refusal !== undefined) return Promise.reject(refusal);
    if (isReplacing && !isReference(source)) return Promise.reject(notReplaced(source));
    const closing = this.#closing.signal;
    const result = append({
      instance: this.#database.instance,
      imports: (task) => this.#imports.run(account, task),
      writes: this.#writes,
      gate: this.#rowsGate,
      closedGate: this.#gate,
      changing: this.changing,
      source,
      present: () => this.#present(source),
      listTables: this.#listTables,
      batches,
      file,
      isReplacing,
      refuseWithoutSpace: () => this.#disk.refuseWithout(0),
      origin,
      storedOrigin: () => this.#origin,
      signal: signal === undefined ? closing : AbortSignal.any([closing, signal]),
    }).then(async (added) => {
      const { replaced = 0 } = added;
      if (added.imported + replaced > 0) {
        if (added.imported > 0) this.#origin = origin;
        this.#onChange([{ source: source.name }]);
        this.#checkpoints.committed(replaced);
        this.#compaction.added(source, added.imported);
        const { ordered, ended } = this.#compact(source);
        await (untilClustered ? ended : ordered);
      }
      return added;
    });
    result.catch((error) => {
      this.#noteFatal(error);
      // Callers get the error, but only the operator can solve the problem, unless it is the rows'.
      const isOfRows = error instanceof GatewayError && error.code === 'BAD_USER_INPUT';
      const cause = error instanceof GatewayError && !isOfRows ? error.details.cause : undefined;
      if (cause !== undefined)
        this.#log?.error('rows could not be added', { source: source.name, cause: String(cause) });
    });
    return this.#tracked(result);
  }

  ingest(batches: readonly IngestBatch[], account = ownAccount): Promise<readonly IngestCounts[]> {
    const refused = batches.flatMap(({ source }) => this.refusalOf(source.name) ?? []);
    const refusal = refused[0] ?? this.#refusal;
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#groups.add(batches, account);
  }

  async deleteRows(source: Source, rows: RowsToDelete, signal: AbortSignal): Promise<number> {
    const refusal = this.#hasFailed ? fatalError() : this.refusalOf(source.name);
    if (refusal !== undefined) throw refusal;
    const either = AbortSignal.any([this.#closing.signal, signal]);
    const deletion =
      'before' in rows
        ? this.#deleteBefore(source, rows.before, either)
        : this.#deletions.deleteKeys(source, rows.keys, either);
    deletion.catch((error) => this.#noteFatal(error));
    const deleted = await this.#tracked(deletion);
    // Old rows leave whole row groups empty.
    if ('keys' in rows) {
      if (deleted > 0) this.#onChange([{ source: source.name }]);
      this.#compaction.deleted(source);
      this.#compact(source);
    }
    return deleted;
  }

  async #deleteBefore(source: Source, before: bigint, signal: AbortSignal): Promise<number> {
    try {
      return await this.#deletions.deleteBefore(source, before, signal);
    } finally {
      // It deletes in parts, of which an aborted one has done some.
      this.#onChange([{ source: source.name }]);
    }
  }

  async countBefore(source: Source, before: bigint): Promise<number> {
    const refusal = this.refusalOf(source.name);
    if (refusal !== undefined) throw refusal;
    return await this.#deletions.countBefore(source, before);
  }

  /** Why no rows can be added. */
  get #refusal(): GatewayError | undefined {
    return this.#hasFailed ? fatalError() : this.#disk.refusal;
  }

  get disk(): DiskState | undefined {
    return this.#disk.state;
  }

  get waitingLength(): number {
    return this.#groups.waitingLength;
  }

  get cutBytes(): number {
    return this.#database.cutLogs.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async rowCounts(): Promise<ReadonlyMap<string, number>> {
    this.#closing.signal.throwIfAborted();
    return await this.#inSnapshot((connection) => rowCounts(connection, this.#available));
  }

  async sourceStates(): Promise<readonly SourceState[]> {
    this.#closing.signal.throwIfAborted();
    return await this.#inSnapshot((connection) => sourceStates(connection, this.#available));
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
    this.#disk.close();
    await this.#groups.close(error);
    await this.#retention.close();
    await Promise.all([...this.#tasks, ...[...this.#compacting.values()].map(({ ended }) => ended)]);
    this.#groupWriter?.close();
    await this.#checkpoints.close();
    this.#database.close();
  }

  /** Commits the rows of several requests. */
  async #commitGroup(batches: readonly IngestBatch[]): Promise<readonly IngestCounts[]> {
    // What the gateway itself records is neither made up nor imported.
    const areImported = (counts: readonly IngestCounts[]) =>
      batches.some(({ source }, at) => !isOwnSource(source) && (counts[at]?.imported ?? 0) > 0);
    try {
      const counts = await this.#writes(async () => {
        await this.#disk.refuseWithout(lengthOfBatches(batches));
        this.#groupWriter ??= await GroupWriter.create(this.#database.instance, this.#listTables);
        const writer = this.#groupWriter;
        const { connection } = writer;
        return await inTransaction(
          connection,
          () =>
            this.changing.gate(
              timesOf(batches),
              batches.some(({ source }) => isMerged(source)) ? this.#gate : this.#rowsGate,
            ),
          async () => {
            if (!batches.every(({ source }) => this.#hasForm(source))) throw new SourceChanged();
            const counts = await writer.add(batches);
            if (this.#origin !== 'imported' && areImported(counts)) await writeOrigin(connection, 'imported');
            return counts;
          },
        );
      });
      if (areImported(counts)) this.#origin = 'imported';
      this.#onChange(changesOf(batches, counts));
      this.#checkpoints.committed();
      for (const [i, { source }] of batches.entries()) {
        this.#compaction.added(source, counts[i]?.imported ?? 0);
        this.#compact(source);
      }
      return counts;
    } catch (error) {
      this.#noteFatal(error);
      const shortage = shortageError(error) ?? (this.#hasFailed ? fatalError(error) : undefined);
      if (shortage !== undefined) this.#log?.error('rows could not be added', { cause: String(error) });
      throw shortage ?? error;
    }
  }

  /** Runs a task that is no query, with a connection of its own. */
  async #inSnapshot<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#database.instance.connect();
    try {
      return await inSnapshot(connection, this.#gate, () => task(connection));
    } finally {
      connection.closeSync();
    }
  }

  /** A source as it is now. Undefined if it is gone. */
  #present({ name }: Source): Source | undefined {
    return this.#sources.find((source) => source.name === name);
  }

  /** Whether rows that were read for a source are rows of its present form. */
  #hasForm(source: Source): boolean {
    const present = this.#present(source);
    return present !== undefined && haveSameForm(present, source);
  }

  /** Makes closing wait for a task. */
  #tracked<T>(task: Promise<T>): Promise<T> {
    const settled = task.then(
      () => undefined,
      () => undefined,
    );
    this.#tasks.add(settled);
    void settled.then(() => this.#tasks.delete(settled));
    return task;
  }

  #noteFatal(error: unknown): void {
    if (this.#hasFailed || !isFatal(error)) return;
    this.#hasFailed = true;
    const cause = String(error instanceof GatewayError ? error.details.cause : error);
    this.#log?.error('the store has failed: it must be reopened before it can be read', {
      cause,
    });
  }

  /** Does what is worth doing to a source's tables, beside readers and writers. */
  #compact(source: Source): RunningCompaction {
    const running = this.#compacting.get(source.name);
    if (running !== undefined) return running;
    const signal = AbortSignal.any([this.#closing.signal, this.#compactionEnd.signal]);
    const { promise: ordered, resolve: onOrdered } = Promise.withResolvers<void>();
    const ended = this.#compaction
      .run(source, signal, onOrdered)
      .catch((error) => {
        this.#noteFatal(error);
        // The rows are committed. A table out of order is slower, but correct.
        if (signal.aborted) this.#compaction.postponed(source);
        else this.#log?.warn('a table could not be compacted', { source: source.name, error: String(error) });
      })
      .finally(() => {
        onOrdered();
        this.#compacting.delete(source.name);
      });
    const compacting = { ordered, ended };
    this.#compacting.set(source.name, compacting);
    return compacting;
  }
}

function notReplaced({ name }: Source): GatewayError {
  const message = `The rows of ${name} have times: they can't be replaced as a whole. Delete rows of it, or import into it without replacing.`;
  return new GatewayError('BAD_USER_INPUT', message);
}

function unavailableOf({ refused }: PreparedTables): ReadonlyMap<string, RefusedSource> {
  return new Map(refused.map((each) => [each.source, each]));
}
