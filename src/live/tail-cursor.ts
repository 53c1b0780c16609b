import { maxTimestampMicros } from '../sql/timestamp-text.ts';
import { earliest } from './sent-rows.ts';

/** A place in a tail, from which a client goes on after a lost connection. */
export interface TailCursor {
  /** The run of the tail that made it. Only this one knows the number. */
  readonly tail: string;
  /** The number of the batch that the client has. */
  readonly batch: number;
  /** The time of the newest row that the client has, in microseconds since the epoch. */
  readonly time: bigint;
}

const pattern = /^([0-9a-z]{1,20})-(\d{1,15})-(-?\d{1,19})$/;

/** The cursor as the id of an event. */
export function cursorText({ tail, batch, time }: TailCursor): string {
  return `${tail}-${batch}-${time}`;
}

/** Undefined if the text is not a cursor. */
export function readCursor(text: string): TailCursor | undefined {
  const [, tail, batch, time] = pattern.exec(text) ?? [];
  if (tail === undefined || batch === undefined || time === undefined) return undefined;
  const microseconds = BigInt(time);
  if (microseconds < earliest || microseconds >= maxTimestampMicros) return undefined;
  return { tail, batch: Number(batch), time: microseconds };
}
