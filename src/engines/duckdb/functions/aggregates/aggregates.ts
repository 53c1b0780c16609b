import { duckType } from '../../dialect/duck-type.ts';
import type { Expression } from '../../dialect/expression.ts';
import { bignumericSum } from '../../macros/aggregates.ts';
import { raise } from '../../macros/macro.ts';
import { bignumericFunctions } from '../../udf/decimals/decimal-functions.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import type { AggregateEntries, AggregateEntry } from '../call/entry.ts';
import { orderList } from '../call/order-key.ts';
import { comparisonKey } from '../comparison/comparison-key.ts';
import { hllAggregates } from './hll.ts';
import { averageOfIntervals, sumOfIntervals } from './interval-aggregates.ts';
import { averageOfNumerics, sumOfNumerics } from './numeric-sum.ts';
import { quantiles } from './quantiles.ts';
import { sortedList } from './sorted-list.ts';
import { statisticalAggregates } from './statistics.ts';
import { topCount, topSum } from './top-values.ts';

const plain =
  (name: string): AggregateEntry =>
  (call) =>
    `${name}(${call.distinct}${call.sql(0)})${call.over}`;

/** DuckDB sums integers in HUGEINT and decimals in a wider type. */
function sum(call: AggregateCall): string {
  if (call.type.kind === 'INTERVAL') return sumOfIntervals(call);
  if (call.type.kind === 'FLOAT64') return sumOfDoubles(call);
  if (call.type.kind === 'NUMERIC') return sumOfNumerics(call);
  if (call.type.kind === 'BIGNUMERIC') return bignumericSum.call([plain('sum')(call)], call.safe);
  return `${call.safe ? 'TRY_CAST' : 'CAST'}(${plain('sum')(call)} AS ${duckType(call.type)})`;
}

/** The exact sum, divided once. DuckDB's `avg` divides in another precision, which can't be had from sums of parts. */
export function averageOfIntegers(sum: string, count: string): string {
  return `CAST(${sum} AS DOUBLE) / ${count}`;
}

function average(call: AggregateCall): string {
  switch (call.type.kind) {
    case 'FLOAT64':
      return call.arg(0).type.kind === 'FLOAT64'
        ? averageDouble(call)
        : averageOfIntegers(plain('sum')(call), plain('count')(call));
    case 'NUMERIC':
      return averageOfNumerics(call, plain('count')(call));
    case 'BIGNUMERIC':
      return bignumericFunctions.mean.call([plain('sum')(call), plain('count')(call)]);
    case 'INTERVAL':
      return averageOfIntervals(call);
    default:
      throw call.refusal(call.type.kind);
  }
}

/**
 * Uses a compensated sum: the last digit of a plain sum can change how the average is rounded for display. If the sum
 * exceeds FLOAT64, the sum of the values divided by a power of two does not.
 */
function averageDouble(call: AggregateCall): string {
  const scaled = `avg(${call.distinct}${call.sql(0)} * ${2 ** -64})${call.over}`;
  const value = plain('favg')(call);
  return `CASE WHEN isfinite(${value}) THEN ${value} ELSE ${scaled} * ${2 ** 64} END`;
}

/**
 * A sum of finite values can overflow on its way, in whatever order DuckDB adds them. The sum of the values divided by a
 * power of two can't: it tells whether the whole is too large, and whether a value is infinite or NaN.
 */
function sumOfDoubles(call: AggregateCall): string {
  const total = plain('sum')(call);
  const scaled = `sum(${call.distinct}${call.sql(0)} * ${2 ** -64})${call.over}`;
  const failed = call.safe ? 'NULL' : raise("'double overflow'", 'DOUBLE');
  return `CASE WHEN isfinite(${total}) THEN ${total} WHEN NOT isfinite(${scaled}) THEN ${scaled}
    WHEN abs(${scaled}) >= ${2 ** 960} THEN ${failed} ELSE ${scaled} * ${2 ** 64} END`;
}

/** NaN has precedence over every number, also in MIN. DuckDB treats it as the greatest. */
function least(call: AggregateCall): string {
  const value = plain('min')(call);
  if (call.type.kind !== 'FLOAT64') return value;
  return `CASE WHEN isnan(max(${call.sql(0)})${call.over}) THEN 'nan'::DOUBLE ELSE ${value} END`;
}

/** ` FILTER (...)` that excludes NULL. */
const withoutNull = (value: string) => ` FILTER (WHERE ${value} IS NOT NULL)`;

function list(call: AggregateCall): string {
  const value = call.sql(0);
  const filter = call.nulls === 'IGNORE_NULLS' ? withoutNull(value) : '';
  return limited(call, elements(call, value, filter));
}

