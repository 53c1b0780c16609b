/** Milliseconds of work of a query's functions before it counts as busy. */
const busyMs = 100;
/** Milliseconds without a turn of the event loop before busy queries run in one thread. */
const longTurnMs = 200;

/**
 * How long the functions in JavaScript of a query that runs in several threads have kept the event loop busy. Node takes up to a thousand
 * calls of a function in a row as long as another thread has one waiting, and gets to nothing else meanwhile.
 */
export class FunctionTime {
  #ms = 0;
  #isTooLong = false;

  /** Whether the query has to run again in one thread. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Adds a call that lasted from one moment to another, in milliseconds. */
  add(from: number, to: number): void {
    this.#ms += to - from;
  }

  /**
   * Decides whether the query may go on in several threads.
   *
   * @param from when the call began that asks, in milliseconds
   * @param turnMs how long the event loop has been in this turn
   */
  check(from: number, now: number, turnMs: number): boolean {
    this.#isTooLong ||= turnMs >= longTurnMs && this.#ms + now - from >= busyMs;
    return !this.#isTooLong;
  }
}
