import { joinedSpans, type Span, type Spans, spansWithin, withoutSpans } from '../../../base/forms/spans.ts';

/** Slices of one width: two to the power of `shift`, in microseconds. Their borders are multiples of it. */
export interface Level {
  readonly shift: number;
  /** The times of the slices, in microseconds. A slice without rows is one, too. */
  readonly times: Spans;
}

/** A table with slices. Each row of it has the time at which its slice begins. */
export interface SliceTable {
  /** Its whole name, as SQL. */
  readonly sql: string;
  readonly bytes: number;
}

interface KeptTable extends SliceTable {
  /** The place among all tables in the order in which they were added. */
  readonly place: number;
  /** The slices of it that are right. */
  levels: readonly Level[];
  /** Runs that read it. */
  readers: number;
}

/** What a run reads from a table: the times, in microseconds, whose slices are whole in them. */
export interface TableRead {
  readonly sql: string;
  readonly times: Spans;
}

/** What a run sees of a set. */
export interface Seen {
  /** The times that it reads. */
  readonly within: Span;
  /** Times whose rows may differ between slices and the run's snapshot. */
  readonly changed: Spans;
  /** Tables from this place on were added after the snapshot, which doesn't have them. */
  readonly before: number;
}

/** The longest span of slices within a span. It may be empty. */
export function wholeSlices({ from, to }: Span, shift: number): Span {
  const bits = BigInt(shift);
  return { from: -(-from >> bits) << bits, to: (to >> bits) << bits };
}

/** The shortest span of slices around a span. */
export function touchedSlices({ from, to }: Span, shift: number): Span {
  const bits = BigInt(shift);
  return { from: (from >> bits) << bits, to: -(-to >> bits) << bits };
}

/** The slices of a level without those that have any of these times. */
function withoutTimes({ shift, times }: Level, removed: Spans): Level {
  const touched = joinedSpans(removed.map((span) => touchedSlices(span, shift)));
  return { shift, times: withoutSpans(times, touched) };
}

/** The slices of a level that are whole in a span. */
function levelWithin({ shift, times }: Level, span: Span): Spans {
  return spansWithin(times, wholeSlices(span, shift));
}

/** The slices of one aggregation with the same values. No two of them have the same time. */
export class SliceSet {
  readonly key: string;
  readonly source: string;
  /** That of the widest slices. */
  readonly shift: number;
  readonly #tables = new Set<KeptTable>();
  readonly #drop: (table: SliceTable) => void;

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

  /** The times of the slices that a run may read. */
  times(seen: Seen): Spans {
    return joinedSpans(this.levels(seen).flatMap(({ times }) => times));
  }

  /** The slices that a run may read, by their width. */
  levels({ within, changed, before }: Seen): readonly Level[] {
    return [...this.#tables]
      .filter(({ place }) => place < before)
      .flatMap(({ levels }) => levels)
      .map((level) => ({ shift: level.shift, times: levelWithin(withoutTimes(level, changed), within) }));
  }

  /**
   * Adds a table. Earlier slices of the same times are no longer read.
   *
   * @param place see `Seen.before`
   */
  add(table: SliceTable, levels: readonly Level[], place: number): void {
    this.remove(joinedSpans(levels.flatMap(({ times }) => times)));
    this.#tables.add({ ...table, levels, place, readers: 0 });
    this.#dropUnread();
  }

  /** Forgets the slices that have any of these times: their rows have changed. */
  remove(times: Spans): void {
    for (const table of this.#tables) table.levels = table.levels.map((level) => withoutTimes(level, times));
    this.#dropUnread();
  }

  /**
   * The tables with slices of these times, which stay until the reader has ended.
   *
   * @param times borders of slices
   * @returns what to read, and a function that ends reading
   */
  read(times: Spans): { readonly reads: readonly TableRead[]; readonly end: () => void } {
    const reads: TableRead[] = [];
    const read: KeptTable[] = [];
    for (const table of this.#tables) {
      const own = joinedSpans(table.levels.flatMap((level) => level.times));
      const within = times.flatMap((span) => spansWithin(own, span));
      if (within.length === 0) continue;
      reads.push({ sql: table.sql, times: within });
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
      if (table.levels.some(({ times }) => times.length > 0) || table.readers > 0) continue;
      this.#tables.delete(table);
      this.#drop(table);
    }
  }
}
