import type { RefusedSource } from './refused-source.ts';
import type { DiskState } from './upkeep/disk-monitor.ts';

/** Whether a store can take rows. */
export interface StoreState {
  /** Undefined before the first look at it, or if the system doesn't report it. */
  readonly disk: DiskState | undefined;
  /** Characters of rows that wait for their commit. */
  readonly waitingLength: number;
  /** Bytes that were cut off its write-ahead log when it was opened, because they were never acknowledged. */
  readonly cutBytes: number;
  /** The sources whose rows can't be read or added to: see `Store.unavailable`. */
  readonly unavailable: readonly RefusedSource[];
}
