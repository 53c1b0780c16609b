/** Counts what collectors send. */
export interface EventMeter {
  /** @param outcome `added`, or `duplicate` for rows that the source has already */
  rows(source: string, outcome: 'added' | 'duplicate', count: number): void;
  rejected(source: string, cause: string, count: number): void;
  /** The seconds from the end of a body's arrival until its rows were committed. */
  committed(seconds: number): void;
  /** The seconds between the newest row of a body and its arrival. */
  lag(source: string, seconds: number): void;
}

export const noEventMeter: EventMeter = { rows() {}, rejected() {}, committed() {}, lag() {} };
