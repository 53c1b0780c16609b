/**
 * Lets so much work go on at the same time; the rest waits, first come, first served, however much it is. It keeps what the
 * gateway itself asks for, such as all endpoints at once, within what a process bears; callers' queries are let wait, and
 * refused, by the queue in front (`cli/planning-queue.ts`).
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Does the work when its turn has come, and gives its outcome. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn goes to the next one, which nobody may come in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
