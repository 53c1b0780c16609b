import { stringLiteral, timestampLiteral } from '../../text/sql-text.ts';
import { elementType, type ScalarType } from '../../values/type.ts';
import type { FilterClause, TimeUnit, When } from '../syntax/syntax.ts';
import {
  type Condition,
  fieldCondition,
  levelCondition,
  patternLiteral,
  signed,
} from './filter-condition.ts';
import { type QueryScope, type ReachedField, reach, timeOf, type Unnesting } from './query-scope.ts';
import { resolvePath } from './resolve-path.ts';

/** The current time, truncated to a second. It is the same throughout a query. */
const now = 'TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND)';
const lastSecond = 'INTERVAL 86399 SECOND';

/** Units of fixed length, which can be added to a TIMESTAMP. */
const shortUnits: ReadonlySet<TimeUnit> = new Set(['second', 'minute', 'hour', 'day']);

/**
 * Going back fewer years than this always gives a valid date. More may lead before the year 1, the lowest valid one.
 */
const safeYears = 1000;

/** Arguments of TIMESTAMP_TRUNC that differ from the unit's name: weeks begin on Monday. */
const truncation: Readonly<Partial<Record<TimeUnit, string>>> = { week: 'WEEK(MONDAY)' };

/**
 * The condition that a time column matches the clause. Times relative to now use CURRENT_TIMESTAMP: equal LQL texts
 * become equal queries, so that plans and results can be reused.
 * The table of times in docs/lql.md says what each means.
 */
function timeCondition(time: string, type: ScalarType, when: When): string {
  // A DATE compares as its midnight.
  const column = type.kind === 'DATE' ? `TIMESTAMP(${time})` : time;
  const typed = (timestamp: string) => (type.kind === 'DATETIME' ? `DATETIME(${timestamp})` : timestamp);
  const between = (from: string, to: string) => `${column} BETWEEN ${typed(from)} AND ${typed(to)}`;
  switch (when.kind) {
    case 'compare':
      return `${column} ${when.comparison} ${typed(timestampLiteral(when.time.micros))}`;
    case 'between':
      return between(timestampLiteral(when.from.micros), timestampLiteral(when.to.micros));
    case 'now':
      return `${column} ${when.comparison} ${typed(now)}`;
    case 'today':
      return between(startOf('day'), `TIMESTAMP_ADD(${startOf('day')}, ${lastSecond})`);
    case 'yesterday': {
      const start = `TIMESTAMP_SUB(${startOf('day')}, INTERVAL 1 DAY)`;
      return between(start, `TIMESTAMP_SUB(${startOf('day')}, INTERVAL 1 SECOND)`);
    }
    case 'this':
      return between(startOf(when.unit), now);
    case 'last':
      return between(startOfLast(when.count, when.unit), now);
  }
}

function startOf(unit: TimeUnit): string {
  return `TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), ${truncation[unit] ?? unit.toUpperCase()})`;
}

/** Counts from the start of the current second, minute or hour, and for all longer units from the start of the day. */
function startOfLast(count: number, unit: TimeUnit): string {
  const interval = `INTERVAL ${count} ${unit.toUpperCase()}`;
  if (shortUnits.has(unit)) return `TIMESTAMP_SUB(${startOf(unit)}, ${interval})`;
  // TIMESTAMP arithmetic has no months; DATE arithmetic has.
  const start = `DATE_SUB(CURRENT_DATE(), ${interval})`;
  if (unit !== 'year' || count < safeYears) return `TIMESTAMP(${start})`;
  return `TIMESTAMP(IFNULL(SAFE.${start}, DATE '0001-01-01'))`;
}

/** A filter in SQL: a condition on a row, or on the elements of its lists. */
interface RowFilter {
  /** The lists whose elements the condition applies to, outermost first. Empty for a condition on the row itself. */
  readonly unnestings: readonly Unnesting[];
  readonly condition: string;
}

/**
 * Compiles the filters, in order. Each has its own lists and aliases: two filters on the same list may match different
 * elements.
 */
export function rowFilters(filters: readonly FilterClause[], scope: QueryScope): RowFilter[] {
  return filters.map((clause, index) => rowFilter(clause, index + 1, scope));
}

/** The filters as conditions on a row. One on elements is met by a row if some element meets it. */
export function rowConditions(filters: readonly FilterClause[], scope: QueryScope): string[] {
  return rowFilters(filters, scope).map(({ unnestings, condition }) => {
    if (unnestings.length === 0) return condition;
    const from = unnestings.map(({ list, alias }) => `UNNEST(${list}) AS ${alias}`).join(', ');
    return `EXISTS (SELECT 1 FROM ${from} WHERE ${condition})`;
  });
}

function rowFilter({ filter, negated, at }: FilterClause, number: number, scope: QueryScope): RowFilter {
  const onField = ({ unnestings, sql }: ReachedField, condition: Condition): RowFilter => ({
    unnestings,
    condition: signed(sql, condition, negated),
  });
  switch (filter.kind) {
    case 'message': {
      const message = reachField({ names: ['event_message'], places: [at], at }, number, scope);
      if (message.type.kind !== 'STRING') return scope.refuse(at, 'the column event_message is not text');
      const { sql } = message.reached;
      const test =
        filter.match === 'regexp'
          ? `REGEXP_CONTAINS(${sql}, ${patternLiteral({ text: filter.text, at }, scope)})`
          : `STRPOS(${sql}, ${stringLiteral(filter.text)}) > 0`;
      return onField(message.reached, { sql: test, isNullTest: false });
    }
    case 'time': {
      const { sql, type } = timeOf(scope, at);
      const condition = { sql: timeCondition(sql, type, filter.when), isNullTest: false };
      return onField({ unnestings: [], sql }, condition);
    }
    case 'level': {
      const { reached, type } = reachField(filter.path, number, scope);
      if (type.kind !== 'STRING') return scope.refuse(filter.path.at, 'the level is not text');
      return onField(reached, levelCondition(reached.sql, filter.from, filter.to));
    }
    case 'field': {
      const { reached, type } = reachField(filter.path, number, scope);
      return onField(reached, fieldCondition(reached.sql, type, filter.test, filter.path.at, scope));
    }
  }
}

function reachField(path: Parameters<typeof resolvePath>[0], number: number, scope: QueryScope) {
  const field = resolvePath(path, scope.columns, scope.refuse);
  const inner = elementType(field.type);
  if (inner.kind === 'STRUCT') {
    const names = inner.fields.map(({ name }) => name).join(', ');
    scope.refuse(path.at, `${path.names.join('.')} is a record: choose one of its fields, ${names}`);
  }
  let depth = 0;
  return { type: field.type, reached: reach(field, scope.row, () => `f${number}_${++depth}`) };
}
