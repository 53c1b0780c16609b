/** Milliseconds of work from which on a query's functions count as busy: others are let be. */
const busyMs = 100;
/** Milliseconds for which nothing else has happened on the event loop, after which one busy query has to do. */
const longTurnMs = 200;
/** Milliseconds without work after which a query doesn't count as busy any more. */
const idleMs = 500;
const lookEveryMs = 100;

interface Waiting {
  readonly work: BusyWork;
  readonly give: () => void;
}

/**
 * Has one query at a time whose functions keep the event loop busy. Their calls come one after the other from DuckDB's threads: while
 * there are always some of another thread waiting, Node gets to nothing else (`functions-in-js/work-limit.ts`). Of several such queries
 * all but one give way, and run anew when it is their turn; nobody has seen anything of their rows by then.
 */
export class BusyLane {
  readonly #elapsed: () => number;
  #holder: BusyWork | undefined;
  readonly #waiting: Waiting[] = [];

  /** @param elapsed milliseconds that only go forward */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** What a query that begins does, as far as the lane knows. It is to be given to `release` in the end. */
  newWork(): BusyWork {
    return new BusyWork(this);
  }

  /** Takes the lane, if no other has it. */
  take(work: BusyWork): boolean {
    this.#holder ??= work;
    return this.#holder === work;
  }

  /**
   * Waits until the lane is the work's own, or has been left by one that does other things for now.
   *
   * @throws the signal's reason when it is aborted
   */
  async wait(work: BusyWork, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.take(work)) return work.goOn(this.#elapsed());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { work, give: resolve };
    this.#waiting.push(waiting);
    const leave = () => {
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      reject(signal.reason);
    };
    const looking = setInterval(() => this.#passOnWhenIdle(), lookEveryMs);
    signal.addEventListener('abort', leave);
    try {
      await promise;
    } finally {
      clearInterval(looking);
      signal.removeEventListener('abort', leave);
    }
  }

  /** The work is over. */
  release(work: BusyWork): void {
    if (this.#holder === work) this.#passOn();
  }

  #passOnWhenIdle(): void {
    if (this.#holder !== undefined && this.#elapsed() - this.#holder.lastAt > idleMs) this.#passOn();
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    this.#holder = next?.work;
    next?.work.goOn(this.#elapsed());
    next?.give();
  }
}

/** How long a query's functions have kept the event loop busy. */
export class BusyWork {
  readonly #lane: BusyLane;
  #ms = 0;
  #lastAt = 0;
  #hasGivenWay = false;

  constructor(lane: BusyLane) {
    this.#lane = lane;
  }

  /** When it last did something, in milliseconds of the lane's clock. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** Whether it has ended in order to begin again when the lane is free. */
  get hasGivenWay(): boolean {
    return this.#hasGivenWay;
  }

  /** A call did something from one moment to another. */
  did(from: number, to: number): void {
    this.#ms += to - from;
    this.#lastAt = to;
  }

  /**
   * Whether the query has to end for now; then it has given way.
   *
   * @param from when the call began that asks
   * @param turnMs for how long nothing else has happened on the event loop
   */
  mustGiveWay(from: number, now: number, turnMs: number): boolean {
    if (turnMs < longTurnMs || this.#ms + now - from < busyMs || this.#lane.take(this)) return false;
    this.#hasGivenWay = true;
    return true;
  }

  /** It begins again. */
  goOn(now: number): void {
    this.#hasGivenWay = false;
    this.#lastAt = now;
  }
}
