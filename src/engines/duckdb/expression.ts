import type { SqlType } from '../../sql/type.ts';
import type { Value } from '../../sql/value.ts';
import type { Sql } from './calls.ts';
import { literalSql } from './literal.ts';

/** An expression that is being emitted. */
export interface Expression {
  readonly sql: string;
  readonly type: SqlType;
  /** The value, when it is known already; undefined when it isn't. NULL is known. */
  readonly constant: Value | undefined;
  /** About how many expressions it comes to in DuckDB, which expands macros. */
  readonly weight: number;
}

/** An emitted expression. */
export type Emitted = Expression & Sql;

export function constantExpression(type: SqlType, value: Value): Expression {
  return { sql: literalSql(type, value), type, constant: value, weight: 0 };
}

/** The weight of a subquery, which is never to be repeated. */
export const subqueryWeight = 100;

/** The weight of a record that is made of its leaves. */
export const wholeWeight = 20;

/** An expression whose value only the engine can tell. */
export function computed(sql: string, type: SqlType, weight: number): Expression {
  return { sql, type, constant: undefined, weight };
}

export function totalWeight(parts: readonly Expression[]): number {
  return parts.reduce((weight, part) => weight + part.weight, 0);
}
