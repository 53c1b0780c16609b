import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import {
  joinedSpans,
  lengthOfSpans,
  type Span,
  type Spans,
  spansWithin,
  withoutSpans,
} from '../../../base/forms/spans.ts';
import type { EmittedQuery } from '../emit/emitter/context.ts';
import {
  joinedSelect,
  partSelect,
  partsOf,
  type SliceReads,
  sliceColumn,
  slicedSql,
} from '../emit/sliced/slice-marks.ts';
import type { Store } from '../store/store.ts';
import { keySql, usualKey } from '../store/tables/key-sql.ts';
import type { IsFlatOnly } from '../store/tables/list-tables.ts';
import type { RowWatch } from '../store/transactions/changing-rows.ts';
import { allTimes, changedTimes, leastShift, slicePlan, slicesToMake, windowOf } from './slice-plan.ts';
import { type Level, type SliceSet, type TableRead, wholeSlices } from './slice-set.ts';
import { SliceSets } from './slice-sets.ts';
import { SourceTimes, shiftFor } from './source-times.ts';

/** Runs SQL in a run's transaction, until the run is cancelled. */
type Execute = (sql: string, take: (chunk: DuckDBDataChunk) => void) => Promise<void>;

interface SlicesOptions {
  readonly store: Pick<Store, 'changing' | 'derive' | 'connect'> & Partial<Pick<Store, 'sources'>>;
  /** The wall clock: microseconds since the epoch. */
  readonly now: () => bigint;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** The most bytes of all slices. */
  readonly maxBytes: number;
  /** A query of fewer rows isn't sliced: it takes a few milliseconds. */
  readonly leastRows?: number;
  /** Slices are made from this run of a query on: most queries that callers write themselves come once. */
  readonly leastRuns?: number;
  /** A query that takes fewer milliseconds without slices has none, unless it reads very many rows. */
  readonly leastMs?: number;
  /** About how many rows the widest slices have. */
  readonly sliceRows?: number;
  /** Called when a run with slices has failed. It is repeated without. */
  readonly onFailure?: (error: unknown) => void;
  /** The name of a source in the store. */
  readonly sourceName: (table: string) => string;
}

/** An aggregation of a run. */
interface Sliced {
  readonly number: number;
  readonly set: SliceSet;
  /** The times that the run reads. */
  readonly window: Span;
  /** Whether slices are made if they are missing. */
  readonly isRepeated: boolean;
  /** Identifies the aggregation for all values. */
  readonly trial: string;
}

/** Slices that a run could keep. */
interface MissingSlices extends Sliced {
  readonly levels: readonly Level[];
}

/** How a run is answered from slices. */
export interface SlicedRun {
  readonly sql: string;
  /** Slices to make first, which later runs need not compute. */
  readonly missing: readonly MissingSlices[];
  /** How many kept slices it reads. */
  readonly kept: number;
  /** To be called if the kept slices are those of earlier runs. */
  noteUse(): void;
  /** To be called when the SQL has run. */
  end(): void;
}

/** A run that reads all rows. */
export interface UnslicedRun {
  /** To be called with its time in milliseconds. */
  took(ms: number): void;
}

/** What has changed since before a run's snapshot. */
export interface SliceWatch extends Disposable {
  readonly rows: RowWatch;
  /** See `Seen`. */
  readonly before: number;
}

/** Keeps aggregates of rows by time, so that the next run of a query reads only rows that are new. */
export class Slices {
  readonly #options: Required<Omit<SlicesOptions, 'onFailure'>> & Pick<SlicesOptions, 'onFailure'>;
  readonly #sets: SliceSets;
  readonly #sources: SourceTimes;
  /** The keys of the sets to which a run adds slices. */
  readonly #filling = new Set<string>();
  readonly #end: () => void;
  #dropping: Promise<unknown> = Promise.resolve();
  #dropped: Promise<DuckDBConnection> | undefined;
  #tables = 0;

  /** Opens a database for slices beside the store's. */
  static async open(options: SlicesOptions): Promise<Slices> {
    const connection = await options.store.connect();
    try {
      await connection.run(`ATTACH ':memory:' AS ${database}`);
    } finally {
      connection.closeSync();
    }
    return new Slices(options);
  }

