import type { Clock } from '../system/clock.ts';
import type { Log } from '../terminal/log.ts';

/** Shorter interruptions, in milliseconds, are not logged. */
const noticeableMs = 1000;
/** Minimum time between log lines about rejected commands, in milliseconds. */
const minRefusedIntervalMs = 60_000;

/** Logs when Redis becomes unavailable and when it is back. Logs at most once a minute that Redis rejects commands. */
export class OutageLog {
  readonly #log: Log;
  readonly #clock: Clock;
  #pending: { cancel(): void } | undefined;
  #reason = '';
  #isLogged = false;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** @param reason the last one is logged: the first is often only that a connection ended */
  away(reason: string): void {
    this.#reason = reason;
    this.#pending ??= this.#clock.after(noticeableMs, () => {
      this.#isLogged = true;
      this.#log.warn('Redis is unavailable: this replica continues without it', { reason: this.#reason });
    });
  }

  back(): void {
    this.close();
    if (this.#isLogged) this.#log.warn('Redis is back');
    this.#isLogged = false;
  }

  refused(reason: string): void {
    const now = this.#clock.elapsed();
    if (now - this.#refusedAt < minRefusedIntervalMs) return;
    this.#refusedAt = now;
    this.#log.warn('Redis rejects commands: this replica continues without it', { reason });
  }

  close(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
  }
}
