import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { DiskSpace } from '../../../system/disk-space.ts';
import { megabytes } from '../../../text/megabytes.ts';

export interface DiskState extends DiskSpace {
  /** Writes are refused with less free space. */
  readonly reservedBytes: number;
  /** Whether writes are refused. */
  readonly isFull: boolean;
}

interface DiskMonitorOptions {
  readonly space: () => Promise<DiskSpace>;
  /** More than the usual reserve. */
  readonly reservedBytes?: number | undefined;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

const intervalMs = 5000;
/** The used parts of the file system that are worth a warning. */
const warnings = [0.9, 0.8];
/** A warning is repeated only after the used part was this much smaller. */
const hysteresis = 0.02;
/** When space may be available again. */
const retryAfterSeconds = 30;

const gigabyte = 1e9;

/**
 * Looks at the store's disk every few seconds. Warns in the log when it fills up, and refuses writes before it is full: DuckDB
 * would have to be opened again after an incomplete write, and needs space even to delete rows.
 */
export class DiskMonitor {
  readonly #options: DiskMonitorOptions;
  #state: DiskState | undefined;
  /** The warning that was logged last, by the used part. */
  #warned = 0;
  #timer: { cancel(): void } | undefined;
  #isClosed = false;

  constructor(options: DiskMonitorOptions) {
    this.#options = options;
    void this.#watch();
  }

  /** As of the last look; undefined before the first, or if the system doesn't report it. */
  get state(): DiskState | undefined {
    return this.#state;
  }

  /** The error for writers while the disk is full. */
  get refusal(): GatewayError | undefined {
    if (this.#state?.isFull !== true) return undefined;
    const { freeBytes, reservedBytes } = this.#state;
    return new GatewayError(
      'BACKEND_UNAVAILABLE',
      `The store cannot add rows: its disk has ${megabytes(freeBytes)} free, and ${megabytes(reservedBytes)} are reserved.`,
      { retryAfterSeconds },
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #watch(): Promise<void> {
    await this.#look().catch((error) => {
      this.#state = undefined;
      this.#options.log?.warn('the free space of the store’s disk is unknown', { error: String(error) });
    });
    if (!this.#isClosed) this.#timer = this.#options.clock.after(intervalMs, () => void this.#watch());
  }

  async #look(): Promise<void> {
    const { space, log, reservedBytes: more = 0 } = this.#options;
    const { sizeBytes, freeBytes } = await space();
    const reservedBytes = Math.max(more, Math.min(gigabyte, 0.02 * sizeBytes));
    const isFull = freeBytes < reservedBytes;
    const wasFull = this.#state?.isFull === true;
    this.#state = { sizeBytes, freeBytes, reservedBytes, isFull };
    const used = 1 - freeBytes / sizeBytes;
    const fields = { usedPercent: Math.floor(used * 100), freeBytes };
    if (isFull !== wasFull) {
      if (isFull) log?.error('the store’s disk is full: no rows are added', fields);
      else log?.info('the store’s disk has space again: rows are added', fields);
    }
    const reached = warnings.find((share) => used >= share) ?? 0;
    if (reached > this.#warned) log?.warn('the store’s disk fills up', fields);
    const isLeft = (share: number) => share > this.#warned || used < share - hysteresis;
    this.#warned = Math.max(reached, warnings.find((share) => !isLeft(share)) ?? 0);
  }
}