  private constructor(options: SlicesOptions) {
    this.#options = { leastRows: 100_000, leastRuns: 2, leastMs: 25, sliceRows: 8_192, ...options };
    const { store, elapsed, maxBytes } = options;
    const timeOf = (name: string) => {
      const source = store.sources?.find((each) => each.name === name);
      return (source === undefined ? usualKey : keySql(source)).time;
    };
    this.#sources = new SourceTimes(elapsed, timeOf);
    this.#sets = new SliceSets({ maxBytes, elapsed, drop: ({ sql }) => this.#drop(sql) });
    this.#end = store.changing.onChanging((changes, isOver) => {
      this.#sets.changed(changes);
      if (isOver) this.#sources.changed(changes);
    });
  }

  /** The number of bytes of all slices. */
  get bytes(): number {
    return this.#sets.bytes;
  }

  /** Watches commits. To be called before the snapshot of a run. */
  watch(): SliceWatch {
    const rows = this.#options.store.changing.watch();
    return { rows, before: this.#sets.added, [Symbol.dispose]: () => rows[Symbol.dispose]() };
  }

  /** Whether the tables are known to have so few rows that no query over them is sliced. */
  areSmall(tables: readonly string[]): boolean {
    const { sourceName, leastRows } = this.#options;
    return tables.every((table) => {
      const rows = this.#sources.rowsWithin(sourceName(table), [allTimes]);
      return rows !== undefined && rows < leastRows;
    });
  }

  /**
   * Finds what a run needs to read.
   *
   * @param query with marks
   * @param plan identifies the query for all values
   * @param watch since before the run's snapshot
   * @returns a run without slices if that is better
   */
  async begin(
    { sql, slices = [] }: EmittedQuery,
    plan: string,
    watch: SliceWatch,
    execute: Execute,
  ): Promise<SlicedRun | UnslicedRun> {
    const { sourceName, sliceRows, leastRows, leastRuns, leastMs, now } = this.#options;
    const all: Sliced[] = [];
    for (const [number, { table, bounds }] of slices.entries()) {
      const source = sourceName(table);
      const spread = await this.#sources.of(source, execute);
      const set = this.#sets.of(partsOf(sql, number).select, source, shiftFor(spread, sliceRows));
      const window = windowOf(bounds);
      const isLarge = (this.#sources.rowsWithin(source, [window]) ?? 0) >= manyRows;
      const { count, ms } = this.#sets.countRun(set.key);
      const isRepeated = isLarge || (count >= leastRuns && ms >= leastMs);
      all.push({ number, set, window, isRepeated, trial: `${plan} ${number}` });
    }
    const rowsOf = (source: string, spans: Spans) => this.#sources.rowsWithin(source, spans) ?? 0;
    const pays = ({ set, window, trial }: Sliced) =>
      rowsOf(set.source, [window]) >= leastRows && this.#sets.pays(trial);
    const isOfUse = (each: Sliced) => (each.isRepeated || each.set.tables > 0) && pays(each);
    if (!all.some(isOfUse)) {
      return {
        took: (ms) => {
          for (const { set } of all) this.#sets.took(set.key, ms);
        },
      };
    }
    const reads: SliceReads[] = [];
    const missing: MissingSlices[] = [];
    const ends: (() => void)[] = [];
    const used: string[] = [];
    let kept = 0;
    // From here on, nothing is awaited: slices and changes belong together.
    for (const each of all) {
      const { set, window, isRepeated, trial } = each;
      const changed = changedTimes(watch.rows.of(set.source));
      const seen = { within: window, changed, before: watch.before };
      const read = slicePlan(set, seen);
      const arrived = wholeSlices({ from: window.from, to: least(window.to, now()) }, leastShift);
      const open = read.rows.flatMap((span) => spansWithin(withoutSpans([span], changed), arrived));
      const areMany = (times: Spans) => rowsOf(set.source, times) >= leastRows / leastShare;
      const levels = slicesToMake(open, arrived, set.shift, areMany);
      const isEnough = areMany(levels.flatMap(({ times }) => times));
      const mayFill = isRepeated && pays(each) && !this.#filling.has(set.key);
      if (levels.length > 0 && isEnough && mayFill) missing.push({ ...each, levels });
      const { reads: tables, end } = set.read(read.kept);
      const count = this.#count(set, set.levels(seen));
      kept += count;
      ends.push(end);
      if (count > 0) used.push(trial);
      reads.push({ stored: tables.map(selectOfTable), rows: read.rows });
    }
    const end = () => {
      for (const each of ends) each();
    };
    const noteUse = () => {
      for (const each of used) this.#sets.used(each);
    };
    return { sql: slicedSql(sql, reads), missing, kept, noteUse, end };
  }

  /**
   * Makes missing slices.
   *
   * @param queryFor gives the query for a snapshot
   * @returns how many
   */
  async make(
    connection: DuckDBConnection,
    missing: readonly MissingSlices[],
    queryFor: (isFlatOnly: IsFlatOnly) => Promise<EmittedQuery | undefined>,
    execute: Execute,
  ): Promise<number> {
    let made = 0;
    for (const each of missing) {
      const { key } = each.set;
      if (this.#filling.has(key)) continue;
      this.#filling.add(key);
      try {
        for (const levels of this.#steps(each))
          if (!(await this.#makeSome(connection, { ...each, levels }, queryFor, execute))) break;
          else made += this.#count(each.set, levels);
      } finally {
        this.#filling.delete(key);
      }
    }
    return made;
  }

  /** @returns whether it pays */
  async #makeSome(
    connection: DuckDBConnection,
    { number, set, levels, trial }: MissingSlices,
    queryFor: (isFlatOnly: IsFlatOnly) => Promise<EmittedQuery | undefined>,
    execute: Execute,
  ): Promise<boolean> {
    const { store } = this.#options;
    const present = this.#sets.find(set.key);
    if (present !== undefined && present !== set) return false;
    using watch = this.watch();
    this.#tables += 1;
    const table = `${database}.main.t${this.#tables}`;
    let joined: readonly Level[] = [];
    let endReading = () => {};
    let [groups, rows, bytes] = [0, 0, 0];
    try {
      const isSame = await store.derive(connection, async (isFlatOnly) => {
        const query = await queryFor(isFlatOnly);
        const parts = query && partsOf(query.sql, number);
        if (parts?.select !== set.key) return false;
        if (set.tables >= maxTables) {
          // Another run may have made some of these slices meanwhile.
          const fresh = levels.flatMap(({ times }) => times);
          const others = joinedSpans([...changedTimes(watch.rows.of(set.source)), ...fresh]);
          joined = joinedLevels(set, others, watch.before);
        }
        const old = joined.map((level) => {
          const { reads, end } = set.read(level.times);
          const before = endReading;
          endReading = () => {
            before();
            end();
          };
          const tables = `(${reads.map(selectOfTable).join(' UNION ALL ')})`;
          return joinedSelect(parts, tables, level.shift);
        });
        const fresh = levels.flatMap(({ shift, times }) =>
          times.map((span) => partSelect(parts.select, number, span, shift)),
        );
        await execute(`CREATE TABLE ${table} AS ${[...old, ...fresh].join(' UNION ALL ')}`, () => undefined);
        const size = `SELECT count(*), CAST(coalesce(sum(slice_rows), 0) AS BIGINT) FROM ${table}`;
        const sample = `(SELECT * FROM ${table} LIMIT ${sampleRows})`;
        const length = 'coalesce(avg(strlen(CAST(t AS VARCHAR))), 0)';
        const shape = `SELECT ${length}, coalesce(max(len(struct_keys(t))), 0) FROM ${sample} AS t`;
        await execute(`SELECT * FROM (${size}), (${shape})`, (chunk) => {
          const [count, all, ofOne, columns] = chunk.getRowValues(0);
          [groups, rows] = [Number(count), Number(all)];
          const ofColumn = groups > fewRows ? columnBytes : smallColumnBytes;
          bytes = Math.ceil(groups * (Number(ofOne) + groupBytes) + Number(columns) * ofColumn);
        });
        return true;
      });
      if (!isSame) return false;
    } finally {
      endReading();
    }
    this.#sets.made(trial);
    if (groups > leastGroups && groups * leastRowsOfGroup > rows) {
      this.#sets.dearer(trial);
      this.#drop(table);
      return false;
    }
    const changed = changedTimes(watch.rows.of(set.source));
    const fits = this.#sets.add(set, { sql: table, bytes }, [...joined, ...levels], changed);
    if (!fits) this.#sets.dearer(trial);
    return fits;
  }

  /** How many slices there are of those that may have rows. */
  #count(set: SliceSet, levels: readonly Level[]): number {
    const { times } = this.#sources.known(set.source) ?? { times: allTimes };
    return levels.reduce((sum, { shift, times: ofLevel }) => {
      const within = spansWithin(ofLevel, times);
      return sum + Number(lengthOfSpans(within) >> BigInt(shift)) + (within.length > 0 ? 1 : 0);
    }, 0);
  }

  /** The slices in the steps in which they are made: of many rows, the newest show whether slices pay. */
  #steps({ set, levels }: MissingSlices): (readonly Level[])[] {
    const times = joinedSpans(levels.flatMap((level) => level.times));
    const spread = this.#sources.known(set.source);
    if (
      set.tables > 0 ||
      spread === undefined ||
      (this.#sources.rowsWithin(set.source, times) ?? 0) < manyRows
    )
      return [levels];
    const { from, to } = spread.times;
    const newest = wholeSlices({ from: to - (to - from) / shareTried, to: allTimes.to }, set.shift);
    const first = levels.map(({ shift, times }) => ({ shift, times: spansWithin(times, newest) }));
    const others = levels.map(({ shift, times }) => ({ shift, times: withoutSpans(times, [newest]) }));
    const steps = [first, others].map((step) => step.filter((level) => level.times.length > 0));
    return steps.filter((step) => step.length > 0);
  }

  /** Notes that a run with slices has failed, and is repeated without. */
  failed(error: unknown): void {
    this.#options.onFailure?.(error);
  }

  /** Drops a table that nobody reads. Its memory is free soon after. */
  #drop(table: string): void {
    this.#dropping = this.#dropping.then(async () => {
      this.#dropped ??= this.#options.store.connect();
      await (await this.#dropped).run(`DROP TABLE IF EXISTS ${table}`);
    });
    // The store is closing, and its memory is free then.
    this.#dropping = this.#dropping.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#end();
    await this.#dropping;
    (await this.#dropped?.catch(() => undefined))?.closeSync();
  }
}

/** The attached database in memory with the tables of slices. */
const database = 'slices';
/** Slices of so small a part of the rows that make a query worth slicing aren't worth being made. */
const leastShare = 16;
/** More tables than this are made one. */
const maxTables = 4;
/** The rows of a table whose length is measured, and what DuckDB needs for a row besides its values (estimated). */
const [sampleRows, groupBytes] = [1_000, 32];
/** What DuckDB takes for a column at once (measured): for a vector's values, and for a block if there are more. */
const [fewRows, smallColumnBytes, columnBytes] = [2_048, 32_768, 262_144];
/** Groups of fewer rows than this on average are no smaller than the rows; a few groups don't matter. */
const leastRowsOfGroup = 4;
const leastGroups = 4_096;
const manyRows = 1_000_000;
const shareTried = 16n;

/** All slices of a set in as wide slices as they fill. */
function joinedLevels(set: SliceSet, changed: Spans, before: number): readonly Level[] {
  const kept = set.levels({ within: allTimes, changed, before });
  const all = joinedSpans(kept.flatMap(({ times }) => times));
  const wide = all.map((span) => wholeSlices(span, set.shift)).filter(({ from, to }) => from < to);
  const narrow = kept.map(({ shift, times }) => ({ shift, times: withoutSpans(times, wide) }));
  return [{ shift: set.shift, times: wide }, ...narrow].filter(({ times }) => times.length > 0);
}

function selectOfTable({ sql, times }: TableRead): string {
  const ranges = times.map(({ from, to }) => `${sliceColumn} >= ${from} AND ${sliceColumn} < ${to}`);
  return `SELECT * FROM ${sql} WHERE ${ranges.join(' OR ')}`;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
