import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LimitFunction } from 'p-limit';
import type { Source } from '../../../../definitions/sources/source.ts';
import { readFutureSeen, writeFutureSeen } from '../tables/metadata.ts';
import type { SnapshotGate } from '../transactions/snapshot-gate.ts';
import { inTransaction } from '../transactions/transaction.ts';
import type { Deletions } from './deletions.ts';

interface FutureRowsOptions {
  readonly instance: DuckDBInstance;
  readonly deletions: Pick<Deletions, 'hasAfter' | 'deleteAfter'>;
  readonly writes: LimitFunction;
  readonly gate: SnapshotGate;
}

/** Times in microseconds since the epoch. */
export interface FutureTimes {
  readonly now: bigint;
  /** Rows after this time are too far ahead of the clock to be new. */
  readonly after: bigint;
  /** They are deleted if such rows were first seen before this time. */
  readonly seenBefore: bigint;
}

/**
 * Rows so far ahead of the clock that no row with such a time can arrive: they came before there was a limit, or with another
 * limit or clock. Their age is unknown, so it counts from when they were first seen. The store remembers that for each source.
 */
export class FutureRows {
  readonly #options: FutureRowsOptions;
  /** When such rows of a source were first seen, by its name. */
  readonly #seen = new Map<string, bigint | undefined>();

  constructor(options: FutureRowsOptions) {
    this.#options = options;
  }

  /** Deletes these rows if they were seen long enough ago. Returns how many. */
  async delete(
    source: Source,
    { now, after, seenBefore }: FutureTimes,
    signal: AbortSignal,
  ): Promise<number> {
    const { deletions } = this.#options;
    const seen = await this.#seenOf(source);
    if (!(await deletions.hasAfter(source, after))) {
      if (seen !== undefined) await this.#note(source, undefined);
      return 0;
    }
    // The clock was ahead when they were seen.
    if (seen === undefined || seen > now) {
      await this.#note(source, now);
      return 0;
    }
    return seen < seenBefore ? await deletions.deleteAfter(source, after, signal) : 0;
  }

  async #seenOf({ name }: Source): Promise<bigint | undefined> {
    if (!this.#seen.has(name))
      this.#seen.set(name, await this.#connected((connection) => readFutureSeen(connection, name)));
    return this.#seen.get(name);
  }

  async #note({ name }: Source, seen: bigint | undefined): Promise<void> {
    const { writes, gate } = this.#options;
    await this.#connected((connection) =>
      writes(() =>
        inTransaction(
          connection,
          () => gate,
          () => writeFutureSeen(connection, name, seen),
        ),
      ),
    );
    this.#seen.set(name, seen);
  }

  async #connected<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#options.instance.connect();
    try {
      return await task(connection);
    } finally {
      connection.closeSync();
    }
  }
}
