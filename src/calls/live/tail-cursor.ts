import { maxTimestampMicros } from '../../sql/values/timestamp-text.ts';
import { earliest, rowIdLength } from './sent-rows.ts';

/** A place in a tail, from which a client goes on after a lost connection. */
export interface TailCursor {
  /** What was asked for: a hash of the endpoint, its parameters, the table and the filters. The same in all runs. */
  readonly queryHash: string;
  /** The run of the tail that made it. Only this one knows the number. */
  readonly tail: string;
  /** The number of the batch that the client has. */
  readonly batch: number;
  /** The time of the newest row that the client has, in microseconds since the epoch. */
  readonly time: bigint;
  /** Ids of rows that the client has from another run, and that this one may still send. */
  readonly own: readonly string[];
  /**
   * Ids of the rows before the place that are no more than a minute older than the time: another run finds out from them
   * what the client has missed. Undefined if they are too many, or may not be told.
   */
  readonly sent: readonly string[] | undefined;
}

/** A cursor has at most so many ids, because it comes with each event and goes into a header. */
export const maxRowIds = 48;

/** The length of the hash of a query in a cursor. */
export const queryHashLength = 8;

const ids = `((?:[A-Za-z\\d~-]{${rowIdLength}}){0,${maxRowIds}})`;
const pattern = new RegExp(
  `^([0-9a-f]{${queryHashLength}})([0-9a-z]{1,12})-(\\d{1,15})-(-?\\d{1,19})(?:\\.${ids}(?:\\.${ids})?)?$`,
);

/** The cursor as the id of an event. */
export function cursorText({ queryHash, tail, batch, time, own, sent }: TailCursor): string {
  const place = `${queryHash}${tail}-${batch}-${time}`;
  if (sent !== undefined && own.length + sent.length <= maxRowIds)
    return `${place}.${own.join('')}.${sent.join('')}`;
  return own.length === 0 ? place : `${place}.${own.join('')}`;
}

/** Undefined if the text is not a cursor. */
export function readCursor(text: string): TailCursor | undefined {
  const [, queryHash, tail, batch, time, own = '', sent] = pattern.exec(text) ?? [];
  if (queryHash === undefined || tail === undefined || batch === undefined || time === undefined)
    return undefined;
  const microseconds = BigInt(time);
  if (microseconds < earliest || microseconds >= maxTimestampMicros) return undefined;
  return {
    ...{ queryHash, tail, batch: Number(batch), time: microseconds },
    ...{ own: idsIn(own), sent: sent === undefined ? undefined : idsIn(sent) },
  };
}

function idsIn(text: string): readonly string[] {
  return text.match(new RegExp(`.{${rowIdLength}}`, 'g')) ?? [];
}
