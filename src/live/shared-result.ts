import type { ExecutorResult } from '../executor/executor.ts';
import type { SharedMemory } from '../memory/shared-memory.ts';
import type { Watcher } from './watchers.ts';

/** A result while any watcher still needs it. Its memory counts for those. */
export class SharedResult {
  readonly #memory: SharedMemory;
  readonly #uses = new Map<Watcher, Disposable>();
  #result: ExecutorResult | undefined;

  constructor(result: ExecutorResult, memory: SharedMemory) {
    this.#result = result;
    this.#memory = memory;
  }

  /** Undefined once nobody needs it any more. */
  get result(): ExecutorResult | undefined {
    return this.#result;
  }

  isFor(watcher: Watcher): boolean {
    return this.#uses.has(watcher);
  }

  /** Keeps the result for a watcher. One for whom there is no memory is ended. */
  keepFor(watcher: Watcher): void {
    if (this.#result === undefined || this.#uses.has(watcher)) return;
    const { rows } = this.#result;
    try {
      this.#uses.set(watcher, this.#memory.use(watcher.caller.account, rows, rows.bytes, watcher.fail));
    } catch (error) {
      watcher.fail(error);
    }
  }

  /** The watcher has its event, or doesn't want it any more. */
  release(watcher: Watcher): void {
    this.#uses.get(watcher)?.[Symbol.dispose]();
    this.#uses.delete(watcher);
    this.dropUnused();
  }

  /** Forgets the result if nobody needs it. */
  dropUnused(): void {
    if (this.#uses.size === 0) this.#result = undefined;
  }
}
