import pLimit, { type LimitFunction } from 'p-limit';
import type { KeyedQuery } from '../executor/entries/query-key.ts';

/** Works on queries in order of arrival, a bounded number at a time. */
export class BackgroundRuns<Item extends { readonly keyedQuery: KeyedQuery }> {
  readonly #limit: LimitFunction;
  readonly #work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly #waiting = new Map<string, Item>();
  readonly #running = new Map<string, { readonly item: Item; readonly controller: AbortController }>();

  /** @param work never rejects */
  constructor(maxRunning: number, work: (item: Item, signal: AbortSignal) => Promise<void>) {
    this.#limit = pLimit(maxRunning);
    this.#work = work;
  }

  /** Adds the item, unless its query is running or waiting. */
  add(item: Item): void {
    const { key } = item.keyedQuery;
    if (this.#running.has(key) || this.#waiting.has(key)) return;
    this.#waiting.set(key, item);
    void this.#limit(() => this.#runFirst());
  }

  /** Removes the query from the waiting ones. */
  remove(key: string): void {
    this.#waiting.delete(key);
  }

  /** Removes waiting items, and aborts running ones, for which the function returns true. */
  abort(isAborted: (keyedQuery: KeyedQuery) => boolean): void {
    for (const [key, { keyedQuery }] of this.#waiting) if (isAborted(keyedQuery)) this.#waiting.delete(key);
    for (const { item, controller } of this.#running.values()) {
      if (isAborted(item.keyedQuery)) controller.abort(new Error('it is no longer needed'));
    }
  }

  /** Runs the item that has waited longest. There is none if it was removed. */
  async #runFirst(): Promise<void> {
    const [item] = this.#waiting.values();
    if (item === undefined) return;
    const { key } = item.keyedQuery;
    const controller = new AbortController();
    this.#waiting.delete(key);
    this.#running.set(key, { item, controller });
    await this.#work(item, controller.signal);
    this.#running.delete(key);
  }
}