/** The values of a call as a list, in its order. */
function elements(call: AggregateCall, value: string, filter: string): string {
  const { distinct, order, over } = call;
  if (distinct === '') return sortedList(value, order, filter + over);
  // DuckDB itself sorts lists of distinct values.
  const sorted = order.length > 0 ? ` ORDER BY ${orderList(order)}` : '';
  return `list(${distinct}${value}${sorted})${filter}${over}`;
}

/** DuckDB counts a negative number of rows in a frame that ends before it begins. */
function counted(call: AggregateCall, count: string): string {
  return call.over === '' ? count : `greatest(${count}, 0)`;
}

/** The first elements of a list. None at all are NULL, as without rows. */
function limited(call: AggregateCall, elements: string): string {
  const { limit } = call;
  return limit === undefined
    ? elements
    : `CASE WHEN ${limit} > 0 THEN list_slice(${elements}, 1, ${limit}) END`;
}

function text(call: AggregateCall): string {
  const whole =
    call.type.kind === 'BYTES' ? bytes(call) : joined(call, call.sql(0), call.optional(1)?.sql ?? "','");
  if (call.optional(1)?.constant?.isNull !== true) return whole;
  // A parameter without a value. The call fails even if there is nothing to join.
  const type = duckType(call.type);
  const failed = call.safe ? `CAST(NULL AS ${type})` : raise("'Illegal NULL separator in STRING_AGG'", type);
  return `CASE WHEN count(*)${call.over} >= 0 THEN ${failed} ELSE ${whole} END`;
}

/** The texts of a call, except NULL, with a delimiter between them. */
function joined(call: AggregateCall, value: string, delimiter: string): string {
  if (call.limit === undefined && call.order.length === 0)
    return `string_agg(${call.distinct}${value}, ${delimiter})${call.over}`;
  return `array_to_string(${limited(call, elements(call, value, withoutNull(value)))}, ${delimiter})`;
}

/** DuckDB aggregates only texts. */
function bytes(call: AggregateCall): string {
  const delimiter = call.optional(1)?.sql ?? "','::BLOB";
  const { distinct, order } = call;
  if (distinct !== '' && order.length > 0) throw call.refusal('DISTINCT and ORDER BY with BYTES');
  return `unhex(${joined(call, `hex(${call.sql(0)})`, `hex(${delimiter})`)})`;
}

/**
 * The value at the maximum or minimum of another expression, among the rows in which neither is NULL. NaN counts as both,
 * and equals nothing.
 */
function valueBy(kind: 'max' | 'min', value: string, by: Expression, over: string): string {
  const found = `arg_${kind}(${value}, ${comparisonKey(by.sql, by.type, false)})${over}`;
  if (by.type.kind !== 'FLOAT64') return found;
  const hasNaN = `coalesce(bool_or(isnan(${by.sql}))${withoutNull(value)}${over}, false)`;
  return `CASE WHEN NOT ${hasNaN} THEN ${found} END`;
}

function anyValue(call: AggregateCall): string {
  const { having } = call;
  if (having === undefined) return `any_value(${call.distinct}${call.sql(0)})${call.over}`;
  return valueBy(having.kind === 'MAX' ? 'max' : 'min', call.sql(0), having.by, call.over);
}

const extremeBy =
  (kind: 'max' | 'min'): AggregateEntry =>
  (call) =>
    valueBy(kind, call.sql(0), call.arg(1), call.over);

function concatenation(call: AggregateCall): string {
  const value = call.sql(0);
  const arrays = sortedList(value, call.order, withoutNull(value) + call.over);
  return `flatten(${limited(call, arrays)})`;
}

export const aggregateFunctions: AggregateEntries = {
  $count_star: (call) => counted(call, `count(*)${call.over}`),
  count: (call) => counted(call, plain('count')(call)),
  countif: (call) => {
    const value = call.sql(0);
    const distinct = call.distinct !== '';
    const rows = distinct ? `DISTINCT CASE WHEN ${value} THEN true END` : '*';
    return counted(call, `count(${rows})${distinct ? '' : ` FILTER (WHERE ${value})`}${call.over}`);
  },
  sum,
  avg: average,
  min: least,
  max: plain('max'),
  any_value: anyValue,
  logical_or: plain('bool_or'),
  logical_and: plain('bool_and'),
  bit_and: plain('bit_and'),
  bit_or: plain('bit_or'),
  bit_xor: plain('bit_xor'),
  string_agg: text,
  array_agg: list,
  array_concat_agg: concatenation,
  max_by: extremeBy('max'),
  min_by: extremeBy('min'),
  approx_count_distinct: (call) => {
    const { sql, type } = call.arg(0);
    return `count(DISTINCT ${comparisonKey(sql, type, false)})${call.over}`;
  },
  approx_quantiles: quantiles,
  approx_top_count: topCount,
  approx_top_sum: topSum,
  ...statisticalAggregates,
  ...hllAggregates,
};
