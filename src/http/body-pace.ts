/** How fast the body of a request has to come. */
export interface PaceLimits {
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting for the client after which the pace is looked at, each time anew. The first are its grace. */
  readonly windowMs: number;
}

/** How fast one body comes. Only time in which the reader waited for the client counts, and bytes as the client sent them. */
export class BodyPace {
  readonly #limits: PaceLimits;
  #waitedMs = 0;
  #bytes = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** Milliseconds that may be waited for the next bytes before the pace is looked at. */
  get windowLeftMs(): number {
    return Math.max(0, this.#limits.windowMs - this.#waitedMs);
  }

  /**
   * Adds what was waited, and the bytes that came then.
   *
   * @returns whether the pace is high enough, as far as that can be said yet
   */
  add(waitedMs: number, bytes: number): boolean {
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < this.#limits.windowMs) return true;
    const least = (this.#waitedMs / 1000) * this.#limits.bytesPerSecond;
    const isHighEnough = this.#bytes >= least;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isHighEnough;
  }
}
