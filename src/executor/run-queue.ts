import { GatewayError } from '../errors.ts';

export interface RunLimits {
  /** Runs at the same time. */
  readonly maxRunning: number;
  /** Runs that may wait; further ones are refused. */
  readonly maxWaiting: number;
}

/** A run that waits for its turn. */
interface Waiting {
  readonly isUrgent: () => boolean;
  readonly start: () => void;
}

/** Lets a bounded number of runs go on at the same time. The others wait: callers' runs in front of those that nobody waits for. */
export class RunQueue {
  readonly #limits: RunLimits;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  /**
   * Runs some work when its turn has come.
   *
   * @param isUrgent whether a caller waits for it, asked whenever a turn is given
   * @throws GatewayError OVERLOADED when too many wait already; the signal's reason when it is aborted before the turn
   */
  async run<T>(isUrgent: () => boolean, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#limits.maxRunning) this.#running++;
    else await this.#wait(isUrgent, signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #wait(isUrgent: () => boolean, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.maxWaiting) {
      throw new GatewayError('OVERLOADED', 'Too many queries are waiting', { retryAfterSeconds: 1 });
    }
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
      };
      signal.addEventListener('abort', leave);
      this.#waiting.add(waiting);
    });
  }

  /** Hands the turn of a run that has ended to the next one. */
  #pass(): void {
    const [oldest] = this.#waiting;
    const next = this.#waiting.values().find(({ isUrgent }) => isUrgent()) ?? oldest;
    if (next === undefined) this.#running--;
    else next.start();
  }
}
