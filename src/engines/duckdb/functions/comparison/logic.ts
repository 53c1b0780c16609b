import { duckType } from '../../dialect/duck-type.ts';
import { raise } from '../../macros/macro.ts';
import { type FunctionEntries, guarded, lazy, template, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { equals, hasPlainEquality } from './equality.ts';

/**
 * DuckDB searches ORed conditions of a filter for those on one column, in time quadratic in their number: 17 s for
 * 2,500 (measured). Comparing them prevents that.
 */
const maxOperands = 100;

const texts = (call: FunctionCall) => call.all().map(({ sql }) => sql);

/** Conditions connected by AND or OR. */
export function connected(operator: 'AND' | 'OR', conditions: readonly string[]): string {
  const whole = `(${conditions.join(` ${operator} `)})`;
  return operator === 'OR' && conditions.length > maxOperands ? `(${whole} = true)` : whole;
}

const nullTest = ' IS NULL)';

/**
 * Whether SQL has two tests for NULL with an AND between them, as `a IS NULL AND b IS NULL` does. There may be other conditions
 * between them: DuckDB moves those that all operands of the OR have out of it.
 */
function testsNulls(sql: string): boolean {
  const first = sql.indexOf(nullTest);
  const and = first < 0 ? -1 : sql.indexOf(' AND ', first);
  return and >= 0 && sql.includes(nullTest, and);
}

/**
 * DuckDB makes `a IS NOT DISTINCT FROM b` of `a = b OR (a IS NULL AND b IS NULL)`, which is false instead of NULL where only one is
 * NULL, but not if an operand is compared (`docs/decisions/duckdb-faults.md`).
 */
const anyOf = lazy((call) =>
  connected(
    'OR',
    texts(call).map((sql) => (testsNulls(sql) ? `(${sql} = true)` : sql)),
  ),
);

/** The branches of a CASE, with alternating conditions and results, and the ELSE if there is one. */
function branches(parts: readonly string[]): string {
  const whens = [];
  for (let i = 0; i + 1 < parts.length; i += 2) whens.push(`WHEN ${parts[i]} THEN ${parts[i + 1]}`);
  return parts.length % 2 === 1 ? `${whens.join(' ')} ELSE ${parts.at(-1)}` : whens.join(' ');
}

function caseWithValue(call: FunctionCall): string {
  const { sql: value, type } = call.arg(0);
  const rest = texts(call).slice(1);
  if (hasPlainEquality(type)) return `CASE ${value} ${branches(rest)} END`;
  const isCondition = (i: number) => i % 2 === 0 && i + 1 < rest.length;
  return `CASE ${branches(rest.map((sql, i) => (isCondition(i) ? equals(value, sql, type) : sql)))} END`;
}

const coalesce = lazy((call) => `coalesce(${texts(call).join(', ')})`);

/** Raises an error with the query's own message, with any type that the context requires. */
const error = guarded((call) => {
  const message = `coalesce(${call.sql(0)}, 'ERROR function called with NULL value')`;
  const type = duckType(call.type);
  return call.safe ? `CASE WHEN ${message} IS NULL THEN CAST(NULL AS ${type}) END` : raise(message, type);
});

/** DuckDB makes `IS DISTINCT FROM` of a `NOT`, which it gets wrong: see `$is_distinct_from`. */
function negated(condition: string): string {
  return condition.includes('IS NOT DISTINCT FROM') ? `(${condition} = false)` : `(NOT ${condition})`;
}

export const logicFunctions: FunctionEntries = {
  $and: lazy((call) => connected('AND', texts(call))),
  $or: anyOf,
  $not: lazy((call) => negated(call.sql(0))),
  $is_null: lazy(template('($1 IS NULL)')),
  $case_no_value: lazy((call) => `CASE ${branches(texts(call))} END`),
  $case_with_value: lazy(caseWithValue),
  if: lazy(template('CASE WHEN $1 THEN $2 ELSE $3 END')),
  ifnull: coalesce,
  error,
  coalesce,
  nullif: total((call) => {
    const { sql, type } = call.arg(0);
    return `CASE WHEN ${equals(sql, call.sql(1), type)} THEN NULL ELSE ${sql} END`;
  }),
};
