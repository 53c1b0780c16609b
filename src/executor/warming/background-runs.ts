import pLimit, { type LimitFunction } from 'p-limit';
import type { Question } from '../cache/query-key.ts';

/** Works on questions, a bounded number at a time, those first that came first. */
export class BackgroundRuns<Item extends { readonly question: Question }> {
  readonly #limit: LimitFunction;
  readonly #work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly #waiting = new Map<string, Item>();
  readonly #running = new Map<string, { readonly item: Item; readonly controller: AbortController }>();

  /** @param work never rejects */
  constructor(maxRunning: number, work: (item: Item, signal: AbortSignal) => Promise<void>) {
    this.#limit = pLimit(maxRunning);
    this.#work = work;
  }

  /** Takes the item, unless its question runs or waits already. */
  add(item: Item): void {
    const { key } = item.question;
    if (this.#running.has(key) || this.#waiting.has(key)) return;
    this.#waiting.set(key, item);
    void this.#limit(() => this.#runFirst());
  }

  /** Removes the question from those that wait. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /** Removes waiting items, and aborts running ones, for which the function returns true. */
  abort(isAborted: (question: Question) => boolean): void {
    for (const [key, { question }] of this.#waiting) if (isAborted(question)) this.#waiting.delete(key);
    for (const { item, controller } of this.#running.values()) {
      if (isAborted(item.question)) controller.abort(new Error('nobody wants it any more'));
    }
  }

  /** Runs the item that has waited longest. There is none when one was removed. */
  async #runFirst(): Promise<void> {
    const [item] = this.#waiting.values();
    if (item === undefined) return;
    const { key } = item.question;
    const controller = new AbortController();
    this.#waiting.delete(key);
    this.#running.set(key, { item, controller });
    await this.#work(item, controller.signal);
    this.#running.delete(key);
  }
}
