import { hash } from 'node:crypto';
import type { Row } from '../../sql/values/value.ts';
import type { TailQuery } from './tail-query.ts';

/** The earliest TIMESTAMP: the year 1. */
export const earliest = -62_135_596_800_000_000n;

/** The longest key that is kept as it is. */
const longestKey = 80;
/** Bytes of a key in memory (measured). */
export const keyBytes = 200;
/** At most so many rows are remembered. */
const maxSent = 100_000;
/** The length of a row's id in a cursor: 48 bits in base64. */
export const rowIdLength = 8;
/** Fewer forgotten ones are not worth a search. */
const fewSent = 1_000;

/** A row with what tells it from others. */
export interface KeyedRow {
  readonly row: Row;
  readonly key: string;
}

/** The rows that a tail has sent and could meet again. A row that is forgotten is never new again. */
export class SentRows {
  readonly #columns: Pick<TailQuery, 'timeAt' | 'idAt'>;
  /** The times of rows by their keys. */
  readonly #times = new Map<string, bigint>();
  /** No row before this time is new. */
  #from = earliest;
  /** Rows before it are removed when so many are there: to look for them each time would take long. */
  #sweepAt = fewSent;

  constructor(columns: Pick<TailQuery, 'timeAt' | 'idAt'>) {
    this.#columns = columns;
  }

  /** Memory of what is remembered, in bytes. */
  get bytes(): number {
    return this.#times.size * keyBytes;
  }

  /** The time of a row, in microseconds since the epoch. A row without one is older than all others. */
  timeOf(row: Row): bigint {
    const time = row[this.#columns.timeAt];
    return typeof time === 'bigint' ? time : earliest;
  }

  /**
   * Tells rows from others by their time with their id or, without one, with all of their values. A table can have several of one
   * time and id, as by UNNEST, or several that are equal: these are numbered.
   *
   * @param rows all that a query found. The first and the last time of a page may lack some
   */
  keyed(rows: readonly Row[]): readonly KeyedRow[] {
    const counts = new Map<string, number>();
    return rows.map((row) => {
      const key = this.#keyOf(row);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      // No other key begins with the sign.
      return { row, key: count === 1 ? key : `#${count} ${key}` };
    });
  }

  #keyOf(row: Row): string {
    const { idAt } = this.#columns;
    const id = idAt === undefined ? null : row[idAt];
    const key = typeof id === 'string' ? `${this.timeOf(row)} ${id}` : JSON.stringify(row, textOfBigint);
    // Of any length, they would take any amount of memory.
    return key.length > longestKey ? hash('sha256', key, 'base64') : key;
  }

  has({ key }: KeyedRow): boolean {
    return this.#times.has(key);
  }

  /** The ids of the rows from a time on; undefined if they are more than so many. */
  idsSince(time: bigint, maxIds: number): readonly string[] | undefined {
    if (this.#times.size > fewSent) return undefined;
    const ids: string[] = [];
    for (const [key, each] of this.#times) {
      if (each < time) continue;
      if (ids.length === maxIds) return undefined;
      ids.push(rowId(key));
    }
    return ids;
  }

  /** Returns whether the row is new. If too many are remembered, the older half is forgotten. */
  add({ row, key }: KeyedRow): boolean {
    const time = this.timeOf(row);
    if (time < this.#from || this.#times.has(key)) return false;
    this.#times.set(key, time);
    if (this.#times.size > maxSent) this.forget(this.#middle() + 1n);
    return true;
  }

  /** Forgets rows before a time. */
  forget(before: bigint): void {
    if (before > this.#from) this.#from = before;
    if (this.#times.size < this.#sweepAt) return;
    for (const [key, time] of this.#times) if (time < this.#from) this.#times.delete(key);
    this.#sweepAt = Math.min(maxSent, Math.max(fewSent, 2 * this.#times.size));
  }

  #middle(): bigint {
    const times = Float64Array.from(this.#times.values(), Number).sort();
    return BigInt(times[times.length >> 1] ?? 0);
  }
}

/**
 * A key as it is in cursors: short and of a fixed length. Without `_`: no text of several has the form of an API key, which is
 * refused in calls.
 */
export function rowId(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, rowIdLength).replaceAll('_', '~');
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
