import type { DuckDBInstance } from '@duckdb/node-api';
import type { LimitFunction } from 'p-limit';
import type { Clock } from '../../../../base/system/clock.ts';
import { sizeOfFile } from '../../../../base/system/exists.ts';
import type { Log } from '../../../../base/terminal/log.ts';
import { writeForCheckpoint } from '../tables/metadata.ts';
import { blockRows } from '../tables/time-order.ts';
import type { SnapshotGate } from '../transactions/snapshot-gate.ts';
import type { DiskState } from './disk-monitor.ts';

/**
 * The size of the write-ahead log that causes a checkpoint. No writer can work during one, and its time grows with the log:
 * 0.2 seconds of a processor for this size.
 */
const logBytes = 16 * 1024 * 1024;

/** Milliseconds that a checkpoint waits for readers to end, so that it can free the space of deleted rows. */
const patienceMs = 250;
/** Milliseconds between two such checkpoints. */
const intervalMs = 20_000;
/** Milliseconds after which new readers no longer wait for a checkpoint: it has surely begun. */
const longestMs = 100;

/** What a checkpoint writes besides the rows of the log, in bytes. */
const metadataBytes = 1_000_000;

interface CheckpointsOptions {
  readonly instance: DuckDBInstance;
  /** The store's file. */
  readonly file: string;
  readonly writes: LimitFunction;
  readonly gate: SnapshotGate;
  readonly clock: Clock;
  readonly log: Log | undefined;
  readonly onError: (error: unknown) => void;
  /** Called after each checkpoint. */
  readonly onCheckpoint?: (() => void) | undefined;
  readonly logBytes?: number | undefined;
  /** How the store's disk limits the work. */
  readonly disk: {
    /** The rest of the space; undefined if unknown. */
    readonly state: DiskState | undefined;
    canWrite(bytes: number): Promise<boolean>;
  };
}

/**
 * Moves committed rows from the write-ahead log into the store's file, in the background. DuckDB would do it in the midst of
 * a commit.
 *
 * A checkpoint drops row groups without rows, so that their space is used again, only if no reader has a transaction.
 * Otherwise the next one tries it.
 */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #logBytes: number;
  /** Rows that were deleted since their space could last be freed. */
  #deleted = 0;
  #removals = 0;
  #nextAlone = Number.NEGATIVE_INFINITY;
  #held = 0;
  #released = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#logBytes = options.logBytes ?? logBytes;
  }

  /** How often rows were deleted, or their space was freed. */
  get removals(): number {
    return this.#removals;
  }

  /** Called after each commit, with the number of rows that it deleted. */
  committed(deleted = 0): void {
    this.#deleted += deleted;
    if (deleted > 0) this.#removals += 1;
    if (this.#isClosed || this.#held > 0 || this.#running !== undefined) return;
    this.#running = this.#whenNeeded()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /**
   * Runs a task without any checkpoint meanwhile. What the last checkpoint has written into the store's file stays as it
   * is, and so does what commits since then have written. The write-ahead log only grows.
   */
  async hold<T>(task: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      await this.#running;
      return await task();
    } finally {
      this.#held -= 1;
      if (this.#held === 0) {
        this.#released.resolve();
        this.#released = Promise.withResolvers();
        this.committed();
      }
    }
  }

  /** The last checkpoint: as closing would do it, but without blocking the process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    while (this.#held > 0) await this.#released.promise;
    await this.#run().catch((error) => this.#failed(error));
  }

  async #whenNeeded(): Promise<void> {
    if (!(await this.#isNeeded())) return;
    await this.#options.writes(() => this.#run());
    this.#options.onCheckpoint?.();
  }

  async #isNeeded(): Promise<boolean> {
    const { state } = this.#options.disk;
    const enough = state?.isFull === true ? 1 : blockRows;
    if (this.#deleted >= enough && this.#mayBeAlone) return true;
    // The reserve must have space for what the log has.
    const max = Math.min(this.#logBytes, (state?.reservedBytes ?? Number.POSITIVE_INFINITY) / 2);
    return (await this.#logSize()) >= max;
  }

  #logSize(): Promise<number> {
    return sizeOfFile(`${this.#options.file}.wal`);
  }

  get #mayBeAlone(): boolean {
    return this.#deleted > 0 && this.#options.clock.elapsed() >= this.#nextAlone;
  }

  async #run(): Promise<void> {
    const { instance, gate, clock, disk } = this.#options;
    // After an incomplete checkpoint, the store would have to be opened again. The rows are safe in the log.
    if (!(await disk.canWrite((await this.#logSize()) + metadataBytes))) return;
    const connection = await instance.connect();
    const checkpoint = async () => void (await connection.run('CHECKPOINT'));
    const mayFree = this.#deleted > 0;
    try {
      if (!this.#mayBeAlone) return await checkpoint();
      this.#nextAlone = clock.elapsed() + intervalMs;
      const wait = (milliseconds: number) =>
        new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
      await writeForCheckpoint(connection);
      const isFreed = await gate.alone(checkpoint, {
        patience: wait(patienceMs),
        longest: () => wait(longestMs),
      });
      this.#deleted = isFreed ? 0 : 1;
    } finally {
      if (mayFree) this.#removals += 1;
      connection.closeSync();
    }
  }

  #failed(error: unknown): void {
    this.#options.onError(error);
    this.#options.log?.warn('a checkpoint of the store failed', { error: String(error) });
  }
}
