import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { ApiMeter } from './api-meter.ts';
import { SlidingCount } from './sliding-count.ts';

interface BreakerOptions {
  /** Sends a small request to BigQuery. Rejects when it is down. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly meter: ApiMeter;
}

const windowMs = 10_000;
/** The breaker opens at this many failures within the window, if they are at least this fraction of the calls. */
const leastFailures = 5;
const leastShare = 0.5;

const firstPauseMs = 1000;
const longestPauseMs = 10_000;

/**
 * A circuit breaker for BigQuery. While it is open, calls are refused immediately and a background task probes
 * BigQuery. The first successful probe closes it.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #calls: SlidingCount;
  readonly #failures: SlidingCount;
  readonly #closing = new AbortController();
  /** The time of the next probe, by the clock's `elapsed()`, while the breaker is open. */
  #nextProbe: number | undefined;
  /** How often the breaker has opened. Outcomes of calls that started before are ignored. */
  #opened = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#calls = new SlidingCount(options.clock, windowMs);
    this.#failures = new SlidingCount(options.clock, windowMs);
  }

  get isOpen(): boolean {
    return this.#nextProbe !== undefined;
  }

  /**
   * Permits a call.
   *
   * @returns a function to call when it is known whether BigQuery was available
   * @throws GatewayError BACKEND_UNAVAILABLE while the breaker is open
   */
  enter(): (isDown: boolean) => void {
    if (this.#nextProbe !== undefined) {
      this.#options.meter.refused();
      const waitMs = this.#nextProbe - this.#options.clock.elapsed();
      throw new GatewayError('BACKEND_UNAVAILABLE', 'BigQuery is not available at the moment.', {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      });
    }
    const opened = this.#opened;
    return (isDown) => {
      if (opened === this.#opened) this.#count(isDown);
    };
  }

  /** Takes back a failure that was not final: the outcome of the retry counts instead. */
  takeBack(): void {
    if (this.#failures.value === 0) return;
    this.#calls.takeBack();
    this.#failures.takeBack();
  }

  /** Stops probing. */
  close(): void {
    this.#closing.abort();
  }

  #count(isDown: boolean): void {
    this.#calls.add();
    if (!isDown) return;
    this.#failures.add();
    const failures = this.#failures.value;
    if (failures < leastFailures || failures < this.#calls.value * leastShare) return;
    this.#opened++;
    this.#calls.clear();
    this.#failures.clear();
    this.#options.meter.breaker(true);
    this.#options.log.warn('BigQuery fails: requests are paused', { failures });
    void this.#probeUntilUp();
  }

  async #probeUntilUp(): Promise<void> {
    const { clock, random, probe, log, meter } = this.#options;
    const { signal } = this.#closing;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const waitMs = pauseMs * (0.75 + random() / 2);
      this.#nextProbe = clock.elapsed() + waitMs;
      try {
        await clock.sleep(waitMs, signal);
        await probe(signal);
        break;
      } catch (error) {
        if (signal.aborted) return;
        log.info('BigQuery is still not available', {
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
    this.#nextProbe = undefined;
    meter.breaker(false);
    // An operator who was warned of the outage must see its end.
    log.warn('BigQuery is available again');
  }
}
