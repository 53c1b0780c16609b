import type { Clock } from '../../../../base/clock/clock.ts';

const lifetimeMs = 60_000;

interface SeenIds {
  /** Returns whether the id is new, and remembers it. */
  take(insertId: string): boolean;
  forget(insertId: string): void;
}

/**
 * The insert ids of streamed rows, for a minute.
 *
 * Source: https://cloud.google.com/bigquery/docs/streaming-data-into-bigquery#dataconsistency ("at least one minute")
 */
export class InsertIds {
  /** The time of each id, oldest first. */
  readonly #times = new Map<string, number>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Those of a table. */
  of(table: string): SeenIds {
    const now = this.#clock.now();
    for (const [key, time] of this.#times) {
      if (now - time < lifetimeMs) break;
      this.#times.delete(key);
    }
    const keyOf = (insertId: string) => `${table} ${insertId}`;
    return {
      take: (insertId) => {
        const key = keyOf(insertId);
        if (this.#times.has(key)) return false;
        this.#times.set(key, now);
        return true;
      },
      forget: (insertId) => void this.#times.delete(keyOf(insertId)),
    };
  }
}
