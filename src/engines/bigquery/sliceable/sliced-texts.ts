import { hash } from 'node:crypto';
import type { Span } from '../../../base/forms/spans.ts';
import { tableOfPath } from '../../../definitions/sources/source.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { tokens } from '../../../sql/text/lexer.ts';
import { constantSql, timestampLiteral } from '../../../sql/text/sql-text.ts';
import { microsPerDay } from '../../../sql/values/time-units.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import type { Row, Value } from '../../../sql/values/value.ts';
import { boundSql, exactBoundsOf, type TimeBound } from '../bounds/condition.ts';
import { sqlOf, timeLiteral } from '../bounds/constant.ts';
import type { KnownValues } from '../bounds/known-value.ts';
import { limitEdit } from '../text/row-limit.ts';
import { quotedTable, type TableName } from '../text/table-names.ts';
import { edited, type TextEdit } from '../text/text-edits.ts';
import { type QueryParameter, queryParameters } from '../values/query-parameters.ts';
import { common, daysWithin } from './day-span.ts';
import type { PreparedSlices } from './prepared-slices.ts';
import type { TimedSource } from './sliceable.ts';
import { composed, isWithin } from './text-piece.ts';

/** The text of a job over slices. */
export interface SliceJob {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** The columns of its result. */
  readonly columns: readonly Column[];
}

/** The texts with which a query can be answered from parts of its rows. */
export interface SlicedTexts {
  /** The source, without its folder. */
  readonly source: string;
  /** The column that has the time of its rows. */
  readonly column: string;
  /** The same for runs whose parts are the same. */
  readonly key: string;
  /** The columns of a part. */
  readonly columns: readonly Column[];
  /**
   * The days that are read as a whole, up to a time.
   *
   * @param now microseconds since the epoch
   */
  days(now: bigint, end: bigint): Span | undefined;
  /**
   * The job that makes the parts of days. Its rows begin with the number of the day, from 1 on. A row with 0 says that the rows
   * of the days are all read, by BigQuery's own clock, too.
   *
   * @param finished the job fails before this time
   */
  making(days: readonly bigint[], finished: bigint): SliceJob;
  /** The job of the query over the parts of some days, and all rows of other times. */
  merging(days: Span, parts: readonly Row[]): SliceJob;
}

/** What a run is given. */
export interface SlicedRun {
  readonly plan: Plan;
  readonly prepared: PreparedSlices;
  readonly tables: ReadonlyMap<string, TableName>;
  /** By declared name. */
  readonly parameters: ReadonlyMap<string, Value>;
  readonly maxRows: number;
}

/** In a message of BigQuery if its clock shows another time than expected. */
export const otherTime = 'gateway slices: another time';

const partsParameter = 'gateway_slices';

/** The texts for each column that may have the time of a query's rows. */
export function slicedTexts(run: SlicedRun, known: KnownValues): readonly SlicedTexts[] {
  return run.prepared.sources.flatMap((source) => {
    const bounds = source.conditions.map((condition) => exactBoundsOf(condition, known));
    const exact = bounds.filter((each) => each !== undefined).flat();
    const name = tableOfPath(source.table);
    const table = run.tables.get(name);
    if (bounds.includes(undefined) || exact.length === 0 || table === undefined) return [];
    return [new Texts(run, source, table, exact, known)];
  });
}

class Texts implements SlicedTexts {
  readonly source: string;
  readonly column: string;
  readonly key: string;
  readonly columns: readonly Column[];
  readonly #run: SlicedRun;
  readonly #source: TimedSource;
  readonly #table: string;
  readonly #bounds: readonly TimeBound[];
  readonly #known: KnownValues;

  constructor(
    run: SlicedRun,
    source: TimedSource,
    table: TableName,
    bounds: readonly TimeBound[],
    known: KnownValues,
  ) {
    this.source = tableOfPath(source.table);
    this.column = source.column;
    this.columns = run.prepared.columns;
    this.#run = run;
    this.#source = source;
    this.#table = quotedTable(table);
    this.#bounds = bounds;
    this.#known = known;
    const values = source.parameters.map((name) => [name, known.parameters.get(name) ?? null]);
    const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    const parts = [this.#part([]), this.column, this.columns, values];
    this.key = hash('sha256', JSON.stringify(parts, text), 'base64url');
  }

  days(now: bigint, end: bigint): Span | undefined {
    // The job runs a little later.
    const [earlier, later] = [now, now + 60_000_000n].map((time) =>
      daysWithin(this.#bounds, { ...this.#known, now: time }, end),
    );
    return common(earlier, later);
  }

  making(days: readonly bigint[], finished: bigint): SliceJob {
    const [first = 0n, last = 0n] = [days[0], days.at(-1)];
    const isFinished = `CURRENT_TIMESTAMP() >= ${timestampLiteral(finished)}`;
    const isRead = [isFinished, ...this.#conditionsOf({ from: first, to: last + microsPerDay })].join(
      ' AND ',
    );
    const nothing = this.columns.map(({ name, type }) => `${constantSql(type, null)} AS ${identifier(name)}`);
    const guard = `SELECT IF(${isRead}, 0, ERROR('${otherTime}')) AS gateway_day, ${nothing.join(', ')}`;
    const parts = days.map((day, i) => {
      const bounds = [timeLiteral(day), timeLiteral(day + microsPerDay)] as const;
      const part = this.#part([
        [
          { operator: '>=', time: bounds[0] },
          { operator: '<', time: bounds[1] },
        ],
      ]);
      return `SELECT ${i + 1}, ${this.#names('p')} FROM (${part}) AS p`;
    });
    const day: Column = { name: 'gateway_day', type: { kind: 'INT64' } };
    return this.#job([guard, ...parts].join('\nUNION ALL\n'), [day, ...this.columns]);
  }

