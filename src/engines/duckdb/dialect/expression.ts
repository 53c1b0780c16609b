import type { SqlType } from '../../../sql/values/type.ts';
import type { Sql } from './calls.ts';
import type { Constant } from './constant.ts';

/** An expression that is being emitted. */
export interface Expression {
  readonly sql: string;
  readonly type: SqlType;
  /** The value, if it is already known, including NULL. Undefined if it isn't. */
  readonly constant: Constant | undefined;
  /** The approximate number of expressions after DuckDB expands macros. */
  readonly weight: number;
  /** Whether the value has a few hundred bytes at most, whatever it is computed from. */
  readonly isShort?: boolean;
  /** Whether a constant NULL is in it, so that DuckDB may take it for one. */
  readonly hasNull?: boolean;
  /** Whether it is the NULL that the analyzer puts in place of an optional argument that isn't written. */
  readonly isOmitted?: boolean;
  /**
   * What is still to be applied to the SQL of a call. It repeats the SQL, which DuckDB computes once only outside of a CASE: calls
   * are put into one (`emit/expressions/in-parts.ts`) before.
   */
  readonly finish?: (sql: string) => string;
}

/** An emitted expression. */
export type Emitted = Expression & Sql;

/** The expression of a known value. */
export function constantExpression(type: SqlType, constant: Constant): Expression {
  return { sql: constant.sqlAs(type), type, constant, weight: 0 };
}

/** The weight of a subquery, which must never be repeated. */
export const subqueryWeight = 100;

/** The weight of a record built from its leaves. */
export const wholeWeight = 20;

/** An expression without a known value. */
export function computed(sql: string, type: SqlType, weight: number): Expression {
  return { sql, type, constant: undefined, weight };
}

/** An expression with everything applied. */
export function finished({ finish, ...expression }: Expression): Expression {
  return finish === undefined ? expression : { ...expression, sql: finish(expression.sql) };
}

export function totalWeight(parts: readonly Expression[]): number {
  return parts.reduce((weight, part) => weight + part.weight, 0);
}
