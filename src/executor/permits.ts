import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

interface PermitLimits {
  /** Permits, each for one query at a time. */
  readonly permits: number;
  /** How many queries may wait for one. Further ones are refused. */
  readonly maxWaiting: number;
  /** Longest expected wait in milliseconds. Requests that would wait longer are refused. */
  readonly maxWaitMs?: number;
}

/** The right to plan and run one query. Disposing of it gives it to the next waiter. */
export class Permit implements Disposable {
  #giveBack: (() => void) | undefined;

  constructor(giveBack: () => void) {
    this.#giveBack = giveBack;
  }

  /**
   * The same permit for another holder: disposing of this one has no effect any more. Undefined when it was returned
   * already.
   */
  handOver(): Permit | undefined {
    const giveBack = this.#giveBack;
    this.#giveBack = undefined;
    return giveBack && new Permit(giveBack);
  }

  [Symbol.dispose](): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
  }
}

/** A query that waits for a permit. */
interface Waiter {
  readonly isForeground: () => boolean;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** The weight of the latest query in the average time that queries hold a permit. */
const weightOfLatest = 0.1;

/**
 * A bounded number of permits, and a bounded queue of waiters: callers first, then background work, both in order of
 * arrival. A request is refused at once if its expected wait is too long.
 */
export class Permits {
  readonly #limits: PermitLimits;
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** In order of arrival. */
  readonly #waiters = new Set<Waiter>();
  #taken = 0;
  /** The average time that queries hold a permit, in milliseconds. */
  #usualMs = 0;
  /** The latest refusal. */
  #latest: GatewayError | undefined;

  constructor(limits: PermitLimits, clock: Pick<Clock, 'elapsed'> = { elapsed: () => performance.now() }) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The error that a new caller would get now; undefined if there is capacity. */
  get refusal(): GatewayError | undefined {
    const isFull = !this.#hasRoom && this.#waiters.values().every(({ isForeground }) => isForeground());
    return isFull ? this.#overloaded() : undefined;
  }

  /** Permits that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits for a permit.
   *
   * @param isForeground whether a caller waits; called whenever a permit is given
   * @throws GatewayError OVERLOADED when the queue is full, or the wait would be too long; the signal's reason
   */
  async take(isForeground: () => boolean, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    if (!this.#hasRoom) this.#makeRoom(isForeground);
    if (this.#taken < this.#limits.permits) this.#taken++;
    else await this.#wait(isForeground, signal);
    const began = this.#clock.elapsed();
    return new Permit(() => {
      this.#usualMs += weightOfLatest * (this.#clock.elapsed() - began - this.#usualMs);
      this.#giveToNext();
    });
  }

  get #hasRoom(): boolean {
    return this.#taken + this.#waiters.size < this.#limits.permits + this.#mostWaiting;
  }

  /** How many may wait, if queries hold their permits as long as on average. */
  get #mostWaiting(): number {
    const { permits, maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#usualMs === 0
      ? maxWaiting
      : Math.min(maxWaiting, Math.floor((maxWaitMs * permits) / this.#usualMs));
  }

  #wait(isForeground: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
      };
      const refuse = (reason: unknown) => {
        settle();
        reject(reason);
      };
      const leave = () => refuse(signal.reason);
      const start = () => {
        settle();
        resolve();
      };
      const waiter: Waiter = { isForeground, start, refuse };
      signal.addEventListener('abort', leave);
      this.#waiters.add(waiter);
    });
  }

  /** Refuses a waiter beyond the capacity: background work rather than a caller. */
  #makeRoom(isForeground: () => boolean): void {
    const background = isForeground() && this.#waiters.values().find((waiter) => !waiter.isForeground());
    if (!background) throw this.#overloaded();
    background.refuse(this.#overloaded());
  }

  /**
   * One error for everyone who may retry at the same time: making errors takes a tenth of the time of a refusal (measured).
   */
  #overloaded(): GatewayError {
    const waitSeconds = ((this.#waiters.size + 1) * this.#usualMs) / this.#limits.permits / 1000;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
    if (this.#latest?.details.retryAfterSeconds !== retryAfterSeconds) {
      this.#latest = new GatewayError('OVERLOADED', 'Too many queries are waiting', { retryAfterSeconds });
    }
    return this.#latest;
  }

  #giveToNext(): void {
    const [first] = this.#waiters;
    const next = this.#waiters.values().find(({ isForeground }) => isForeground()) ?? first;
    if (next === undefined) this.#taken--;
    else next.start();
  }
}
