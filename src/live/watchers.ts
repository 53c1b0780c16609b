import { raceWithAbort } from '../async/race-with-abort.ts';
import type { ExecutorCaller } from '../executor/executor.ts';

/** One who watches: whose budget runs may use. */
export interface Watcher {
  readonly caller: ExecutorCaller;
  /** Milliseconds between two events, at least. */
  readonly intervalMs: number;
  /** Ends this one's stream with an error. */
  readonly fail: (error: unknown) => void;
}

/** Those who watch the same question. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();
  #news = Promise.withResolvers<void>();

  get size(): number {
    return this.#watchers.size;
  }

  /** The shortest interval that anyone asks for, in milliseconds. */
  get intervalMs(): number {
    return this.#watchers.values().reduce((least, { intervalMs }) => Math.min(least, intervalMs), Infinity);
  }

  /** The one whose turn it is to pay for a run. */
  next(): Watcher | undefined {
    const [first] = this.#watchers;
    if (first === undefined) return undefined;
    // The next run is another one's.
    this.#watchers.delete(first);
    this.#watchers.add(first);
    return first;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  delete(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }

  /** Ends the streams of all with an error. */
  fail(error: unknown): void {
    for (const watcher of [...this.#watchers]) watcher.fail(error);
  }

  /** Tells all that there is something new. */
  tell(): void {
    const { resolve } = this.#news;
    this.#news = Promise.withResolvers();
    resolve();
  }

  /** Waits until there is something new. Rejects with the signal's reason. */
  untilTold(signal: AbortSignal): Promise<void> {
    const { promise } = this.#news;
    return raceWithAbort(() => promise, signal);
  }
}
