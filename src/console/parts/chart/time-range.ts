/** A span of time, in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}
