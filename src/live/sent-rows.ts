import { hash } from 'node:crypto';
import type { Row } from '../sql/value.ts';
import type { TailQuery } from './tail-query.ts';

/** The earliest TIMESTAMP: the year 1. */
export const earliest = -62_135_596_800_000_000n;

/** The longest key that is kept as it is, and bytes of a key in memory (measured). */
const [longestKey, keyBytes] = [80, 200];

/** The rows that a tail has sent and could meet again. */
export class SentRows {
  readonly #columns: Pick<TailQuery, 'timeAt' | 'idAt'>;
  /** The times of rows by their keys. */
  readonly #times = new Map<string, bigint>();

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

  /** Returns whether the row is new. */
  add(row: Row): boolean {
    const key = this.keyOf(row);
    if (this.#times.has(key)) return false;
    this.#times.set(key, this.timeOf(row));
    return true;
  }

  /** Forgets rows before a time, which can't be met again. */
  forget(before: bigint): void {
    // About in the order of time: one that is late stays until those before it go.
    for (const [key, time] of this.#times) {
      if (time >= before) break;
      this.#times.delete(key);
    }
  }
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
