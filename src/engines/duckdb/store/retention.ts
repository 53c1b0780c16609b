import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';
import type { Source } from '../../../sources/source.ts';

/** Milliseconds between two looks for old rows. */
const intervalMs = 20_000;

const microsPerDay = 86_400_000_000n;

interface RetentionOptions {
  /** The present sources. */
  readonly sources: () => readonly Source[];
  /** Days for sources that don't say it themselves; undefined to keep their rows. */
  readonly defaultDays: number | undefined;
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** Deletes the rows before a time, in microseconds since the epoch. Returns how many. */
  readonly deleteBefore: (source: Source, before: bigint, signal: AbortSignal) => Promise<number>;
  readonly onError: (error: unknown) => void;
}

/** Deletes rows past their source's retention, a few every twenty seconds. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #closing = new AbortController();
  #timer: { cancel(): void } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the store is closing'));
    this.#timer?.cancel();
    await this.#running;
  }

  #schedule(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer = this.#options.clock.after(intervalMs, () => {
      this.#running = this.#deleteOld().finally(() => this.#schedule());
    });
  }

  async #deleteOld(): Promise<void> {
    const { sources, defaultDays, clock, log, deleteBefore, onError } = this.#options;
    for (const source of sources()) {
      const days = source.retentionDays ?? defaultDays;
      if (days === undefined) continue;
      const before = BigInt(Math.floor(clock.now())) * 1000n - BigInt(days) * microsPerDay;
      try {
        await deleteBefore(source, before, this.#closing.signal);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        onError(error);
        log?.warn('old rows could not be deleted', { source: source.name, error: String(error) });
      }
    }
  }
}
