import { duckType } from '../duck-type.ts';
import { raise } from '../macros/macro.ts';
import type { AggregateCall } from './aggregate-call.ts';
import type { AggregateEntries, AggregateEntry } from './entry.ts';
import { hasPlainEquality } from './equality.ts';

const plain =
  (name: string): AggregateEntry =>
  (call) =>
    `${name}(${call.distinct}${call.sql(0)})${call.over}`;

const ofTwo =
  (name: string): AggregateEntry =>
  (call) =>
    `${name}(${call.sql(0)}, ${call.sql(1)})${call.over}`;

/** DuckDB sums integers in HUGEINT and decimals in a wider type. */
const converted =
  (name: string): AggregateEntry =>
  (call) =>
    `CAST(${plain(name)(call)} AS ${duckType(call.type)})`;

function average(call: AggregateCall): string {
  if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
  return plain('avg')(call);
}

/** NaN beats every number in both MIN and MAX; DuckDB takes it for the greatest. */
const extreme =
  (name: string): AggregateEntry =>
  (call) => {
    const value = plain(name)(call);
    if (call.type.kind !== 'FLOAT64') return value;
    return `CASE WHEN bool_or(isnan(${call.sql(0)}))${call.over} THEN 'nan'::DOUBLE ELSE ${value} END`;
  };

/** ` FILTER (...)` that leaves NULL out. */
const withoutNull = (value: string) => ` FILTER (WHERE ${value} IS NOT NULL)`;

function list(call: AggregateCall): string {
  const value = call.sql(0);
  const filter = call.nulls === 'IGNORE_NULLS' ? withoutNull(value) : '';
  const elements = `list(${call.distinct}${value}${call.order})${filter}${call.over}`;
  return call.limit === undefined ? elements : `list_slice(${elements}, 1, ${call.limit})`;
}

function text(call: AggregateCall): string {
  const value = call.sql(0);
  if (call.type.kind !== 'STRING') throw call.refusal(call.type.kind);
  const delimiter = call.optional(1)?.sql ?? "','";
  if (call.limit === undefined)
    return `string_agg(${call.distinct}${value}, ${delimiter}${call.order})${call.over}`;
  const elements = `list(${call.distinct}${value}${call.order})${withoutNull(value)}${call.over}`;
  return `array_to_string(list_slice(${elements}, 1, ${call.limit}), ${delimiter})`;
}

function anyValue(call: AggregateCall): string {
  const { having } = call;
  if (having === undefined) return `any_value(${call.sql(0)})${call.over}`;
  return `arg_${having.kind.toLowerCase()}_null(${call.sql(0)}, ${having.sql})${call.over}`;
}

/** Raises for rows that hold NaN, which DuckDB sorts to the other end. */
export function withoutNaN(sql: string, call: AggregateCall): string {
  if (call.arg(0).type.kind !== 'FLOAT64') return sql;
  const message = `'${call.name} of NaN is not supported'`;
  return `CASE WHEN bool_or(isnan(${call.sql(0)}))${call.over} THEN ${raise(message, duckType(call.type))} ELSE ${sql} END`;
}

/** The bounds of so many parts of equal size, which DuckDB finds exactly. */
function quantiles(call: AggregateCall): string {
  const parts = call.constant(1, 'number of quantiles');
  if (typeof parts !== 'bigint' || parts < 1n || parts > 10_000n)
    throw call.refusal('this number of quantiles');
  const fractions = Array.from({ length: Number(parts) + 1 }, (_, i) => i / Number(parts));
  const { kind } = call.arg(0).type;
  if (!hasPlainEquality(call.arg(0).type) && kind !== 'FLOAT64') throw call.refusal(kind);
  const sql = `quantile_disc(${call.distinct}${call.sql(0)}, [${fractions.join(', ')}])${call.over}`;
  return withoutNaN(sql, call);
}

export const aggregateFunctions: AggregateEntries = {
  $count_star: (call) => `count(*)${call.over}`,
  count: plain('count'),
  countif: (call) => {
    const value = call.sql(0);
    if (call.distinct !== '') return `count(DISTINCT CASE WHEN ${value} THEN true END)${call.over}`;
    return `count(*) FILTER (WHERE ${value})${call.over}`;
  },
  sum: converted('sum'),
  avg: average,
  min: extreme('min'),
  max: extreme('max'),
  any_value: anyValue,
  logical_or: plain('bool_or'),
  logical_and: plain('bool_and'),
  bit_and: plain('bit_and'),
  bit_or: plain('bit_or'),
  bit_xor: plain('bit_xor'),
  string_agg: text,
  array_agg: list,
  array_concat_agg: (call) => {
    const value = call.sql(0);
    return `flatten(list(${value}${call.order})${withoutNull(value)})`;
  },
  approx_count_distinct: (call) => `count(DISTINCT ${call.sql(0)})${call.over}`,
  approx_quantiles: quantiles,
  stddev_samp: plain('stddev_samp'),
  stddev_pop: plain('stddev_pop'),
  var_samp: plain('var_samp'),
  var_pop: plain('var_pop'),
  corr: ofTwo('corr'),
  covar_pop: ofTwo('covar_pop'),
  covar_samp: ofTwo('covar_samp'),
};
