import type { Clock } from '../../../base/system/clock.ts';
import type { DiskSpace } from '../../../base/system/disk-space.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { OnRowChanges } from '../../engine/row-changes.ts';
import type { DatabaseOptions } from './database/open-database.ts';

/** How a store is opened. */
export interface StoreOptions extends DatabaseOptions {
  readonly sources: readonly Source[];
  /** What goes with its values: columns that their sources don't have, or can't have, and sources that are gone. */
  readonly drop?: readonly string[] | undefined;
  /** How many rows are converted together while the store is used, and at least beside readers; by default, a row group. */
  readonly conversionStepRows?: number | undefined;
  /** Logs failures that harm no rows, and the progress of an upgrade. */
  readonly log?: Log | undefined;
  /** The free bytes on the store's disk; by default, the system's figure. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  /** The store's file system; by default, as the system reports it. */
  readonly diskSpace?: (() => Promise<DiskSpace>) | undefined;
  /** Free bytes below which rows are refused, if that is more than the usual reserve. */
  readonly reservedBytes?: number | undefined;
  readonly clock?: Clock | undefined;
  /** After how many days rows are deleted, for sources that don't say it themselves. By default, they are kept. */
  readonly retentionDays?: number | undefined;
  /** How far ahead of the clock the time of a new row can be, in seconds; a day by default. */
  readonly maxFutureSeconds?: number | undefined;
  /** Called after each commit that added or removed rows. */
  readonly onChange?: OnRowChanges | undefined;
  /** The size of the write-ahead log that causes a checkpoint. */
  readonly logBytes?: number | undefined;
}
