import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { ApiMeter } from './api-meter.ts';
import { SlidingCount } from './sliding-count.ts';

interface BreakerOptions {
  /** Asks BigQuery something small; rejects when it is down. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly meter: ApiMeter;
}

const windowMs = 10_000;
/** It opens at so many failures within the window, if they are at least this share of the calls. */
const leastFailures = 5;
const leastShare = 0.5;

const firstPauseMs = 1000;
const longestPauseMs = 10_000;

/**
 * Keeps a BigQuery that is down from being asked by callers: they are refused at once, while it is probed in the
 * background. The first probe that succeeds lets all of them through again.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #calls: SlidingCount;
  readonly #failures: SlidingCount;
  readonly #closing = new AbortController();
  /** When the next probe begins, by the clock's `elapsed()`, while the breaker is open. */
  #nextProbe: number | undefined;
  /** How often it has been open: what comes of calls that began before says nothing any more. */
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
   * Lets a call through.
   *
   * @returns to be called once it is known whether BigQuery was there to answer
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

  /** A failure that was counted wasn't the end of it: what it is followed by counts instead. */
  takeBack(): void {
    if (this.#failures.value === 0) return;
    this.#calls.takeBack();
    this.#failures.takeBack();
  }

  /** Ends the probing. */
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
    // Whoever was warned of the outage is to see its end.
    log.warn('BigQuery is available again');
  }
}
