import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { type Span, type Spans, spansWithin, withoutSpans } from '../../../base/forms/spans.ts';
import type { EmittedQuery } from '../emit/emitter/context.ts';
import {
  partSelect,
  type SliceReads,
  selectsOfRows,
  sliceColumn,
  slicedSql,
} from '../emit/sliced/slice-marks.ts';
import type { Store } from '../store/store.ts';
import type { IsFlatOnly } from '../store/tables/list-tables.ts';
import type { RowWatch } from '../store/transactions/changing-rows.ts';
import { changedSlices, countSlices, slicePlan, windowOf } from './slice-plan.ts';
import { type SliceSet, type TableRead, timesOfSlices, touchedSlices } from './slice-set.ts';
import { SliceSets } from './slice-sets.ts';
import { rowsWithin, type SourceTimes, shiftFor, sourceTimes } from './source-times.ts';

/** Runs SQL in a run's transaction, until the run is cancelled. */
type Execute = (sql: string, take: (chunk: DuckDBDataChunk) => void) => Promise<void>;

interface SlicesOptions {
  readonly store: Pick<Store, 'changing' | 'derive' | 'connect'>;
  /** The wall clock: microseconds since the epoch. */
  readonly now: () => bigint;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** The most bytes of all slices. */
  readonly maxBytes: number;
  /** A query of fewer rows isn't sliced: it takes a few milliseconds. */
  readonly leastRows?: number;
  /** About how many rows a slice has. */
  readonly sliceRows?: number;
  /** Called when a run with slices has failed. It is repeated without. */
  readonly onFailure?: (error: unknown) => void;
  /** The name of a source in the store. */
  readonly sourceName: (table: string) => string;
}

/** Slices that a run could keep. */
interface MissingSlices {
  readonly number: number;
  readonly set: SliceSet;
  readonly slices: Spans;
  readonly window: Span;
  readonly times: SourceTimes;
  /** Identifies the aggregation for all values. */
  readonly trial: string;
}

/** How a run is answered from slices. */
export interface SlicedRun {
  readonly sql: string;
  /** Slices to make first, which later runs need not compute. */
  readonly missing: readonly MissingSlices[];
  /** How many kept slices it reads. */
  readonly kept: number;
  /** To be called when the SQL has run. */
  end(): void;
}

/** Keeps aggregates of rows by time, so that the next run of a query reads only rows that are new. */
export class Slices {
  readonly #options: SlicesOptions;
  readonly #sets: SliceSets;
  readonly #leastRows: number;
  readonly #sliceRows: number;
  readonly #times = new Map<string, { readonly read: number; readonly times: SourceTimes }>();
  /** The keys of the sets to which a run adds slices. */
  readonly #filling = new Set<string>();
  readonly #end: () => void;
  #dropping: Promise<unknown> = Promise.resolve();
  #dropped: Promise<DuckDBConnection> | undefined;
  #tables = 0;

  constructor(options: SlicesOptions) {
    const { store, elapsed, maxBytes, leastRows = 100_000, sliceRows = 32_768 } = options;
    this.#options = options;
    this.#leastRows = leastRows;
    this.#sliceRows = sliceRows;
    this.#sets = new SliceSets({ maxBytes, elapsed, drop: ({ sql }) => this.#drop(sql) });
    this.#end = store.changing.onChanging((changes) => this.#sets.changed(changes));
  }

  /** The number of bytes of all slices. */
  get bytes(): number {
    return this.#sets.bytes;
  }

  /** Watches commits. To be called before the snapshot of a run. */
  watch(): RowWatch {
    return this.#options.store.changing.watch();
  }

  /** Whether the tables are known to have so few rows that no query over them is sliced. */
  areSmall(tables: readonly string[]): boolean {
    return tables.every((table) => {
      const known = this.#knownTimes(this.#options.sourceName(table));
      return known !== undefined && known.rows < this.#leastRows;
    });
  }

