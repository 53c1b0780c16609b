/** How long functions may keep the event loop to themselves. */
const maxTurnMs = 4000;

/** Milliseconds of such a turn after which what can't wait is done, again and again. */
const meanwhileEveryMs = 10;

/**
 * Functions run on the event loop, called by DuckDB's threads again and again: Node takes up to a thousand of
 * these calls before it looks at anything else. Work that would hold up the whole engine process is stopped.
 */
export class WorkLimit {
  readonly #elapsed: () => number;
  readonly #meanwhile: () => void;
  #began: number | undefined;
  #meanwhileAt = 0;

  /**
   * @param elapsed milliseconds that only go forward
   * @param meanwhile what can't wait until the event loop gets to do something else
   */
  constructor(elapsed: () => number, meanwhile: () => void = () => {}) {
    this.#elapsed = elapsed;
    this.#meanwhile = meanwhile;
  }

  /**
   * Some more work is going to be done.
   *
   * @returns what the clock says
   */
  goOn(): number {
    const now = this.#elapsed();
    if (this.#began === undefined) {
      this.#began = now;
      this.#meanwhileAt = now;
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    if (now - this.#meanwhileAt >= meanwhileEveryMs) {
      this.#meanwhileAt = now;
      this.#meanwhile();
    }
    return now;
  }

  /** For how long the event loop has not got to do anything else, in milliseconds. */
  turnMs(now: number): number {
    return this.#began === undefined ? 0 : now - this.#began;
  }

  /** Whether there has been too much work since the event loop last got to do something else. */
  isExceeded(now: number): boolean {
    return this.turnMs(now) > maxTurnMs;
  }
}
