import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

export interface RunLimits {
  /** Runs at the same time. */
  readonly maxRunning: number;
  /** Runs that may wait; further ones are refused. */
  readonly maxWaiting: number;
  /** Milliseconds; runs that would wait longer, as others take at the moment, are refused. */
  readonly maxWaitMs?: number;
  /** The queue where runs go from here, if there is one. */
  readonly next?: NextQueue;
}

/** A queue that runs of another one go to when they are over. */
export interface NextQueue {
  /** Milliseconds from one turn to the next, as it goes at the moment. */
  readonly msPerTurn: number;
  /** Seconds that a further run would have to wait, here and where it goes from here. */
  readonly waitSeconds: number;
  /** Whether one that has waited since then would have its turn soon. What is done for it earlier only lies about. */
  isTurnNear(since: number): boolean;
  /** Has the function called whenever the queue has become shorter. */
  onShorter(listener: () => void): void;
}

/** A run that waits for its turn. */
interface Waiting {
  readonly since: number;
  readonly isUrgent: () => boolean;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** How much the latest run counts in what runs take on average. */
const weightOfLatest = 0.1;

/**
 * Lets a bounded number of runs go on at the same time. The others wait: callers' runs in front of those that nobody waits
 * for, and those first that have waited for longest. Who would wait for too long is refused at once: he would have nothing of
 * a turn that comes when his time is over, and nobody else of the work.
 */
export class RunQueue implements NextQueue {
  readonly #limits: RunLimits;
  /** In the order in which they have come. */
  readonly #waiting: Waiting[] = [];
  readonly #clock: Pick<Clock, 'elapsed'>;
  #running = 0;
  #kept = 0;
  /** What runs take, in milliseconds. */
  #usualMs = 0;
  #hasBecomeShorter = () => {};

  constructor(limits: RunLimits, clock: Pick<Clock, 'elapsed'> = { elapsed: () => performance.now() }) {
    this.#limits = limits;
    this.#clock = clock;
    limits.next?.onShorter(() => this.#startNext());
  }

  /** How many more runs would be let in at this moment: at once, or to wait. */
  get room(): number {
    return this.#limits.maxRunning + this.#mostWaiting - this.#running - this.#waiting.length - this.#kept;
  }

  /** Whether some wait. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  get msPerTurn(): number {
    return Math.max(this.#usualMs / this.#limits.maxRunning, this.#limits.next?.msPerTurn ?? 0);
  }

  get waitSeconds(): number {
    return ((this.#waiting.length + 1) * this.msPerTurn) / 1000 + (this.#limits.next?.waitSeconds ?? 0);
  }

  /**
   * Keeps a place for a caller's run that comes from another queue, until the place is disposed of. Otherwise those who come
   * meanwhile would have it, and the wait would be for nothing.
   *
   * @throws GatewayError OVERLOADED as `run`
   */
  keepPlace(): Disposable {
    if (this.room <= 0) this.#makeRoom(() => true);
    this.#kept++;
    return { [Symbol.dispose]: () => void this.#kept-- };
  }

  isTurnNear(since: number): boolean {
    let inFront = 0;
    for (const waiting of this.#waiting) {
      if (waiting.since > since) break;
      if (waiting.isUrgent() && ++inFront >= this.#limits.maxRunning) return false;
    }
    return true;
  }

  onShorter(listener: () => void): void {
    this.#hasBecomeShorter = listener;
  }

  /** How many runs may wait, as long as each takes what it usually does. */
  get #mostWaiting(): number {
    const { maxRunning, maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#usualMs === 0
      ? maxWaiting
      : Math.min(maxWaiting, Math.floor((maxWaitMs * maxRunning) / this.#usualMs));
  }

  /**
   * Runs some work when its turn has come.
   *
   * @param isUrgent whether a caller waits for it, asked whenever a turn is given
   * @param since when the wait for it began, by the clock's `elapsed`, where it has waited elsewhere before
   * @param hasPlace whether a place was kept for it: then it is not refused
   * @throws GatewayError OVERLOADED when too many wait already, or it would wait for too long; the signal's reason when it is aborted before the turn
   */
  async run<T>(
    isUrgent: () => boolean,
    signal: AbortSignal,
    work: () => Promise<T>,
    since = this.#clock.elapsed(),
    hasPlace = false,
  ): Promise<T> {
    signal.throwIfAborted();
    if (!hasPlace && this.room <= 0) this.#makeRoom(isUrgent);
    // One in front of those who wait may have become less urgent, of which nobody is told.
    this.#startNext();
    if (this.#mayStart(since)) this.#running++;
    else await this.#wait(isUrgent, signal, since);
    const began = this.#clock.elapsed();
    try {
      return await work();
    } finally {
      this.#usualMs += weightOfLatest * (this.#clock.elapsed() - began - this.#usualMs);
      this.#running--;
      this.#startNext();
      this.#hasBecomeShorter();
    }
  }

  #mayStart(since: number): boolean {
    const { maxRunning, next } = this.#limits;
    return this.#running < maxRunning && (next === undefined || next.isTurnNear(since));
  }

  #wait(isUrgent: () => boolean, signal: AbortSignal, since: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        signal.removeEventListener('abort', leave);
      };
      const leave = () => {
        settle();
        reject(signal.reason);
        this.#hasBecomeShorter();
      };
      const waiting: Waiting = {
        since,
        isUrgent,
        start: () => {
          settle();
          resolve();
        },
        refuse: (reason) => {
          settle();
          reject(reason);
        },
      };
      signal.addEventListener('abort', leave);
      const place = this.#waiting.findLastIndex((other) => other.since <= since) + 1;
      this.#waiting.splice(place, 0, waiting);
    });
  }

  /** Refuses whom there is no room for: rather a run that nobody waits for than one that somebody does. */
  #makeRoom(isUrgent: () => boolean): void {
    const refusal = new GatewayError('OVERLOADED', 'Too many queries are waiting', {
      retryAfterSeconds: Math.max(1, this.waitSeconds),
    });
    const other = isUrgent() ? this.#waiting.find((waiting) => !waiting.isUrgent()) : undefined;
    if (other === undefined) throw refusal;
    other.refuse(refusal);
  }

  /** Gives turns to those who wait, as far as there are any to give. */
  #startNext(): void {
    for (;;) {
      const next = this.#waiting.find(({ isUrgent }) => isUrgent()) ?? this.#waiting[0];
      if (next === undefined || !this.#mayStart(next.since)) return;
      this.#running++;
      next.start();
    }
  }
}
