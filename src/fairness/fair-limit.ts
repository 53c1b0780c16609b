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

  /** Runs a task when it is the account's turn. Settles as the task does. */
  async run<T>(account: Account, task: () => Promise<T>): Promise<T> {
    if (this.#isRunning) await new Promise<void>((start) => this.#waiting.add(account, start, 0));
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
}
