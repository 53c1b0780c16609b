import { noteCall } from '../../dialect/calls.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { raise } from '../../macros/macro.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { type OrderKey, orderList } from '../call/order-key.ts';
import { comparisonKey } from '../comparison/comparison-key.ts';
import { sortedList } from './sorted-list.ts';

/** GoogleSQL returns no more values. */
const maxValues = 100_000n;

/** The requested number of values, which must be a positive constant. */
function wanted(call: AggregateCall, index: number): bigint {
  const count = call.constant(index, 'number of values');
  if (typeof count !== 'bigint' || count < 1n || count > maxValues)
    throw call.refusal('this number of values');
  return count;
}

/**
 * The values of a call with the greatest weights as its array, heaviest first. NULL counts like any other value. Without rows the
 * array is NULL. Among values with equal weights, for which the order is unspecified, the lowest come first.
 *
 * @param rows a list of records with each row's value, `v`, and what its weight is made of
 * @param weight the weight of a group of them, each of which is named `e`
 */
function heaviest(call: AggregateCall, rows: string, weight: string, limit: bigint): string {
  noteCall('subquery');
  const { type } = call.arg(0);
  const key = comparisonKey('e.v', type, false);
  // Any of the values that are equal stands for all.
  const value = key === 'e.v' ? key : 'any_value(e.v)';
  const pairs = `SELECT ${value} AS v, ${weight} AS w FROM (SELECT unnest(${rows}) AS e) GROUP BY ${key}`;
  const heaviestFirst: readonly OrderKey[] = [
    { sql: 'w', direction: 'DESC', nulls: 'LAST' },
    { sql: comparisonKey('v', type, false), direction: 'ASC', nulls: 'LAST' },
  ];
  const top = `SELECT v, w FROM (${pairs}) ORDER BY ${orderList(heaviestFirst)} LIMIT ${limit}`;
  return `CASE WHEN count(*) > 0 THEN (SELECT CAST(${sortedList('row(v, w)', heaviestFirst)} AS ${duckType(call.type)})
    FROM (${top})) END`;
}

/** `APPROX_TOP_COUNT(x, n)`, computed exactly. */
export function topCount(call: AggregateCall): string {
  const limit = wanted(call, 1);
  const rows = `list(CAST(row(${call.sql(0)}) AS STRUCT(v ${duckType(call.arg(0).type)})))`;
  return heaviest(call, rows, 'count(*)', limit);
}

/** `APPROX_TOP_SUM(x, weight, n)`, computed exactly. The sum of only NULL weights is NULL and comes last. */
export function topSum(call: AggregateCall): string {
  const limit = wanted(call, 2);
  const weight = call.arg(1);
  if (weight.type.kind === 'NUMERIC') throw call.refusal('NUMERIC');
  const fails = weight.type.kind === 'FLOAT64' ? 'e.w < 0 OR isnan(e.w)' : 'e.w < 0';
  const message = "'The weight input of APPROX_TOP_SUM must be non-negative and non-NaN'";
  if (call.safe) throw call.refusal('the prefix SAFE.');
  const checked = `CASE WHEN ${fails} THEN ${raise(message, duckType(weight.type))} ELSE e.w END`;
  const pair = `STRUCT(v ${duckType(call.arg(0).type)}, w ${duckType(weight.type)})`;
  const rows = `list(CAST(row(${call.sql(0)}, ${weight.sql}) AS ${pair}))`;
  return heaviest(call, rows, `sum(${checked})`, limit);
}
