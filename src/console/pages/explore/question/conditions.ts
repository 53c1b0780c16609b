import { lqlFilterSql } from '../../../../sql/editing/lql-filter.ts';
import { writtenLiteral } from '../../../../sql/editing/written-literal.ts';
import { messageOf } from '../../../api/failure.ts';
import type { TimeRange } from '../../../parts/time/time-range.ts';
import type { Exploration, Filter } from './exploration.ts';
import { type ExploredTable, isComparable, type Reached, reach } from './explored-table.ts';
import { unnested } from './pieces.ts';

/** A condition of a query, or what is wrong with it. */
export type Written =
  | { readonly sql: string; readonly mistake?: undefined }
  | { readonly mistake: string; readonly sql?: undefined };

/** All conditions of a query, one each, or what is wrong with them. */
export interface Conditions {
  readonly sql: readonly string[];
  readonly mistakes: readonly string[];
}

/**
 * What rows must be like to be shown.
 *
 * @param span of the times of rows; undefined for a table without times
 */
export function conditionsOf(
  exploration: Exploration,
  table: ExploredTable,
  span: TimeRange | undefined,
): Conditions {
  const { filters, sql, lql } = exploration;
  const all: readonly Written[] = [
    ...spanConditions(table, span).map((one) => ({ sql: one })),
    ...filters.map((filter) => filterCondition(filter, table)),
    ...freeConditions(sql).map((one) => ({ sql: one })),
    ...lqlConditions(lql, table),
  ];
  return {
    sql: all.flatMap((one) => one.sql ?? []),
    mistakes: all.flatMap((one) => one.mistake ?? []),
  };
}

/** An expression of the user as a condition: it stays one, whatever operators and comments it has. */
function freeConditions(sql: string): readonly string[] {
  return sql.trim() === '' ? [] : [`(\n${sql.trim()}\n)`];
}

function lqlConditions(lql: string, table: ExploredTable): readonly Written[] {
  if (lql.trim() === '') return [];
  try {
    return lqlFilterSql(lql, table).map((sql) => ({ sql }));
  } catch (thrown) {
    return [{ mistake: messageOf(thrown) }];
  }
}

/** The times of a span: its end is not within it. */
export function spanConditions({ timeSql }: ExploredTable, span: TimeRange | undefined): readonly string[] {
  if (timeSql === undefined || span === undefined) return [];
  return [`${timeSql} >= ${timeLiteral(span.from)}`, `${timeSql} < ${timeLiteral(span.to)}`];
}

/** @param milliseconds since the epoch */
function timeLiteral(milliseconds: number): string {
  return `TIMESTAMP '${new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '+00')}'`;
}

/** The condition of a filter. The negative operators hold for exactly the rows for which the positive ones don't. */
export function filterCondition({ path, operator, value }: Filter, table: ExploredTable): Written {
  const field = reach(table, path);
  if (field === undefined) return { mistake: `${table.name} has no field ${path} with values.` };
  if (!isComparable(field.type) && operator !== 'exists' && operator !== 'missing')
    return { mistake: `${path} is ${field.type}: its values can’t be compared.` };
  const literal = () => writtenLiteral(field.type, value);
  const wrong = (expected = 'Unicode text') => ({
    mistake: `${path} ${operator} needs ${expected}, and not ${JSON.stringify(value.slice(0, 100))}.`,
  });
  switch (operator) {
    case 'exists':
      return { sql: some(field, `${field.sql} IS NOT NULL`) };
    case 'missing':
      return { sql: none(field, `${field.sql} IS NOT NULL`) };
    case '=':
    case '!=': {
      const { sql, expected } = literal();
      if (sql === undefined) return wrong(expected);
      const isNoNumber = field.type === 'FLOAT64' && /^nan$/i.test(value);
      const test = isNoNumber ? `IS_NAN(${field.sql})` : `${field.sql} = ${sql}`;
      return { sql: operator === '=' ? some(field, test) : none(field, test) };
    }
    case '>':
    case '>=':
    case '<':
    case '<=': {
      const { sql, expected } = literal();
      return sql === undefined ? wrong(expected) : { sql: some(field, `${field.sql} ${operator} ${sql}`) };
    }
    case 'contains':
    case 'lacks':
    case 'within':
    case 'outside': {
      if (field.type !== 'STRING') return { mistake: `${path} is ${field.type}: only texts have parts.` };
      const { sql, expected } = literal();
      if (sql === undefined) return wrong(expected);
      const test =
        operator === 'contains' || operator === 'lacks'
          ? `STRPOS(${field.sql}, ${sql}) > 0`
          : `(${field.sql} = ${sql} OR STARTS_WITH(${field.sql}, ${writtenLiteral('STRING', `${value}/`).sql}))`;
      return {
        sql: operator === 'contains' || operator === 'within' ? some(field, test) : none(field, test),
      };
    }
  }
}

/** Some value of the row passes. */
function some(field: Reached, test: string): string {
  return field.lists.length === 0 ? test : `EXISTS (SELECT 1 FROM ${unnested(field)} WHERE ${test})`;
}

/** No value of the row passes. */
function none(field: Reached, test: string): string {
  return field.lists.length === 0 ? `NOT IFNULL(${test}, FALSE)` : `NOT ${some(field, test)}`;
}
