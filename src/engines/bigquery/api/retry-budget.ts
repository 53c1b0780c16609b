import type { Clock } from '../../../base/system/clock.ts';
import { SlidingCount } from './sliding-count.ts';

const windowMs = 10_000;
const share = 0.1;
/** Always permitted: a tenth of a few calls would be none. */
const floor = 20;

/**
 * Keeps retries from multiplying the load on a failing BigQuery: within 10 s they are at most a tenth of the calls, or
 * 20.
 */
export class RetryBudget {
  readonly #calls: SlidingCount;
  readonly #retries: SlidingCount;

  constructor(clock: Clock) {
    this.#calls = new SlidingCount(clock, windowMs);
    this.#retries = new SlidingCount(clock, windowMs);
  }

  countCall(): void {
    this.#calls.add();
  }

  /** Takes one retry from the budget. Returns false if it is exhausted. */
  take(): boolean {
    if (this.#retries.value >= Math.max(floor, Math.floor(this.#calls.value * share))) return false;
    this.#retries.add();
    return true;
  }
}
