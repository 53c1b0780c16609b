import { rowsInMemory } from '../../engines/rows/result-rows.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import { bodies } from '../executor/flights/bodies.ts';
import type { SharedRows } from '../executor/shown-rows.ts';
import { earliest, type KeyedRow, SentRows } from './sent-rows.ts';
import { type AfterBatch, TailBatches } from './tail-batches.ts';
import { maxRowIds, type TailCursor } from './tail-cursor.ts';
import type { TailQuery } from './tail-query.ts';

/** How much older than the newest row a row may be when it arrives, in microseconds. */
const maxLate = 60_000_000n;

/** A place in a tail, as the tail knows it. */
export type TailPlace = Omit<TailCursor, 'own'>;

type QueryColumns = Pick<TailQuery, 'timeAt' | 'idAt'> & { readonly columns: readonly Column[] };

/** What a tail has sent. */
export class TailProgress {
  readonly #run: Pick<TailCursor, 'queryHash' | 'tail'>;
  readonly #columns: QueryColumns;
  readonly batches = new TailBatches();
  #sent: SentRows;
  /** No row before this time is new, in microseconds since the epoch. Undefined before the first rows are read. */
  #floor: bigint | undefined;
  /** The time of the newest row; the time when it came, if that was earlier. */
  #time = earliest;
  #after: AfterBatch = { time: earliest, sent: undefined };

  /** @param run which tail it is, as in cursors */
  constructor(run: Pick<TailCursor, 'queryHash' | 'tail'>, columns: QueryColumns) {
    this.#run = run;
    this.#columns = columns;
    this.#sent = new SentRows(columns);
  }

  get sent(): SentRows {
    return this.#sent;
  }

  /** Memory of what is kept, in bytes. */
  get bytes(): number {
    return this.batches.bytes + this.#sent.bytes;
  }

  get hasBegun(): boolean {
    return this.#floor !== undefined;
  }

  /** Rows before this time, in microseconds since the epoch, are not new. */
  get from(): bigint {
    return largest(this.#floor ?? earliest, sinceLate(this.#time));
  }

  /** Where the tail is after the last batch. */
  get place(): TailPlace {
    return { ...this.#run, batch: this.batches.last, ...this.#after };
  }

  /** Whether a place is of this tail, or of another run of it. */
  isSame({ queryHash }: Pick<TailCursor, 'queryHash'>): boolean {
    return queryHash === this.#run.queryHash;
  }

  /** Whether the batches after a place are kept. */
  isKept({ tail, batch }: Pick<TailCursor, 'tail' | 'batch'>): boolean {
    return tail === this.#run.tail && batch <= this.batches.last && batch + 1 >= this.batches.first;
  }

  /** Whether the tail has not sent a row that is there, and will. */
  comes(keyed: KeyedRow): boolean {
    return this.#sent.timeOf(keyed.row) >= this.from && !this.#sent.has(keyed);
  }

  /**
   * Begins with rows that are there.
   *
   * @param floor no row before this time is new
   * @param time that of the newest row, or before which there is none
   * @param maxRows how many of the rows can be asked for
   */
  begin(rows: readonly KeyedRow[], floor: bigint, time: bigint, maxRows: number): void {
    for (const row of rows) this.#sent.add(row);
    this.#floor = floor;
    this.#time = time;
    this.#add(rows.slice(-maxRows));
  }

  /**
   * Adds rows, oldest first, as a batch.
   *
   * @param now a time ahead of it counts as this one
   * @param isShort whether others are left out
   */
  add(rows: readonly KeyedRow[], now: bigint, isShort: boolean): void {
    this.#time = this.newest(rows, now, this.#time);
    this.#add(rows, isShort);
  }

  /** The newest time of rows, or the other one if that is newer. A time ahead of the clock counts as that of the clock. */
  newest(rows: readonly KeyedRow[], now: bigint, other: bigint): bigint {
    return largest(other, ...rows.map(({ row }) => smaller(now, this.#sent.timeOf(row))));
  }

  /** Forgets rows that can't come again. */
  forget(): void {
    this.#sent.forget(sinceLate(this.#time));
  }

  /** Forgets everything: it has to begin again. A client can't go on from a place before. */
  restart(): void {
    this.batches.restart();
    this.#sent = new SentRows(this.#columns);
    this.#floor = undefined;
  }

  /** Rows in the form of events. */
  rowsOf(rows: readonly Row[]): SharedRows {
    const { columns } = this.#columns;
    return { columns, rows: rowsInMemory(rows), bodies: bodies(), truncated: false };
  }

  #add(keyed: readonly KeyedRow[], isShort = false): void {
    const from = sinceLate(this.#time);
    // Of rows before the first ones that were read, nothing is known.
    const isKnown = this.#floor !== undefined && this.#floor <= from;
    this.#after = { time: this.#time, sent: isKnown ? this.#sent.idsSince(from, maxRowIds) : undefined };
    const [rows, keys] = [keyed.map(({ row }) => row), keyed.map(({ key }) => key)];
    this.batches.add({ rows: this.rowsOf(rows), keys, after: this.#after, isShort });
  }
}

/** The earliest time of rows that come after a row of this time. */
export function sinceLate(time: bigint): bigint {
  return largest(time - maxLate);
}

/** The smaller of two times. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The largest of some times; the earliest possible one for none. */
export function largest(...times: readonly bigint[]): bigint {
  return times.reduce((before, time) => (time > before ? time : before), earliest);
}