  merging({ from, to }: Span, parts: readonly Row[]): SliceJob {
    const { plan, prepared, maxRows } = this.#run;
    const isRead = this.#conditionsOf({ from, to }).join(' AND ');
    const kept = `SELECT ${this.#names('s')} FROM UNNEST(@${partsParameter}) AS s WHERE IF(${isRead}, TRUE, ERROR('${otherTime}'))`;
    const rest = this.#part([
      [...this.#bounds, { operator: '<', time: timeLiteral(from) }],
      [...this.#bounds, { operator: '>=', time: timeLiteral(to) }],
    ]);
    const relation = `FROM (${kept}\nUNION ALL\n(${rest})) AS gateway_parts`;
    const limited = limitEdit(prepared.limit, maxRows + 1, (use) =>
      this.#known.parameters.get(use.toLowerCase()),
    );
    const { text } = edited(prepared.sql, [
      ...prepared.tables.filter((edit) => !isWithin(edit, prepared.from)),
      ...prepared.edits,
      { ...prepared.from, text: relation },
      ...(limited === undefined ? [] : [limited]),
      ...prepared.after,
    ]);
    return this.#job(text, plan.columns, parts);
  }

  /** The SELECT of the parts of the rows in some spans of time, or of all rows. */
  #part(spans: readonly (readonly TimeBound[])[]): string {
    const { prepared } = this.#run;
    const read = prepared.read.map((name) => identifier(name)).join(', ');
    const relation = spans
      .map((bounds) => {
        const conditions = bounds.map((bound) => boundSql(this.column, bound)).join(' AND ');
        return `SELECT ${read} FROM ${this.#table} WHERE ${conditions}`;
      })
      .join(' UNION ALL ');
    const edits = prepared.tables.map((edit: TextEdit) =>
      spans.length > 0 && edit.start === this.#source.start && edit.end > edit.start
        ? { ...edit, text: `(${relation})` }
        : edit,
    );
    return composed(prepared.part, prepared.sql, edits);
  }

  /** That all times of a span are within the bounds. */
  #conditionsOf(span: Span): readonly string[] {
    return this.#bounds.map((bound) => contains(bound, span));
  }

  #names(relation: string): string {
    return this.columns.map(({ name }) => `${relation}.${identifier(name)}`).join(', ');
  }

  #job(sql: string, columns: readonly Column[], parts?: readonly Row[]): SliceJob {
    const { plan, parameters } = this.#run;
    const record: SqlType = { kind: 'STRUCT', fields: this.columns };
    const types = new Map([
      ...plan.parameters,
      [partsParameter, { kind: 'ARRAY', element: record }] as const,
    ]);
    const values = new Map([...parameters, [partsParameter, parts ?? []] as const]);
    return { sql, columns, parameters: queryParameters(types, values, usedParameters(sql, types.keys())) };
  }
}

/** That all times of a span are within a bound. */
function contains({ operator, time }: TimeBound, { from, to }: Span): string {
  const value = sqlOf(time);
  switch (operator) {
    case '>=':
      return `${value} <= ${timestampLiteral(from)}`;
    case '>':
      return `${value} < ${timestampLiteral(from)}`;
    case '<':
      return `${value} >= ${timestampLiteral(to)}`;
    case '<=':
      return `${value} >= ${timestampLiteral(to - 1n)}`;
    case '=':
      return 'FALSE';
  }
}

/** The parameters that a text uses, by their declared names. */
function usedParameters(sql: string, declared: Iterable<string>): readonly string[] {
  const used = new Set<string>();
  let before = '';
  for (const { kind, text } of tokens(sql)) {
    if (kind === 'parameter') used.add(text.slice(1).toLowerCase());
    if (kind === 'name' && before === '@') used.add(text.slice(1, -1).toLowerCase());
    before = text;
  }
  return [...declared].filter((name) => used.has(name.toLowerCase()));
}
