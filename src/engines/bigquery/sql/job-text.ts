import { hash } from 'node:crypto';
import { memoized } from '../../../base/async/memoized.ts';
import { tableOfPath } from '../../../definitions/sources/source.ts';
import type { ParameterUse } from '../../../sql/plan/parse-tree.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import { placeOfByte } from '../../../sql/text/place.ts';
import type { SqlPosition } from '../../../sql/text/text-position.ts';
import { byteOffsetAt } from '../../../sql/text/text-position.ts';
import type { Value } from '../../../sql/values/value.ts';
import type { NewestFirst } from '../bounds/bounded-sources.ts';
import { boundSql, boundsOf, spanOf, type TimeBound } from '../bounds/condition.ts';
import { parametersIn, timeLiteral } from '../bounds/constant.ts';
import type { KnownValues } from '../bounds/known-value.ts';
import { chosenEdits, isWithin as isPartOf } from '../choices/choice.ts';
import { type SlicedTexts, slicedTexts } from '../sliceable/sliced-texts.ts';
import { limitEdit, wantedRows } from '../text/row-limit.ts';
import { type TableName, withSourceNames } from '../text/table-names.ts';
import { edited, type TextEdit } from '../text/text-edits.ts';
import type { PreparedText } from './prepare-text.ts';

/** A plan in BigQuery's form. */
export interface JobText {
  /** GoogleSQL over BigQuery's tables, which returns at most one row more than wanted. */
  readonly sql: string;
  /** The used parameters, by declared name. */
  readonly parameters: ReadonlySet<string>;
  /**
   * Maps a position in `sql` to the text that its author wrote: the endpoint's file, or the caller's query. Undefined
   * for positions elsewhere.
   */
  place(position: SqlPosition): SqlPosition | undefined;
  /** BigQuery's message about `sql`, with sources in place of tables. */
  withSources(sentence: string): string;
}

/**
 * Makes the texts of jobs. The stored text, or the stored WITH clause followed by the ad-hoc query, is unchanged except
 * for names of tables and the row limit. Each plan is prepared once.
 */
export class JobTexts {
  readonly #prepare: (plan: Plan, signal?: AbortSignal) => Promise<PreparedText>;
  readonly #prepared = new WeakMap<Plan, Promise<PreparedText>>();

  /** @param prepare implements `prepareText` */
  constructor(prepare: (plan: Plan, signal?: AbortSignal) => Promise<PreparedText>) {
    this.#prepare = prepare;
  }

