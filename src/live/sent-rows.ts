import { hash } from 'node:crypto';
import type { Row } from '../sql/value.ts';
import type { TailQuery } from './tail-query.ts';

/** The earliest TIMESTAMP: the year 1. */
export const earliest = -62_135_596_800_000_000n;

/** The longest key that is kept as it is, and bytes of a key in memory (measured). */
const [longestKey, keyBytes] = [80, 200];
/** At most so many rows are remembered. */
const maxSent = 100_000;
/** The length of a row's id in a cursor: 48 bits in base64. */
export const rowIdLength = 8;
/** Fewer forgotten ones are not worth a search. */
const fewSent = 1_000;

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

  /** What tells a row from others: its time with its id or, without one, with all of its values. */
  keyOf(row: Row): string {
    const { idAt } = this.#columns;
    const id = idAt === undefined ? null : row[idAt];
    const key = typeof id === 'string' ? `${this.timeOf(row)} ${id}` : JSON.stringify(row, textOfBigint);
    // Of any length, they would take any amount of memory.
    return key.length > longestKey ? hash('sha256', key, 'base64') : key;
  }

  /** As `keyOf`, short and of a fixed length. */
  idOf(row: Row): string {
    return shortened(this.keyOf(row));
  }

  has(row: Row): boolean {
    return this.#times.has(this.keyOf(row));
  }

  /** The ids of the rows from a time on; undefined if they are more than so many. */
  idsSince(time: bigint, most: number): readonly string[] | undefined {
    if (this.#times.size > fewSent) return undefined;
    const ids: string[] = [];
    for (const [key, each] of this.#times) {
      if (each < time) continue;
      if (ids.length === most) return undefined;
      ids.push(shortened(key));
    }
    return ids;
  }

  /** Returns whether the row is new. If too many are remembered, the older half is forgotten. */
  add(row: Row): boolean {
    const key = this.keyOf(row);
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

/** Without `_`: no text of several has the form of an API key, which is refused in calls. */
function shortened(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, rowIdLength).replaceAll('_', '~');
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
