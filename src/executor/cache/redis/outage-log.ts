import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';

/** An interruption that is over sooner, in milliseconds, isn't worth a line. */
const noticeableMs = 1000;

/** Writes one line when Redis goes away, and one when it is back. */
export class OutageLog {
  readonly #log: Log;
  readonly #clock: Clock;
  #pending: { cancel(): void } | undefined;
  #isTold = false;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  away(reason: string): void {
    this.#pending ??= this.#clock.after(noticeableMs, () => {
      this.#isTold = true;
      this.#log.warn('Redis is away: this replica goes on by itself', { reason });
    });
  }

  back(): void {
    this.close();
    if (this.#isTold) this.#log.warn('Redis is back');
    this.#isTold = false;
  }

  close(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
  }
}
