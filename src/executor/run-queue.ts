import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

export interface RunLimits {
  /** Runs at the same time. */
  readonly maxRunning: number;
  /** Runs that may wait; further ones are refused. */
  readonly maxWaiting: number;
  /** Milliseconds; runs that would wait longer, as others take at the moment, are refused. */
  readonly maxWaitMs?: number;
  /** How many runs there is room for where they go from here: no more are let in, since their work would be for nothing. */
  readonly roomBeyond?: () => number;
}

/** A run that waits for its turn. */
interface Waiting {
  readonly isUrgent: () => boolean;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** How much the latest run counts in what runs take on average. */
const weightOfLatest = 0.1;

/**
 * Lets a bounded number of runs go on at the same time. The others wait: callers' runs in front of those that nobody waits
 * for. Who would wait for too long is refused at once: he would have nothing of a turn that comes when his time is over, and
 * nobody else of the work.
 */
export class RunQueue {
  readonly #limits: RunLimits;
  readonly #waiting = new Set<Waiting>();
  readonly #clock: Pick<Clock, 'elapsed'>;
  #running = 0;
  /** What runs take, in milliseconds. */
  #usualMs = 0;

  constructor(limits: RunLimits, clock: Pick<Clock, 'elapsed'> = { elapsed: () => performance.now() }) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** How many more runs would be let in at this moment: at once, or to wait. */
  get room(): number {
    const { maxRunning, roomBeyond } = this.#limits;
    const inside = this.#running + this.#waiting.size;
    const own = maxRunning + this.#mostWaiting - inside;
    return roomBeyond === undefined ? own : Math.min(own, roomBeyond() - inside);
  }

  /** Seconds that a further run would have to wait. */
  get waitSeconds(): number {
    return ((this.#waiting.size + 1) * this.#usualMs) / this.#limits.maxRunning / 1000;
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
   * @throws GatewayError OVERLOADED when too many wait already, or it would wait for too long; the signal's reason when it is aborted before the turn
   */
  async run<T>(isUrgent: () => boolean, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.room <= 0) this.#makeRoom(isUrgent);
    if (this.#running < this.#limits.maxRunning) this.#running++;
    else await this.#wait(isUrgent, signal);
    const began = this.#clock.elapsed();
    try {
      return await work();
    } finally {
      this.#usualMs += weightOfLatest * (this.#clock.elapsed() - began - this.#usualMs);
      this.#pass();
    }
  }

  #wait(isUrgent: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', leave);
      };
      const leave = () => {
        settle();
        reject(signal.reason);
      };
      const waiting: Waiting = {
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
      this.#waiting.add(waiting);
    });
  }

  /** Refuses whom there is no room for: rather a run that nobody waits for than one that somebody does. */
  #makeRoom(isUrgent: () => boolean): void {
    const refusal = new GatewayError('OVERLOADED', 'Too many queries are waiting', {
      retryAfterSeconds: Math.max(1, this.waitSeconds),
    });
    const other = isUrgent() ? this.#waiting.values().find((waiting) => !waiting.isUrgent()) : undefined;
    if (other === undefined) throw refusal;
    other.refuse(refusal);
  }

  /** Hands the turn of a run that has ended to the next one. */
  #pass(): void {
    const [oldest] = this.#waiting;
    const next = this.#waiting.values().find(({ isUrgent }) => isUrgent()) ?? oldest;
    if (next === undefined) this.#running--;
    else next.start();
  }
}
