import type { NewFields } from '../../../definitions/sources/added-fields.ts';
import type { IngestPart } from '../../../engines/duckdb/store/insert/ingest-batch.ts';
import type { TimeRange } from '../../../engines/duckdb/store/insert/time-ranges.ts';
import type { RejectionCause } from '../encode/row-validation-error.ts';

/** A body's events as rows. It can be transferred between threads. */
export interface ParsedEvents {
  /** The rows, by source. Empty if nothing is to be stored: see `rejected` and `newFields`. */
  readonly sources: readonly SourceRows[];
  /** The first events that don't fit their source. Unless the request is partial, no row is kept then. */
  readonly rejected: readonly Rejection[];
  readonly rejectedCount: number;
  /** All rejected events, by source and cause. */
  readonly rejectedBy: readonly RejectionCount[];
  /**
   * Fields of the events that a source with `unknownFields: add` doesn't have yet. If there are any, no row is returned:
   * the caller adds the fields to the source and parses the body again.
   */
  readonly newFields: readonly NewFields[];
  /** Events with values that their fields didn't take, and that are stored in the column `otherFields`. */
  readonly conflicts: readonly SourceConflicts[];
}

/** The events of one source with values that their fields didn't take. */
export interface SourceConflicts {
  readonly source: string;
  /** How many events. */
  readonly count: number;
  /** The first reason: as a rejection's. */
  readonly first: string;
}

/** The rows of one source. */
export interface SourceRows {
  /** Its name. */
  readonly source: string;
  /** Their places are 1 to `count`, in the order of the events, but flat rows and others are in parts of their own. */
  readonly parts: readonly IngestPart[];
  readonly count: number;
  /** The earliest and the latest `timestamp`, in microseconds since 1970. */
  readonly minTimestamp: bigint;
  readonly maxTimestamp: bigint;
  /** Where the store may have the rows already. */
  readonly ranges: readonly TimeRange[];
}

/** An event that isn't stored. */
export interface Rejection {
  readonly source: string;
  /**
   * What `index` counts: lines of the body, elements of its array, log records of OTLP, or, if BigQuery rejected it, the rows
   * of the source that were sent there.
   */
  readonly unit: 'line' | 'event' | 'record' | 'row';
  /** From 1. */
  readonly index: number;
  /** Such as `metadata.status: expected INT64, got "abc"`. */
  readonly reason: string;
  readonly cause: RejectionCause;
  /** The event itself, shortened if necessary. */
  readonly text: string;
}

export interface RejectionCount {
  readonly source: string;
  readonly cause: RejectionCause;
  readonly count: number;
}
