import type { ExecutorCaller } from '../executor/executor.ts';

/** One who watches. */
export interface Watcher {
  /** Whose budget runs may use. */
  readonly caller: ExecutorCaller;
  /** Milliseconds between two events, at least. */
  readonly intervalMs: number;
  /** Aborted at the end of this one's stream, whatever ends it. */
  readonly signal: AbortSignal;
  /** Ends this one's stream with an error. */
  readonly fail: (error: unknown) => void;
}

/** Those who watch the same question, each with what it waits by. */
export class Watchers {
  readonly #watchers = new Map<Watcher, PromiseWithResolvers<void> | undefined>();

  get size(): number {
    return this.#watchers.size;
  }

  /** The shortest interval that anyone asks for, in milliseconds. */
  get intervalMs(): number {
    return this.#watchers.keys().reduce((least, { intervalMs }) => Math.min(least, intervalMs), Infinity);
  }

  /** The one whose turn it is to pay for a run. */
  next(): Watcher | undefined {
    const [first] = this.#watchers;
    if (first === undefined) return undefined;
    const [watcher, waiting] = first;
    // The next run is another one's.
    this.#watchers.delete(watcher);
    this.#watchers.set(watcher, waiting);
    return watcher;
  }

  all(): Iterable<Watcher> {
    return this.#watchers.keys();
  }

  add(watcher: Watcher): void {
    this.#watchers.set(watcher, undefined);
  }

  /** Ends the wait of one who leaves with the reason of its signal. */
  delete(watcher: Watcher): void {
    this.#watchers.get(watcher)?.reject(watcher.signal.reason);
    this.#watchers.delete(watcher);
  }

  /** Ends the streams of all with an error. */
  fail(error: unknown): void {
    for (const watcher of [...this.#watchers.keys()]) watcher.fail(error);
  }

  /** Tells all that there is something new. */
  tell(): void {
    for (const [watcher, waiting] of this.#watchers) {
      if (waiting === undefined) continue;
      this.#watchers.set(watcher, undefined);
      waiting.resolve();
    }
  }

  /** Waits until there is something new. Rejects with the reason of the watcher's signal. */
  untilTold(watcher: Watcher): Promise<void> {
    // One who has left is not to be waited for, and would never be told.
    if (!this.#watchers.has(watcher)) return Promise.reject(watcher.signal.reason);
    const waiting = Promise.withResolvers<void>();
    this.#watchers.set(watcher, waiting);
    return waiting.promise;
  }
}
