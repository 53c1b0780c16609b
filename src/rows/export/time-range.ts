/** A range of time, in microseconds since the epoch. Undefined for no limit. */
export interface TimeRange {
  /** The first time. */
  readonly from: bigint | undefined;
  /** The first time after it. */
  readonly to: bigint | undefined;
}

/** What the text of a limit must be, for `parseTimestamp`. */
export const timeExpected = 'expected a time, such as 2026-11-20 or 2026-11-20T08:30:00Z';