  /**
   * Finds what a run needs to read.
   *
   * @param query with marks
   * @param plan identifies the query for all values
   * @param watch since before the run's snapshot
   * @returns undefined if the query is better run without slices
   */
  async begin(
    query: EmittedQuery,
    plan: string,
    watch: RowWatch,
    execute: Execute,
  ): Promise<SlicedRun | undefined> {
    const { sql, slices = [] } = query;
    const found: { readonly missing: MissingSlices; readonly select: string }[] = [];
    for (const [number, { table, bounds }] of slices.entries()) {
      const source = this.#options.sourceName(table);
      const times = this.#knownTimes(source) ?? (await this.#readTimes(source, execute));
      const select = partSelect(sql, number);
      const set = this.#sets.of(select, source, shiftFor(times, this.#sliceRows));
      const window = windowOf(bounds);
      const missing = { number, set, slices: [], window, times, trial: `${plan} ${number}` };
      found.push({ missing, select });
    }
    const pays = ({ window, times, trial }: MissingSlices) =>
      rowsWithin(times, [window]) >= this.#leastRows && this.#sets.pays(trial);
    if (!found.some(({ missing }) => pays(missing))) return undefined;
    const reads: SliceReads[] = [];
    const missing: MissingSlices[] = [];
    const ends: (() => void)[] = [];
    let kept = 0;
    // From here on, nothing is awaited: slices and changes belong together.
    for (const { missing: each } of found) {
      const { set, window, times, trial } = each;
      const now = this.#options.now();
      const read = slicePlan(set, window, watch.of(set.source), now);
      const toMake = { ...each, slices: read.missing };
      const enough = rowsWithin(times, timesOfSlices(read.missing, set.shift)) >= this.#leastRows / 16;
      if (pays(each) && enough && !this.#filling.has(set.key)) missing.push(toMake);
      const { reads: tables, end } = set.read(read.kept);
      const count = countSlices(read.kept, times.times, set.shift);
      if (count > 0) this.#sets.used(trial);
      kept += count;
      ends.push(end);
      reads.push({ stored: tables.map(selectOfTable), rows: read.rows, shift: set.shift });
    }
    const end = () => {
      for (const each of ends) each();
    };
    return { sql: slicedSql(sql, reads), missing, kept, end };
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
        for (const slices of steps(each))
          if (!(await this.#makeSome(connection, { ...each, slices }, queryFor, execute))) break;
          else made += countSlices(slices, each.times.times, each.set.shift);
      } finally {
        this.#filling.delete(key);
      }
    }
    return made;
  }

  /** @returns whether it pays */
  async #makeSome(
    connection: DuckDBConnection,
    { number, set, slices, trial }: MissingSlices,
    queryFor: (isFlatOnly: IsFlatOnly) => Promise<EmittedQuery | undefined>,
    execute: Execute,
  ): Promise<boolean> {
    const { store } = this.#options;
    const present = this.#sets.find(set.key);
    if (present !== undefined && present !== set) return false;
    using watch = store.changing.watch();
    this.#tables += 1;
    const table = `slices.main.t${this.#tables}`;
    let kept: { readonly slices: Spans; readonly end: () => void } | undefined;
    let [groups, rows, bytes] = [0, 0, 0];
    try {
      const isSame = await store.derive(connection, async (isFlatOnly) => {
        const query = await queryFor(isFlatOnly);
        if (query === undefined || partSelect(query.sql, number) !== set.key) return false;
        const { shift } = set;
        const stored =
          set.tables >= maxTables ? withoutSpans(set.slices, changedSlices(watch.of(set.source), shift)) : [];
        const { reads, end } = set.read(stored);
        kept = { slices: reads.flatMap((read) => read.slices), end };
        const fresh = selectsOfRows(set.key, number, { rows: timesOfSlices(slices, shift), shift });
        const select = [...reads.map(selectOfTable), ...fresh].join(' UNION ALL ');
        await execute(`CREATE TABLE ${table} AS ${select}`, () => undefined);
        const size = `SELECT count(*), CAST(coalesce(sum(slice_rows), 0) AS BIGINT) FROM ${table}`;
        const lengths = `SELECT coalesce(avg(strlen(CAST(t AS VARCHAR))), 0) FROM (SELECT * FROM ${table} LIMIT ${sampleRows}) AS t`;
        await execute(`SELECT *, (${lengths}) FROM (${size})`, (chunk) => {
          const [count, all, length] = chunk.getRowValues(0);
          [groups, rows] = [Number(count), Number(all)];
          bytes = Math.ceil(groups * (Number(length) + groupBytes));
        });
        return true;
      });
      if (!isSame) return false;
    } finally {
      kept?.end();
    }
    this.#sets.made(trial);
    if (groups > leastGroups && groups * leastRowsOfGroup > rows) {
      this.#sets.dearer(trial);
      this.#drop(table);
      return false;
    }
    const changed = changedSlices(watch.of(set.source), set.shift);
    const right = [...slices, ...(kept?.slices ?? [])].sort((a, b) => (a.from < b.from ? -1 : 1));
    this.#sets.add(set, { sql: table, bytes, groups }, withoutSpans(right, changed));
    return true;
  }

  #knownTimes(source: string): SourceTimes | undefined {
    const known = this.#times.get(source);
    return known !== undefined && this.#options.elapsed() - known.read < timesMs ? known.times : undefined;
  }

  async #readTimes(source: string, execute: Execute): Promise<SourceTimes> {
    const times = await sourceTimes(source, execute);
    this.#times.set(source, { read: this.#options.elapsed(), times });
    return times;
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

  /** Notes that a run with slices has failed, and is repeated without. */
  failed(error: unknown): void {
    this.#options.onFailure?.(error);
  }

  async close(): Promise<void> {
    this.#end();
    await this.#dropping;
    (await this.#dropped?.catch(() => undefined))?.closeSync();
  }
}

/** For how long the spread of a source's rows is taken for known, in milliseconds. */
const timesMs = 60_000;
/** More tables than this are made one. */
const maxTables = 8;
/** The rows of a table whose length is measured, and what DuckDB needs for a row besides its values (estimated). */
const [sampleRows, groupBytes] = [1_000, 32];
/** Groups of fewer rows than this on average are no smaller than the rows; a few groups don't matter. */
const leastRowsOfGroup = 4;
const leastGroups = 4_096;
/** Of many rows, the newest of them show whether slices pay. */
const manyRows = 1_000_000;
const shareTried = 16n;

/** The slices in the steps in which they are made. */
function steps({ set, slices, times }: MissingSlices): Spans[] {
  const within = spansWithin(slices, touchedSlices(times.times, set.shift));
  const [first, last] = [within[0], within.at(-1)];
  const rows = rowsWithin(times, timesOfSlices(slices, set.shift));
  if (set.tables > 0 || rows < manyRows || first === undefined || last === undefined) return [slices];
  const border = last.to - (last.to - first.from) / shareTried;
  const newest = slices.flatMap(({ from, to }) =>
    to <= border ? [] : [{ from: from > border ? from : border, to }],
  );
  const older = withoutSpans(slices, newest);
  return older.length === 0 || newest.length === 0 ? [slices] : [newest, older];
}

function selectOfTable({ sql, slices }: TableRead): string {
  const ranges = slices.map(({ from, to }) => `${sliceColumn} >= ${from} AND ${sliceColumn} < ${to}`);
  return `SELECT * FROM ${sql} WHERE ${ranges.join(' OR ')}`;
}
