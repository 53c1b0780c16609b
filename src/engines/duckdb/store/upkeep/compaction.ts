import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LimitFunction } from 'p-limit';
import type { Clock } from '../../../../base/system/clock.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { Clustering } from '../tables/clustering.ts';
import { keySql } from '../tables/key-sql.ts';
import { readBlocks } from '../tables/read-blocks.ts';
import { rowTables } from '../tables/row-table.ts';
import { countRows } from '../tables/table-state.ts';
import { timeBounds } from '../tables/time-bounds.ts';
import { blockRows, needsRewrite } from '../tables/time-order.ts';
import type { SnapshotGate } from '../transactions/snapshot-gate.ts';
import { inSnapshot } from '../transactions/transaction.ts';
import { fileSpace } from './file-space.ts';
import { type RowsToOrder, rewriteRows } from './rewrite-rows.ts';
import { groupsToMerge, isInGroup, readRowGroups } from './row-groups.ts';
import { blocksToCluster, readClusteredBlocks } from './unclustered-rows.ts';

/** New rows before the table's order is checked again, even for a small table. */
const leastInterval = 8192;
/** A check scans all timestamps. It runs whenever the table has grown by this part. */
const leastShare = 0.01;
/** Row groups are looked at after this many checkpoints that may have begun one, or after as many rows as one holds. */
const leastCheckpoints = 8;
/** Rows that are written in one transaction: two row groups take some seconds, and little memory. */
const stepRows = 2 * blockRows;

/** A commit waits so many milliseconds for readers to end, in which new ones wait. */
const patienceMs = 100;
/** Milliseconds until it tries again, in which readers and writers go on. */
const pauseMs = 400;
/** After half a minute with a reader in the way, the work is done for nothing. */
const attempts = 60;

interface CompactionOptions {
  readonly instance: DuckDBInstance;
  /** Lets one task work at a time that removes stored rows. Between two steps, others have their turn. */
  readonly removals: LimitFunction;
  /** Lets one writer commit at a time. */
  readonly writes: LimitFunction;
  readonly gate: SnapshotGate;
  readonly clock: Clock;
  /** Whether queries have run just now. */
  readonly isBusy: () => boolean;
  /** Whether the disk has space for so many bytes. */
  readonly hasRoom: (bytes: number) => Promise<boolean>;
  /** Called after each commit, with the number of rows whose former space is free. */
  readonly committed: (deleted: number) => void;
}

/** What has happened to a source since it was looked at. The first rows of a process always cause a look at the order. */
interface Growth {
  unordered: number;
  rows: number;
  checkpoints: number;
}

/**
 * Keeps tables in timestamp order, their row groups large, and the rows within them in the order of their source's clustering.
 * All is done beside readers and writers, in steps of a bounded size. A step that is not done is a loss of speed only.
 */
