import type { Account } from './account.ts';
import { FairQueue } from './fair-queue.ts';

/** How long requests may begin one after the other before the event loop does other work, in milliseconds. */
const sliceMs = 5;
/** So many requests that wait can begin in one iteration of the event loop. */
const maxPerIteration = 16;

interface LoopTurnsOptions {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
  /** Calls a function after the events that are there have been processed. */
  readonly afterEvents?: (act: () => void) => void;
}

/**
 * The event loop as a queue. While it is idle, requests begin at once. Once it is busy, they wait: keys take turns by the time
 * that their requests occupy it, and between slices it processes events, such as health checks.
 */
export class LoopTurns {
  readonly #waiting = new FairQueue<() => void>();
  readonly #elapsed: () => number;
  readonly #afterEvents: (act: () => void) => void;
  /** When the present slice began; undefined if there is none. */
  #began: number | undefined;
  #scheduled = 0;
  /** The request that began last after it had waited. */
  #latest: { readonly account: Account; readonly began: number } | undefined;

  constructor({ elapsed = () => performance.now(), afterEvents = setImmediate }: LoopTurnsOptions = {}) {
    this.#elapsed = elapsed;
    this.#afterEvents = afterEvents;
  }

  /** Waits for a request's turn; undefined if it can begin at once. */
  take(account: Account): Promise<void> | undefined {
    if (this.#waiting.size === 0 && !this.#isSliceOver()) return undefined;
    return new Promise((resolve) => {
      this.#waiting.add(account, resolve, 0);
      this.#schedule();
    });
  }

  /** Begins a slice if there is none. */
  #isSliceOver(): boolean {
    if (this.#began !== undefined) return this.#elapsed() - this.#began >= sliceMs;
    this.#began = this.#elapsed();
    this.#afterEvents(() => {
      this.#began = undefined;
    });
    return false;
  }

  #schedule(): void {
    while (this.#scheduled < Math.min(this.#waiting.size, maxPerIteration)) {
      this.#scheduled += 1;
      this.#afterEvents(() => this.#serve());
    }
  }

  /** Its promise's reactions run before the next function that waits for events is called. */
  #serve(): void {
    this.#scheduled -= 1;
    const now = this.#elapsed();
    if (this.#latest !== undefined) this.#waiting.charge(this.#latest.account, now - this.#latest.began);
    this.#latest = undefined;
    const next = this.#isSliceOver() ? undefined : this.#waiting.next();
    if (next !== undefined) {
      this.#latest = { account: next.account, began: now };
      next.item();
    }
    this.#schedule();
  }
}

/** The turns of this process: it has one event loop. */
export const loopTurns = new LoopTurns();
