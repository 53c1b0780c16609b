/** The minimum pace of a request body. */
export interface PaceLimits {
  readonly bytesPerSecond: number;
  /**
   * The pace is checked each time the reader has waited this long for the client, in milliseconds. The first period is
   * a grace.
   */
  readonly windowMs: number;
}

/** Measures the pace of a body. Only time in which the reader waited for the client counts, and bytes as the client sent them. */
export class BodyPace {
  readonly #limits: PaceLimits;
  #waitedMs = 0;
  #bytes = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** Milliseconds to wait for the next bytes before the next check. */
  get windowLeftMs(): number {
    return Math.max(0, this.#limits.windowMs - this.#waitedMs);
  }

  /**
   * Adds a wait, and the bytes that arrived in it.
   *
   * @returns false if the pace is too low; true while it is sufficient or unknown
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
