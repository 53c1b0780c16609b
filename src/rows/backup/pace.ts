import type { Clock } from '../../base/system/clock.ts';

/** Keeps work to a number of bytes per second. */
export class Pace {
  readonly #bytesPerSecond: number;
  readonly #clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly #signal: AbortSignal;
  /** When the next bytes may be processed, in milliseconds of the clock. */
  #due: number;

  constructor(bytesPerSecond: number, clock: Pick<Clock, 'elapsed' | 'sleep'>, signal: AbortSignal) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#clock = clock;
    this.#signal = signal;
    this.#due = clock.elapsed();
  }

  /** Called when bytes have been processed. Waits until the next ones may be. Rejects with the signal's reason. */
  async done(bytes: number): Promise<void> {
    this.#signal.throwIfAborted();
    const now = this.#clock.elapsed();
    // Time that was not used is gone.
    this.#due = Math.max(this.#due, now - longestCreditMs) + (bytes / this.#bytesPerSecond) * 1000;
    if (this.#due > now) await this.#clock.sleep(this.#due - now, this.#signal);
  }
}

/** A slow step may be made up for by so many milliseconds. */
const longestCreditMs = 100;
