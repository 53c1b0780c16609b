/** Milliseconds of work after which a query's functions count as busy. */
const busyMs = 100;
/** Milliseconds in one turn of the event loop after which busy queries run in one thread. */
const longTurnMs = 200;

/**
 * Measures how long the functions in JavaScript of a multi-threaded query block the event loop. Node processes up to a
 * thousand calls of a function in a row while other threads keep adding calls, and does nothing else meanwhile.
 */
export class FunctionTime {
  #ms = 0;
  #isTooLong = false;

  /** Whether the query must run again in one thread. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Adds a call, given its start and end in milliseconds. */
  add(from: number, to: number): void {
    this.#ms += to - from;
  }

  /**
   * Decides whether the query may continue in several threads.
   *
   * @param from the start of the current call, in milliseconds
   * @param turnMs the duration of the current turn of the event loop
   */
  check(from: number, now: number, turnMs: number): boolean {
    this.#isTooLong ||= turnMs >= longTurnMs && this.#ms + now - from >= busyMs;
    return !this.#isTooLong;
  }
}
