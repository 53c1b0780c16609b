import type { RowComparison } from './compare-rows.ts';

/** A call that both versions of an endpoint answered, compared. */
export interface CallComparison {
  /** Where the call is from: `the examples`, `test "counts orders"`, `line 12 of calls.ndjson`. */
  readonly origin: string;
  /** Over which rows: `the rows of the test`, `the rows in ./data`. */
  readonly over: string;
  /** The parameters as JSON. */
  readonly parameters: string;
  readonly before: CallSide;
  readonly after: CallSide;
  /** Whether both versions answered the same. */
  readonly isSame: boolean;
  /** Absent if one of the versions failed. */
  readonly rows?: RowComparison;
}

/** What one version answered. */
export interface CallSide {
  /** The number of rows. Absent if the call failed. */
  readonly rows?: number;
  /** Whether further rows were cut off. */
  readonly isTruncated?: true;
  /** The error, with its code. */
  readonly error?: string;
  readonly milliseconds: number;
}

/** What both versions would read of BigQuery's tables, in bytes. */
export interface BytesComparison {
  readonly before: number | string;
  readonly after: number | string;
}

/** The calls of an endpoint that were compared. */
export interface ComparedCalls {
  readonly calls: readonly CallComparison[];
  /** What could not be run, and why. */
  readonly notes: readonly string[];
  /** For the call with the examples. Texts say why a version can't tell. */
  readonly bytes?: BytesComparison;
}
