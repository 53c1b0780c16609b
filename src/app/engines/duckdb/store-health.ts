import type { Clock } from '../../../base/clock/clock.ts';
import type { StoreState } from '../../../engines/duckdb/store/store-state.ts';
import type { HealthDetails } from '../../../server/operator/health.ts';

/** How often the state is read, in milliseconds. */
const intervalMs = 5_000;

/** Knows whether the store can take rows, as of some seconds ago. */
export class StoreHealth {
  readonly #read: () => Promise<StoreState>;
  readonly #clock: Pick<Clock, 'after'>;
  #state: StoreState | undefined;
  #timer: { cancel(): void } | undefined;
  #isClosed = false;

  /** @param read rejects while there is no engine process */
  constructor(read: () => Promise<StoreState>, clock: Pick<Clock, 'after'>) {
    this.#read = read;
    this.#clock = clock;
    void this.#watch();
  }

  /** Undefined until it is known. */
  get state(): StoreState | undefined {
    return this.#state;
  }

  /** For `/readyz`: queries are answered even if no rows can be added. */
  get details(): HealthDetails {
    if (this.#state?.disk?.isFull !== true) return {};
    return { status: 'degraded', rows: 'refused, because the disk is full' };
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #watch(): Promise<void> {
    // The state of a process that is gone stays: its disk is the same.
    this.#state = await this.#read().catch(() => this.#state);
    if (!this.#isClosed) this.#timer = this.#clock.after(intervalMs, () => void this.#watch());
  }
}
