import { GatewayError } from '../../../../base/errors/errors.ts';
import { megabytes } from '../../../../base/forms/bytes.ts';
import type { Clock } from '../../../../base/system/clock.ts';
import type { DiskSpace } from '../../../../base/system/disk-space.ts';
import type { Log } from '../../../../base/terminal/log.ts';

export interface DiskState extends DiskSpace {
  /** Rows are refused with less free space, including the space that can be used again in the store's file. */
  readonly reservedBytes: number;
  /** Whether writes are refused. */
  readonly isFull: boolean;
}

interface DiskMonitorOptions {
  readonly space: () => Promise<DiskSpace>;
  /** Bytes of the store's file that can be used again. */
  readonly reusableBytes: () => Promise<number>;
  /** More than the usual reserve. */
  readonly reservedBytes?: number | undefined;
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** Called every few seconds while the disk is full: perhaps space can be freed. */
  readonly onFull?: (() => void) | undefined;
}

const intervalMs = 5000;
/** The used parts of the file system that are worth a warning. */
const warnings = [0.9, 0.8];
/** A warning is repeated only after the used part was this much smaller. */
const hysteresis = 0.02;
/** When space may be available again. */
const retryAfterSeconds = 30;

/** The reserve: a part of the disk within these bounds, in bytes, but no larger part than the last. */
const reserve = { share: 0.02, min: 100e6, max: 1e9, largestShare: 0.25 };
/** So much of the reserve must be free outside the store's file: for the write-ahead log, in bytes. */
const maxForLog = 64e6;
/** Rows are taken again once the free space is so many times the reserve: the space of the log comes and goes. */
const again = 1.1;

/**
 * Looks at the store's disk every few seconds and before each commit of rows. Warns in the log when it fills up, and refuses
 * rows before it is full: DuckDB would have to be opened again after an incomplete write, and needs space even to delete rows.
 */
export class DiskMonitor {
  readonly #options: DiskMonitorOptions;
  #state: DiskState | undefined;
  /** The warning that was logged last, by the used part. */
  #warned = 0;
  #timer: { cancel(): void } | undefined;
  /** Whether the system doesn't report the space, which was logged. */
  #isUnknown = false;
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
    return this.#state?.isFull === true ? refusalOf(this.#state) : undefined;
  }

  /** Looks at the disk. Throws the error for writers if it has no space for so many bytes. */
  async refuseWithout(bytes: number): Promise<void> {
    await this.#look();
    if (this.#state === undefined) return;
    if (this.#state.isFull || !(await this.#hasSpace(this.#state, bytes))) throw refusalOf(this.#state);
  }

  /** Looks at the disk. Whether work that can be left undone may take so many bytes. Unknown space is enough. */
  async hasRoom(bytes: number): Promise<boolean> {
    await this.#look();
    return this.#state === undefined || (await this.#hasSpace(this.#state, bytes));
  }

  /** Looks at the disk. Whether so many bytes can be written at all. Unknown space is enough. */
  async canWrite(bytes: number): Promise<boolean> {
    await this.#look();
    if (this.#state === undefined || bytes <= this.#state.freeBytes) return true;
    return bytes <= this.#state.freeBytes + (await this.#options.reusableBytes());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #watch(): Promise<void> {
    await this.#look();
    if (this.#state?.isFull === true) this.#options.onFull?.();
    if (!this.#isClosed) this.#timer = this.#options.clock.after(intervalMs, () => void this.#watch());
  }

  async #look(): Promise<void> {
    try {
      const { sizeBytes, freeBytes } = await this.#options.space();
      await this.#note({ sizeBytes, freeBytes, reservedBytes: this.#reservedBytes(sizeBytes) });
      this.#isUnknown = false;
    } catch (error) {
      this.#state = undefined;
      if (this.#isUnknown || this.#isClosed) return;
      this.#isUnknown = true;
      this.#options.log?.warn('the free space of the store’s disk is unknown', { error: String(error) });
    }
  }

  #reservedBytes(sizeBytes: number): number {
    const { share, min, max, largestShare } = reserve;
    const usual = Math.min(Math.max(share * sizeBytes, min), max, largestShare * sizeBytes);
    return Math.max(this.#options.reservedBytes ?? 0, usual);
  }

  /** Whether so many bytes can be taken without the reserve. */
  async #hasSpace({ freeBytes, reservedBytes }: Omit<DiskState, 'isFull'>, bytes: number): Promise<boolean> {
    const left = freeBytes - bytes;
    if (left >= reservedBytes) return true;
    if (left < Math.min(reservedBytes / 2, maxForLog)) return false;
    return left + (await this.#options.reusableBytes()) >= reservedBytes;
  }

  async #note(found: Omit<DiskState, 'isFull'>): Promise<void> {
    const { log } = this.#options;
    const wasFull = this.#state?.isFull === true;
    const isFull = !(await this.#hasSpace(found, wasFull ? (again - 1) * found.reservedBytes : 0));
    this.#state = { ...found, isFull };
    const { sizeBytes, freeBytes } = found;
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

function refusalOf({ freeBytes, reservedBytes }: DiskState): GatewayError {
  return new GatewayError(
    'BACKEND_UNAVAILABLE',
    `The store cannot add rows: its disk has ${megabytes(freeBytes)} free, and ${megabytes(reservedBytes)} are reserved.`,
    { retryAfterSeconds },
  );
}
