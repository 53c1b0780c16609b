import type { Clock } from '../../../base/system/clock.ts';
import type { Permit } from './permit.ts';

interface TurnsOptions {
  /** What lasts until the end of all turns. */
  readonly open: Permit;
  /** The permit of the first turn. */
  readonly first: Permit;
  /** Waits for that of the next one. */
  readonly next: () => Promise<Permit>;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

/** After how many milliseconds of waiting for the receiver of rows a permit is given to others. */
const patienceMs = 100;
/** How long a permit is held while others wait for it, in milliseconds. */
const turnMs = 2_000;

/**
 * The permits of work that hands over its rows at the pace of their receiver, one after another. Others have their turn while the
 * receiver takes its time, and after two seconds in any case: long work, and slow receivers, don't keep a permit from them.
 */
export class Turns implements Disposable {
  readonly #options: TurnsOptions;
  readonly #open: Permit | undefined;
  #permit: Permit | undefined;
  #began: number;
  #hasEnded = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#open = options.open.handOver();
    this.#permit = options.first.handOver();
    this.#began = options.clock.elapsed();
  }

  /** Hands rows over, and then waits for the next turn if this one has ended. */
  async during(handOver: () => void | Promise<void>): Promise<void> {
    const { clock, next } = this.#options;
    if (clock.elapsed() - this.#began >= turnMs) this.#release();
    const patience = clock.after(patienceMs, () => this.#release());
    try {
      await handOver();
    } finally {
      patience.cancel();
    }
    if (this.#permit !== undefined || this.#hasEnded) return;
    this.#permit = await next();
    this.#began = clock.elapsed();
    // The work may have failed in the meantime.
    if (this.#hasEnded) this.#release();
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.#release();
    this.#open?.[Symbol.dispose]();
  }

  #release(): void {
    this.#permit?.[Symbol.dispose]();
    this.#permit = undefined;
  }
}
