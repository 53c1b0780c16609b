/** How long functions may keep the event loop to themselves. */
const maxTurnMs = 4000;

/**
 * Functions run on the event loop, called by DuckDB's threads again and again: Node takes up to a thousand of
 * these calls before it looks at anything else. Work that would hold up the whole gateway is given up.
 */
export class WorkLimit {
  readonly #elapsed: () => number;
  #began: number | undefined;

  /** @param elapsed milliseconds that only go forward */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Whether there has been too much work since the event loop last got to do something else. */
  isExceeded(): boolean {
    const now = this.#elapsed();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    return now - this.#began > maxTurnMs;
  }
}
