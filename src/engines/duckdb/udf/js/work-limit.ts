/** The maximum time for which functions may block the event loop, in milliseconds. */
const maxTurnMs = 4000;

/** Milliseconds between urgent tasks while functions block the event loop. */
const meanwhileEveryMs = 10;

/**
 * Limits how long functions block the event loop. DuckDB's threads call them repeatedly, and Node processes up to a
 * thousand of these calls in a row. Work that would block the whole engine process is stopped.
 */
export class WorkLimit {
  readonly #elapsed: () => number;
  readonly #meanwhile: () => void;
  #began: number | undefined;
  #meanwhileAt = 0;

  /**
   * @param elapsed milliseconds of a monotonic clock
   * @param meanwhile does urgent tasks while the event loop is blocked
   */
  constructor(elapsed: () => number, meanwhile: () => void = () => {}) {
    this.#elapsed = elapsed;
    this.#meanwhile = meanwhile;
  }

  /**
   * Called before further work.
   *
   * @returns the clock's current time
   */
  tick(): number {
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

  /** How long the event loop has been blocked, in milliseconds. */
  turnMs(now: number): number {
    return this.#began === undefined ? 0 : now - this.#began;
  }

  /** Whether the event loop has been blocked for too long. */
  isExceeded(now: number): boolean {
    return this.turnMs(now) > maxTurnMs;
  }
}
