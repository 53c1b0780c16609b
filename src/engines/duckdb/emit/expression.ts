import type { SqlType } from '../../../sql/type.ts';
import type { Value } from '../../../sql/value.ts';
import { literalSql } from '../literal.ts';

/** An emitted expression. */
export interface Expression {
  readonly sql: string;
  readonly type: SqlType;
  /** The value, when it is known already; undefined when it isn't. NULL is known. */
  readonly constant: Value | undefined;
  /**
   * How many calls deep the expression repeats its parts. What repeats its argument twice is two to this
   * power as large once DuckDB has expanded the macros.
   */
  readonly repetition: number;
}

export function constantExpression(type: SqlType, value: Value): Expression {
  return { sql: literalSql(type, value), type, constant: value, repetition: 0 };
}

/** An expression whose value only the engine can tell. */
export function computed(sql: string, type: SqlType, repetition: number): Expression {
  return { sql, type, constant: undefined, repetition };
}

/** The repetition of something that uses each of these once. */
export function deepest(parts: readonly Expression[]): number {
  return parts.reduce((depth, part) => Math.max(depth, part.repetition), 0);
}
