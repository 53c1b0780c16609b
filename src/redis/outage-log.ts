import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

/** An interruption that is over sooner, in milliseconds, isn't worth a line. */
const noticeableMs = 1000;
/** How often at most it is told that Redis refuses something, in milliseconds. */
const refusedEveryMs = 60_000;

/** Writes one line when Redis goes away, and one when it is back; and one a minute while it is there and refuses what it is asked. */
export class OutageLog {
  readonly #log: Log;
  readonly #clock: Clock;
  #pending: { cancel(): void } | undefined;
  #isTold = false;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  away(reason: string): void {
    this.#pending ??= this.#clock.after(noticeableMs, () => {
      this.#isTold = true;
      this.#log.warn('Redis is unavailable: this replica continues without it', { reason });
    });
  }

  back(): void {
    this.close();
    if (this.#isTold) this.#log.warn('Redis is back');
    this.#isTold = false;
  }

  refused(reason: string): void {
    const now = this.#clock.elapsed();
    if (now - this.#refusedAt < refusedEveryMs) return;
    this.#refusedAt = now;
    this.#log.warn('Redis rejects commands: this replica continues without it', { reason });
  }

  close(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
  }
}
