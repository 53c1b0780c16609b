import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { type LastUses, laterUses, mergedUses } from '../key/last-uses.ts';

/** How often uses are stored, in milliseconds. */
export const recordMs = 60_000;

interface UseRecorderOptions {
  /** The uses in this process. */
  readonly uses: () => LastUses;
  /** Adds uses to those in the store. */
  readonly add: (uses: LastUses) => Promise<void>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Stores when keys were last used: in the background, each minute and at the end. A store that can't take it is warned of once. */
export class UseRecorder {
  readonly #options: UseRecorderOptions;
  #stored: LastUses = new Map();
  #running: Promise<void> = Promise.resolve();
  #timer: { cancel(): void };
  #hasWarned = false;

  constructor(options: UseRecorderOptions) {
    this.#options = options;
    this.#timer = this.#wait();
  }

  /** Stores what isn't stored yet. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#running;
    await this.#record();
  }

  #wait(): { cancel(): void } {
    return this.#options.clock.after(recordMs, () => {
      this.#running = this.#record();
      this.#timer = this.#wait();
    });
  }

  async #record(): Promise<void> {
    const { uses, add, log } = this.#options;
    const later = laterUses(uses(), this.#stored);
    if (later.size === 0) return;
    try {
      await add(later);
      this.#stored = mergedUses(this.#stored, later);
      this.#hasWarned = false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#hasWarned) log.warn('the last uses of keys cannot be stored', { reason });
      this.#hasWarned = true;
    }
  }
}
