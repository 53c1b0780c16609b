import type { Expression } from '../../dialect/expression.ts';
import { doubleInArray, inArray } from '../../macros/arrays.ts';
import { withNamedValues } from '../../macros/named-values.ts';
import { type FunctionEntries, template, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { likeEntry } from '../text/like.ts';
import { comparisonKey, needsKey } from './comparison-key.ts';
import { equals, hasPlainEquality } from './equality.ts';

/**
 * NaN is neither less nor greater than anything in GoogleSQL, but the greatest number in DuckDB: it must not be on the
 * greater side.
 */
function compare(a: Expression, operator: string, b: Expression): string {
  const key = ({ sql, type }: Expression) => comparisonKey(sql, type, false);
  const plain = `(${key(a)} ${operator} ${key(b)})`;
  const [greater, other] = operator.startsWith('<') ? [b, a] : [a, b];
  if (greater.type.kind !== 'FLOAT64') return plain;
  const known = greater.constant?.value;
  if (typeof known === 'number' && !Number.isNaN(known)) return plain;
  return `CASE WHEN isnan(${greater.sql}) AND ${other.sql} IS NOT NULL THEN false ELSE ${plain} END`;
}

const ordering = (operator: string) => total((call) => compare(call.arg(0), operator, call.arg(1)));

const between = (call: FunctionCall): string => {
  const [x, low, high] = [call.arg(0), call.arg(1), call.arg(2)];
  if (x.type.kind !== 'FLOAT64' && !needsKey(x.type, false))
    return `(${x.sql} BETWEEN ${low.sql} AND ${high.sql})`;
  return `(${compare(x, '>=', low)} AND ${compare(x, '<=', high)})`;
};

const isNotDistinct = (call: FunctionCall): string => {
  const [a, b] = [call.arg(0), call.arg(1)].map(({ sql, type }) => comparisonKey(sql, type, false));
  return `(${a} IS NOT DISTINCT FROM ${b})`;
};

const oneOf = (call: FunctionCall): string => {
  const [x, ...list] = call.all();
  if (x === undefined) throw call.refusal('no argument');
  if (hasPlainEquality(x.type)) return `(${x.sql} IN (${list.map(({ sql }) => sql).join(', ')}))`;
  return `(${list.map(({ sql }) => equals(x.sql, sql, x.type)).join(' OR ')})`;
};

/** Whether a value is one of a list's elements. NULL if only a NULL element could be equal to it. */
export function oneOfElements({ sql, type }: Expression, list: string): string {
  if (type.kind === 'FLOAT64') return doubleInArray.call([sql, list]);
  if (hasPlainEquality(type)) return inArray.call([sql, list]);
  return withNamedValues('v', { x: sql, list }, (v) => {
    const equalities = `list_transform(${v.list}, lambda e: ${equals(v.x, 'e', type)})`;
    const found = `list_reduce(list_prepend(false, ${equalities}), lambda a, b: a OR b)`;
    return `CASE WHEN ${v.list} IS NULL THEN false ELSE ${found} END`;
  });
}

export const comparisonFunctions: FunctionEntries = {
  $equal: total((call) => equals(call.sql(0), call.sql(1), call.arg(0).type)),
  $not_equal: total((call) => {
    const { type } = call.arg(0);
    if (hasPlainEquality(type)) return `(${call.sql(0)} <> ${call.sql(1)})`;
    return `(NOT ${equals(call.sql(0), call.sql(1), type)})`;
  }),
  $less: ordering('<'),
  $less_or_equal: ordering('<='),
  $greater: ordering('>'),
  $greater_or_equal: ordering('>='),
  $between: total(between),
  $in: total(oneOf),
  $in_array: total((call) => oneOfElements(call.arg(0), call.sql(1))),
  $like: likeEntry,
  // Not `IS DISTINCT FROM`: beside another condition on the column, behind an OR, DuckDB takes it for false where a row group has
  // only NULL (`docs/decisions/duckdb-faults.md`).
  $is_distinct_from: total((call) => `(${isNotDistinct(call)} = false)`),
  $is_not_distinct_from: total(isNotDistinct),
  $is_true: total(template('($1 IS TRUE)')),
  $is_false: total(template('($1 IS FALSE)')),
};
