import type { Question } from '../question.ts';

/** Works on questions, a bounded number at a time, those first that came first. */
export class BackgroundRuns<Item extends { readonly question: Question }> {
  readonly #maxRunning: number;
  readonly #work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly #waiting = new Map<string, Item>();
  readonly #running = new Map<string, { readonly item: Item; readonly controller: AbortController }>();

  /** @param work never rejects */
  constructor(maxRunning: number, work: (item: Item, signal: AbortSignal) => Promise<void>) {
    this.#maxRunning = maxRunning;
    this.#work = work;
  }

  /** Takes the item, unless its question runs or waits already. */
  add(item: Item): void {
    const { key } = item.question;
    if (this.#running.has(key) || this.#waiting.has(key)) return;
    this.#waiting.set(key, item);
    this.#fill();
  }

  /** Lets the question wait no longer. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /** Gives up what the function says yes to, whether it runs or waits. */
  abort(isAborted: (question: Question) => boolean): void {
    for (const [key, { question }] of this.#waiting) if (isAborted(question)) this.#waiting.delete(key);
    for (const { item, controller } of this.#running.values()) {
      if (isAborted(item.question)) controller.abort(new Error('nobody wants it any more'));
    }
  }

  #fill(): void {
    for (const [key, item] of this.#waiting) {
      if (this.#running.size >= this.#maxRunning) return;
      this.#waiting.delete(key);
      void this.#run(key, item);
    }
  }

  async #run(key: string, item: Item): Promise<void> {
    const controller = new AbortController();
    this.#running.set(key, { item, controller });
    try {
      await this.#work(item, controller.signal);
    } finally {
      this.#running.delete(key);
      this.#fill();
    }
  }
}
