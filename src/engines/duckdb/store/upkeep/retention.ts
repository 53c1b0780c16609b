import type { Clock } from '../../../../base/system/clock.ts';
import type { Log } from '../../../../base/terminal/log.ts';
import { isReference } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { microsPerDay, microsPerSecond } from '../../../../sql/values/time-units.ts';
import type { FutureTimes } from './future-rows.ts';

/** Milliseconds between two looks for old rows. */
const intervalMs = 20_000;
/** Milliseconds between two lines in the log about a source. */
const reportMs = 60_000;
/** A wall clock that has gone so much further than time itself, in milliseconds, may be wrong. */
const jumpMs = 3_600_000;
/** For so many milliseconds after such a jump, nothing is deleted. */
const pauseMs = 3_600_000;

interface RetentionOptions {
  /** The present sources. */
  readonly sources: () => readonly Source[];
  /** Days for sources that don't say it themselves; undefined to keep their rows. */
  readonly defaultDays: number | undefined;
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** Deletes the rows before a time, in microseconds since the epoch. Returns how many. */
  readonly deleteBefore: (source: Source, before: bigint, signal: AbortSignal) => Promise<number>;
  /** How far ahead of the clock the time of a new row can be, in seconds. */
  readonly maxFutureSeconds: number;
  /** Deletes the rows further ahead, as `FutureRows.delete` does. */
  readonly deleteFuture: (source: Source, times: FutureTimes, signal: AbortSignal) => Promise<number>;
  readonly onError: (error: unknown) => void;
}

/**
 * Deletes rows past their source's retention, a few every twenty seconds. If the wall clock jumps forward, it waits for an
 * hour: a clock that is a year fast would delete everything. Rows further ahead of the clock than new ones can be are
 * deleted when they have been seen for as long as the retention.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #closing = new AbortController();
  /** Deleted rows by source that the log doesn't tell yet. */
  readonly #deleted = new Map<string, number>();
  #nextReport = Number.NEGATIVE_INFINITY;
  /** The wall clock's time when elapsed time was 0, as of the last look. */
  #origin: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #timer: { cancel(): void } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#origin = options.clock.now() - options.clock.elapsed();
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the store is closing'));
    this.#timer?.cancel();
    await this.#running;
    this.#report();
  }

  #schedule(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = this.#options.clock.after(intervalMs, () => {
      this.#running = this.#look().finally(() => this.#schedule());
    });
  }

  async #look(): Promise<void> {
    const { clock } = this.#options;
    this.#noteJump();
    if (clock.elapsed() >= this.#pausedUntil) await this.#deleteOld();
    if (clock.elapsed() < this.#nextReport || this.#deleted.size === 0) return;
    this.#report();
    this.#nextReport = clock.elapsed() + reportMs;
  }

  #noteJump(): void {
    const { clock, log } = this.#options;
    const origin = clock.now() - clock.elapsed();
    const forwardMs = origin - this.#origin;
    this.#origin = origin;
    if (forwardMs < jumpMs) return;
    this.#pausedUntil = clock.elapsed() + pauseMs;
    log?.warn('the clock has jumped forward: no old rows are deleted for an hour', {
      jumpedSeconds: Math.round(forwardMs / 1000),
    });
  }

  #report(): void {
    for (const [source, rows] of this.#deleted)
      this.#options.log?.info('old rows were deleted', { source, rows });
    this.#deleted.clear();
  }

  async #deleteOld(): Promise<void> {
    const { sources, defaultDays, log, onError } = this.#options;
    for (const source of sources()) {
      const days = source.retentionDays ?? defaultDays;
      if (days === undefined || isReference(source)) continue;
      try {
        const rows = await this.#deleteOf(source, BigInt(days));
        if (rows > 0) this.#deleted.set(source.name, (this.#deleted.get(source.name) ?? 0) + rows);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        onError(error);
        log?.warn('old rows could not be deleted', { source: source.name, error: String(error) });
      }
    }
  }

  async #deleteOf(source: Source, days: bigint): Promise<number> {
    const { clock, deleteBefore, maxFutureSeconds, deleteFuture } = this.#options;
    const { signal } = this.#closing;
    const now = BigInt(Math.floor(clock.now())) * 1000n;
    const before = now - days * microsPerDay;
    const after = now + BigInt(maxFutureSeconds) * microsPerSecond;
    const old = await deleteBefore(source, before, signal);
    return old + (await deleteFuture(source, { now, after, seenBefore: before }, signal));
  }
}