export class Compaction {
  readonly #options: CompactionOptions;
  readonly #growth = new Map<string, Growth>();

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /** Called after each commit, with the number of new rows. */
  added({ name }: Source, rows: number): void {
    const growth = this.#growth.get(name) ?? {
      unordered: Number.POSITIVE_INFINITY,
      rows: 0,
      checkpoints: 0,
    };
    this.#growth.set(name, growth);
    growth.unordered += rows;
    growth.rows += rows;
  }

  /** Called after rows were deleted here and there: row groups with few left are merged. */
  deleted(source: Source): void {
    this.added(source, blockRows);
  }

  /** Called when a run was aborted: the next one does what is left. */
  postponed(source: Source): void {
    this.added(source, Number.POSITIVE_INFINITY);
  }

  /** Called after each checkpoint. */
  checkpointed(): void {
    for (const growth of this.#growth.values()) if (growth.rows > 0) growth.checkpoints += 1;
  }

  /**
   * Does what is worth doing to a source.
   *
   * @param onOrdered called when its rows are in timestamp order
   */
  async run(source: Source, signal: AbortSignal, onOrdered: () => void): Promise<void> {
    const growth = this.#growth.get(source.name);
    if (
      growth === undefined ||
      keySql(source).timeName === undefined ||
      !(isOrderDue(growth) || isMergeDue(growth))
    )
      return;
    const connection = await this.#options.instance.connect();
    const interrupt = () => connection.interrupt();
    signal.addEventListener('abort', interrupt);
    try {
      signal.throwIfAborted();
      const clustering = new Clustering(source);
      for (const tasks of await this.#due(connection, source, growth)) {
        for (const task of tasks)
          for (const table of rowTables(source)) await task(connection, { table, clustering }, signal);
        onOrdered();
      }
    } finally {
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  }

  /** What to do for the order of timestamps, and afterwards. */
  async #due(connection: DuckDBConnection, source: Source, growth: Growth): Promise<Task[][]> {
    const tasks: Task[] = [];
    const later: Task[] = [];
    if (isOrderDue(growth)) {
      let rows = 0;
      for (const table of rowTables(source))
        rows += await this.#read(connection, () => countRows(connection, table));
      if (growth.unordered >= rows * leastShare) {
        growth.unordered = 0;
        tasks.push(this.#putInOrder);
        if (source.clustering !== undefined) later.push(this.#cluster);
      }
    }
    if (isMergeDue(growth)) {
      growth.rows = 0;
      growth.checkpoints = 0;
      tasks.push(this.#mergeGroups);
    }
    return [tasks, later];
  }

  readonly #mergeGroups: Task = async (connection, order, signal) => {
    const small = async () => groupsToMerge(await readRowGroups(connection, order.table)).map(isInGroup);
    while ((await this.#rewrite(connection, order, small, signal)) > 0);
  };

  /** Rewrites all rows, if they are in no order of time. */
  readonly #putInOrder: Task = async (connection, order, signal) => {
    const { table, clustering } = order;
    const blocks = await this.#read(connection, () => readBlocks(connection, table.sql, clustering.time));
    if (!needsRewrite(blocks, clustering.maxDepth)) return;
    const bounds = await this.#read(connection, () =>
      timeBounds(connection, table.sql, clustering.time, stepRows),
    );
    for (const [i, start] of [undefined, ...bounds].entries())
      await this.#rewrite(connection, order, async () => [within(clustering.time, start, bounds[i])], signal);
  };

  /** Rewrites rows that are in no order but that of time. */
  readonly #cluster: Task = async (connection, order, signal) => {
    const { table, clustering } = order;
    const read = () => readClusteredBlocks(connection, table.sql, clustering);
    for (const { from, to } of blocksToCluster(await this.#read(connection, read), !this.#options.isBusy()))
      await this.#rewrite(connection, order, async () => [`rowid >= ${from} AND rowid < ${to}`], signal);
  };

  async #rewrite(
    connection: DuckDBConnection,
    order: RowsToOrder,
    conditions: () => Promise<readonly string[]>,
    signal: AbortSignal,
  ): Promise<number> {
    const { removals, hasRoom, committed } = this.#options;
    return await removals(async () => {
      signal.throwIfAborted();
      if (!(await hasRoom(await this.#read(connection, () => stepBytes(connection))))) return 0;
      const commit = (task: () => Promise<void>) => this.#commit(task, signal);
      const rows = await rewriteRows(connection, order, conditions, { commit });
      committed(rows);
      return rows;
    });
  }

  #read<T>(connection: DuckDBConnection, task: () => Promise<T>): Promise<T> {
    return inSnapshot(connection, this.#options.gate, task);
  }

  /** Commits at a moment without readers. */
  async #commit(task: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { writes, gate, clock } = this.#options;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const patience = new Promise<void>((resolve) => void clock.after(patienceMs, resolve));
      if (await writes(() => gate.commitAlone(task, patience))) return;
      await clock.sleep(pauseMs, signal);
    }
    throw new Error('there was no moment without readers');
  }
}

type Task = (connection: DuckDBConnection, order: RowsToOrder, signal: AbortSignal) => Promise<void>;

function isOrderDue({ unordered }: Growth): boolean {
  return unordered >= leastInterval;
}

function isMergeDue({ rows, checkpoints }: Growth): boolean {
  return rows >= blockRows || checkpoints >= leastCheckpoints;
}

/** Rows of some sources are so many times as large in the file as others. */
const maxOverAverage = 4;
/** Bytes of a column of a row in the write-ahead log, which isn't compressed. */
const columnBytes = 8;

/** About the most bytes that a step takes: in the file, and in the write-ahead log for rows that don't fill a row group. */
async function stepBytes(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT coalesce(sum(estimated_size), 0), coalesce(max(column_count), 0) FROM duckdb_tables()
     WHERE database_name = current_database()`,
  );
  const [rows = 0, columns = 0] = reader.getRows()[0]?.map(Number) ?? [];
  if (rows === 0) return 0;
  const { usedBytes } = await fileSpace(connection);
  const inFile = maxOverAverage * usedBytes * Math.min(1, stepRows / rows);
  return inFile + Math.min(rows, blockRows) * columns * columnBytes;
}

/** The condition, as SQL, that a row is not before a time, and before another. */
function within(time: string, from: string | undefined, to: string | undefined): string {
  const conditions = [from && `${time} >= ${from}`, to && `${time} < ${to}`];
  return conditions.filter((condition) => condition !== undefined).join(' AND ') || 'true';
}
