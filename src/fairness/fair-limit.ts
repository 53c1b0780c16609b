import type { Account } from './account.ts';
import { FairQueue } from './fair-queue.ts';

/** Runs one task at a time. Accounts take turns, by the time that their tasks take. */
export class FairLimit {
  readonly #waiting = new FairQueue<() => void>();
  readonly #elapsed: () => number;
  #isRunning = false;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /**
   * Runs a task when it is the account's turn. Settles as the task does.
   *
   * @param signal aborting it ends the wait for the turn, with its reason
   */
  async run<T>(account: Account, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#isRunning) await this.#turn(account, signal);
    this.#isRunning = true;
    const began = this.#elapsed();
    try {
      return await task();
    } finally {
      this.#waiting.charge(account, this.#elapsed() - began);
      const next = this.#waiting.next();
      if (next === undefined) this.#isRunning = false;
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
