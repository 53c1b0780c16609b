import type { SharedMemory } from '../../base/memory/shared-memory.ts';
import type { ExecutorResult } from '../executor/executor.ts';
import type { Watcher } from './watchers.ts';

/** A result, while watchers wait for it. Its memory counts for those who wait, and for those who are being sent it. */
export class WaitingResult {
  readonly #memory: SharedMemory;
  readonly #waiting = new Map<Watcher, Disposable>();
  #result: ExecutorResult | undefined;

  constructor(result: ExecutorResult, memory: SharedMemory) {
    this.#result = result;
    this.#memory = memory;
  }

  isFor(watcher: Watcher): boolean {
    return this.#waiting.has(watcher);
  }

  /**
   * Keeps the result for a watcher. One for whom there is no memory is ended.
   *
   * @returns whether the result is there
   */
  keepFor(watcher: Watcher): boolean {
    if (this.#result === undefined) return false;
    const { rows } = this.#result;
    try {
      this.#waiting.set(
        watcher,
        this.#memory.use(watcher.call.payer.account, rows, rows.bytes, watcher.fail),
      );
    } catch (error) {
      watcher.fail(error);
    }
    return true;
  }

  /** Hands the result over, with its use of the memory. */
  take(watcher: Watcher): (Disposable & { readonly result: ExecutorResult }) | undefined {
    const use = this.#waiting.get(watcher);
    const result = this.#result;
    this.#waiting.delete(watcher);
    this.forgetUnused();
    return use && result && { result, [Symbol.dispose]: () => use[Symbol.dispose]() };
  }

  /** The watcher doesn't want it any more. */
  release(watcher: Watcher): void {
    this.take(watcher)?.[Symbol.dispose]();
  }

  /** Forgets the result if nobody waits for it. */
  forgetUnused(): void {
    if (this.#waiting.size === 0) this.#result = undefined;
  }
}
