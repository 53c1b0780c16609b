import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../base/system/clock.ts';

/** Milliseconds for which it is kept: a project may get more rows. */
const keptMs = 3_600_000;

/** Remembers how many last days had as many rows as a query wanted. */
export class NeededDays {
  readonly #known: LRUCache<string, number>;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#known = new LRUCache({ max: 10_000, ttl: keptMs, perf: { now: () => clock.elapsed() } });
  }

  /** Infinite if they need all rows. Undefined if nothing is known. */
  get(key: string): number | undefined {
    return this.#known.get(key);
  }

  set(key: string, days: number): void {
    this.#known.set(key, days);
  }
}
