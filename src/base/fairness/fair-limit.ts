import type { Account } from './account.ts';
import { FairQueue } from './fair-queue.ts';

interface FairLimitOptions {
  /** How many tasks run at the same time. */
  readonly atOnce?: number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
}

/** Runs one task at a time, or a few. Accounts take turns, by the time that their tasks take. */
export class FairLimit {
  readonly #waiting = new FairQueue<() => void>();
  readonly #atOnce: number;
  readonly #elapsed: () => number;
  #running = 0;

  constructor({ atOnce = 1, elapsed = () => performance.now() }: FairLimitOptions = {}) {
    this.#atOnce = atOnce;
    this.#elapsed = elapsed;
  }

  /** Whether the next task would wait. */
  get isFull(): boolean {
    return this.#running >= this.#atOnce;
  }

  /**
   * Runs a task when it is the account's turn. Settles as the task does.
   *
   * @param signal aborting it ends the wait for the turn, with its reason
   */
  async run<T>(account: Account, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    // One that has waited takes the place of the task that has ended.
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#turn(account, signal);
    const began = this.#elapsed();
    try {
      return await task();
    } finally {
      this.#waiting.charge(account, this.#elapsed() - began);
      const next = this.#waiting.next();
      if (next === undefined) this.#running -= 1;
      else next.item();
    }
  }

  #turn(account: Account, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      // Its cost is known when it has run.
      this.#waiting.add(account, begin, 0);
    });
  }
}
