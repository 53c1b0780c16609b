import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

interface PermitLimits {
  /** Permits, each for one query at a time. */
  readonly permits: number;
  /** Maximum number of waiting queries. Further ones are refused. */
  readonly maxWaiting: number;
  /** Longest expected wait in milliseconds. Requests that would wait longer are refused. */
  readonly maxWaitMs?: number;
}

/** How busy permits are. */
export interface PermitState {
  readonly running: number;
  readonly waiting: number;
  readonly permits: number;
  readonly maxWaiting: number;
}

/** The right to plan and run one query. Disposing of it passes it to the next waiter. */
export class Permit implements Disposable {
  #release: (() => void) | undefined;

  constructor(release: () => void) {
    this.#release = release;
  }

  /**
   * Hands the permit over to another holder. Disposing of this object has no effect any more. Returns undefined if the
   * permit was already released.
   */
  handOver(): Permit | undefined {
    const release = this.#release;
    this.#release = undefined;
    return release && new Permit(release);
  }

  [Symbol.dispose](): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** A query waiting for a permit. */
interface Waiter {
  readonly isForeground: () => boolean;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** The weight of the latest query in the average time that queries hold a permit. */
const weightOfLatest = 0.1;

/**
 * Permits for a bounded number of queries, with a bounded queue of waiters: foreground first, then background, both in
 * order of arrival. A request is refused at once if its expected wait is too long.
 */
export class Permits {
  readonly #limits: PermitLimits;
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** In order of arrival. */
  readonly #waiters = new Set<Waiter>();
  #taken = 0;
  /** The average time that queries hold a permit, in milliseconds. */
  #averageMs = 0;
  /** The latest refusal. */
  #latest: GatewayError | undefined;

  constructor(limits: PermitLimits, clock: Pick<Clock, 'elapsed'> = { elapsed: () => performance.now() }) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The error that a new caller would get now; undefined if there is capacity. */
  get refusal(): GatewayError | undefined {
    const isFull = !this.#hasCapacity && this.#waiters.values().every(({ isForeground }) => isForeground());
    return isFull ? this.#overloaded() : undefined;
  }

  /** How many queries run and wait now, and how many may. */
  get state(): PermitState {
    const { permits, maxWaiting } = this.#limits;
    return { running: this.#taken, waiting: this.#waiters.size, permits, maxWaiting };
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
    if (!this.#hasCapacity) this.#refuseOne(isForeground);
    if (this.#taken < this.#limits.permits) this.#taken++;
    else await this.#wait(isForeground, signal);
    const began = this.#clock.elapsed();
    return new Permit(() => {
      this.#averageMs += weightOfLatest * (this.#clock.elapsed() - began - this.#averageMs);
      this.#giveToNext();
    });
  }

  get #hasCapacity(): boolean {
    return this.#taken + this.#waiters.size < this.#limits.permits + this.#maxQueueLength;
  }

  /** How many may wait if queries hold their permits as long as on average. */
  get #maxQueueLength(): number {
    const { permits, maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#averageMs === 0
      ? maxWaiting
      : Math.min(maxWaiting, Math.floor((maxWaitMs * permits) / this.#averageMs));
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

  /** Refuses one waiter when there is no capacity: background work in preference to a caller. */
  #refuseOne(isForeground: () => boolean): void {
    const background = isForeground() && this.#waiters.values().find((waiter) => !waiter.isForeground());
    if (!background) throw this.#overloaded();
    background.refuse(this.#overloaded());
  }

  /**
   * One error for everyone who may retry at the same time: making errors takes a tenth of the time of a refusal (measured).
   */
  #overloaded(): GatewayError {
    const waitSeconds = ((this.#waiters.size + 1) * this.#averageMs) / this.#limits.permits / 1000;
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