  /** Refuses queries that BigQuery can't run. Fails like `prepareText`. */
  prepare(plan: Plan, signal?: AbortSignal): Promise<PreparedText> {
    let prepared = this.#prepared.get(plan);
    if (prepared === undefined) {
      prepared = this.#prepare(plan, signal);
      this.#prepared.set(plan, prepared);
      prepared.catch(() => this.#prepared.delete(plan));
    }
    return prepared;
  }

  /**
   * Makes the text of a run, of the query as it is written. Fails like `prepare`.
   *
   * @param parameters the values of the run
   * @param maxRows the maximum number of rows
   */
  async of(plan: Plan, parameters: ReadonlyMap<string, Value>, maxRows: number): Promise<JobText> {
    return jobText({ plan, prepared: await this.prepare(plan), parameters, maxRows }, []);
  }

  /**
   * Makes all texts of a run. Fails like `prepare`.
   *
   * @param now microseconds since the epoch
   */
  async runs(
    plan: Plan,
    parameters: ReadonlyMap<string, Value>,
    maxRows: number,
    now: bigint,
  ): Promise<RunTexts> {
    return runTexts({ plan, prepared: await this.prepare(plan), parameters, maxRows }, now);
  }
}

/** The texts with which a query can be run. All of them have the same rows. */
export interface RunTexts {
  /** The query as it is written. */
  readonly plain: JobText;
  /**
   * With the bounds of its conditions where BigQuery chooses partitions by them, and without what the parameters exclude. Undefined if
   * that is the same.
   */
  readonly bounded: JobText | undefined;
  /** Undefined unless the newest rows of a table come first. */
  readonly newest: NewestRows | undefined;
  /**
   * The first source that is read without a proved lower bound of its time.
   *
   * @param timeOf returns the time column of a source that requires a bound, and undefined for other sources
   */
  unbounded(timeOf: (source: string) => string | undefined): string | undefined;
  /** The texts over parts of the rows, for each column that may have their time. */
  readonly sliced: readonly SlicedTexts[];
}

/** A run of a query whose first rows are the newest ones of a table. */
export interface NewestRows {
  readonly table: TableName;
  /** Its column with the time. */
  readonly column: string;
  /** So many rows are wanted. */
  readonly count: number;
  /** Rows before it aren't in the result. In microseconds since the epoch, as all times here. */
  readonly lower: bigint | undefined;
  readonly upper: bigint | undefined;
  /** The column of the result with the time of a row, if there is one. */
  readonly timeColumn: number | undefined;
  /** The same for runs that differ in their bounds only. */
  readonly key: string;
  /** The query over the rows from a time on. It has the same rows if it has as many as wanted. */
  textFrom(time: bigint): JobText;
}

interface Run {
  readonly plan: Plan;
  readonly prepared: PreparedText;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly maxRows: number;
}

function runTexts(run: Run, now: bigint): RunTexts {
  const { prepared, parameters } = run;
  const { sources, newestFirst } = prepared.bounds;
  const known = {
    now,
    parameters: new Map([...parameters].map(([name, value]) => [name.toLowerCase(), value])),
  };
  const found = sources.map((source) => ({
    ...source,
    bounds: source.conditions.flatMap((each) => boundsOf(each, known)),
  }));
  const hidden = found.filter(({ isPlain, bounds }) => !isPlain && bounds.length > 0);
  const places = new Set(hidden.map(({ start }) => start));
  const chosen = chosenEdits(prepared.choices, known);
  const newest = found.find(
    ({ start, column }) => start === newestFirst?.start && column === newestFirst.column,
  );
  return {
    plain: jobText(run, []),
    bounded:
      hidden.length === 0 && chosen.length === 0
        ? undefined
        : jobText(
            run,
            found.filter(({ start }) => places.has(start)),
            chosen,
          ),
    unbounded: (timeOf) => unboundedSource(prepared.reads, found, timeOf),
    newest: newestFirst && newestRows(run, newestFirst, { bounds: newest?.bounds ?? [], chosen }, known),
    sliced: prepared.slices ? slicedTexts({ ...run, ...prepared, prepared: prepared.slices }, known) : [],
  };
}

function unboundedSource(
  reads: PreparedText['reads'],
  found: readonly ColumnBounds[],
  timeOf: (source: string) => string | undefined,
): string | undefined {
  const isLower = ({ operator }: TimeBound) => operator !== '<' && operator !== '<=';
  const sourceOf = ({ table }: PreparedText['reads'][number]) => tableOfPath(table);
  const open = reads.find((read) => {
    const time = timeOf(sourceOf(read))?.toLowerCase();
    if (time === undefined) return false;
    return !found.some(
      ({ start, column, bounds }) =>
        start === read.start && column.toLowerCase() === time && bounds.some(isLower),
    );
  });
  return open && sourceOf(open);
}

function newestRows(
  run: Run,
  { start, column, table, timeColumn }: NewestFirst,
  { bounds, chosen }: { readonly bounds: readonly TimeBound[]; readonly chosen: readonly TextEdit[] },
  known: KnownValues,
): NewestRows | undefined {
  const { plan, prepared, parameters, maxRows } = run;
  const name = prepared.tables.get(tableOfPath(table));
  const count = wantedRows(prepared.limit, maxRows + 1, (use) => known.parameters.get(use.toLowerCase()));
  const span = spanOf(bounds, known);
  if (name === undefined || count === undefined || count < 1 || span === undefined) return undefined;
  const ofBounds = new Set(bounds.flatMap(({ time }) => [...parametersIn(time)]));
  const others = [...parameters].filter(([parameter]) => !ofBounds.has(parameter.toLowerCase()));
  const ends = span.upper !== undefined;
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return {
    table: name,
    column,
    count,
    ...span,
    timeColumn,
    key: hash('sha256', JSON.stringify([plan.id, count, ends, others], text), 'base64url'),
    textFrom: (time) => {
      const from: TimeBound = { operator: '>=', time: timeLiteral(time) };
      return jobText(run, [{ start, column, bounds: [...bounds, from] }], chosen);
    },
  };
}

/** @param chosen replaces parts of the text, with all edits within these */
function jobText(
  { plan, prepared, parameters, maxRows }: Run,
  bounds: readonly ColumnBounds[],
  chosen: readonly TextEdit[] = [],
): JobText {
  const { tables, edits, after, limit, uses } = prepared;
  const declared = declaredNames(plan.parameters);
  const nameOf = (use: string) => declared.get(use.toLowerCase());
  const limited = limitEdit(limit, maxRows + 1, (use) => parameters.get(nameOf(use) ?? use));
  const { text, originOf } = edited(plan.sql, [
    ...chosen,
    ...edits
      .filter((edit) => !chosen.some((outer) => isPartOf(edit, outer)))
      .map((edit) => withBounds(edit, bounds)),
    ...(limited === undefined ? [] : [limited]),
    ...after,
  ]);
  const used = uses.filter((use) => !isWithin(use, limited)).map(({ name }) => nameOf(name) ?? name);
  return {
    sql: text,
    parameters: new Set(used),
    place: (position) => placeOfByte(plan, originOf(byteOffsetAt(text, position))),
    withSources: (sentence) => withSourceNames(sentence, tables),
  };
}

/** Bounds of a column where a table is read. */
interface ColumnBounds {
  readonly start: number;
  readonly column: string;
  readonly bounds: readonly TimeBound[];
}

/** A subquery over the rows of a table within bounds, in place of the table's name. */
function withBounds(edit: TextEdit, all: readonly ColumnBounds[]): TextEdit {
  const own = all.filter(({ start }) => start === edit.start && edit.end > edit.start);
  const conditions = own.flatMap(({ column, bounds }) => bounds.map((bound) => boundSql(column, bound)));
  if (conditions.length === 0) return edit;
  return { ...edit, text: `(SELECT * FROM ${edit.text} WHERE ${conditions.join(' AND ')})` };
}

/** GoogleSQL ignores the letter case of parameter names. */
const declaredNames = memoized(
  (parameters: Plan['parameters']): ReadonlyMap<string, string> =>
    new Map([...parameters.keys()].map((name) => [name.toLowerCase(), name])),
);

function isWithin({ byteOffset }: ParameterUse, edit: TextEdit | undefined): boolean {
  return edit !== undefined && byteOffset >= edit.start && byteOffset < edit.end;
}
