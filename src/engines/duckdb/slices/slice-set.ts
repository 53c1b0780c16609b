import { joinedSpans, type Span, type Spans, spansWithin, withoutSpans } from '../../../base/forms/spans.ts';

/** A table with the slices of some times. */
export interface SliceTable {
  /** Its whole name, as SQL. */
  readonly sql: string;
  readonly bytes: number;
  readonly groups: number;
}

interface KeptTable extends SliceTable {
  /** The slices that it has, and that are right. A slice without rows is one, too. By their numbers. */
  slices: Spans;
  /** Runs that read it. */
  readers: number;
}

/** Slices that a run reads from a table. */
export interface TableRead {
  readonly sql: string;
  readonly slices: Spans;
}

/** Microseconds of a span as numbers of slices that are whole in it, and those of slices as microseconds. */
export function wholeSlices({ from, to }: Span, shift: number): Span {
  const bits = BigInt(shift);
  return { from: -(-from >> bits), to: to >> bits };
}

/** The slices with any time of a span. */
export function touchedSlices({ from, to }: Span, shift: number): Span {
  const bits = BigInt(shift);
  return { from: from >> bits, to: -(-to >> bits) };
}

/** The times of slices, in microseconds. */
export function timesOfSlices(slices: Spans, shift: number): Spans {
  const bits = BigInt(shift);
  return slices.map(({ from, to }) => ({ from: from << bits, to: to << bits }));
}

/** The slices of one aggregation with the same values. Each slice is in one of its tables. */
export class SliceSet {
  readonly key: string;
  readonly source: string;
  /** The width of a slice is two to the power of this, in microseconds. */
  readonly shift: number;
  readonly #tables = new Set<KeptTable>();
  readonly #drop: (table: SliceTable) => void;
  /** Whether a run adds slices. */
  isFilled = false;
  /** The runs that read kept slices. */
  uses = 0;

  /** @param drop called with a table that nobody reads any more */
  constructor(key: string, source: string, shift: number, drop: (table: SliceTable) => void) {
    this.key = key;
    this.source = source;
    this.shift = shift;
    this.#drop = drop;
  }

  get bytes(): number {
    return [...this.#tables].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get tables(): number {
    return this.#tables.size;
  }

  /** The slices that are kept. */
  get slices(): Spans {
    return joinedSpans([...this.#tables].flatMap(({ slices }) => slices));
  }

  /** Adds a table. Of earlier ones, its slices are no longer read. */
  add(table: SliceTable, slices: Spans): void {
    this.remove(slices);
    this.#tables.add({ ...table, slices, readers: 0 });
    this.#dropUnread();
  }

  /** Forgets slices: their rows have changed. */
  remove(slices: Spans): void {
    for (const table of this.#tables) table.slices = withoutSpans(table.slices, slices);
    this.#dropUnread();
  }

  /**
   * The tables with these slices, which stay until the reader has ended.
   *
   * @returns what to read, and a function that ends reading
   */
  read(slices: Spans): { readonly reads: readonly TableRead[]; readonly end: () => void } {
    const reads: TableRead[] = [];
    const read: KeptTable[] = [];
    for (const table of this.#tables) {
      const own = slices.flatMap((span) => spansWithin(table.slices, span));
      if (own.length === 0) continue;
      reads.push({ sql: table.sql, slices: own });
      table.readers += 1;
      read.push(table);
    }
    return {
      reads,
      end: () => {
        for (const table of read) table.readers -= 1;
        this.#dropUnread();
      },
    };
  }

  #dropUnread(): void {
    for (const table of this.#tables) {
      if (table.slices.length > 0 || table.readers > 0) continue;
      this.#tables.delete(table);
      this.#drop(table);
    }
  }
}
