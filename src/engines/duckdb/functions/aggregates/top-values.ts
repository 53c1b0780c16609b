import { noteCall } from '../../dialect/calls.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { raise } from '../../macros/macro.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { type OrderKey, orderList } from '../call/order-key.ts';
import { sortedList } from './sorted-list.ts';

/** GoogleSQL returns no more values. */
const mostValues = 100_000n;

/** The requested number of values, which must be a positive constant. */
function wanted(call: AggregateCall, index: number): bigint {
  const count = call.constant(index, 'number of values');
  if (typeof count !== 'bigint' || count < 1n || count > mostValues)
    throw call.refusal('this number of values');
  return count;
}

const heaviestFirst: readonly OrderKey[] = [
  { sql: 'w', direction: 'DESC', nulls: 'LAST' },
  { sql: 'v', direction: 'ASC', nulls: 'LAST' },
];

/** Pairs of a value and its weight, heaviest first, as the call's array. */
function heaviest(call: AggregateCall, pairs: string, limit: bigint): string {
  noteCall('subquery');
  const top = `SELECT v, w FROM (${pairs}) ORDER BY ${orderList(heaviestFirst)} LIMIT ${limit}`;
  return `CASE WHEN count(*) > 0 THEN (SELECT CAST(${sortedList('row(v, w)', heaviestFirst)} AS ${duckType(call.type)})
    FROM (${top})) END`;
}

/**
 * `APPROX_TOP_COUNT(x, n)`, computed exactly. NULL counts like any other value. Without rows the array is NULL. Among
 * values with equal counts, for which the order is unspecified, the lowest come first.
 */
export function topCount(call: AggregateCall): string {
  const limit = wanted(call, 1);
  const pairs = `SELECT e AS v, count(*) AS w FROM (SELECT unnest(list(${call.sql(0)})) AS e) GROUP BY e`;
  return heaviest(call, pairs, limit);
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
  const pairs = `SELECT e.v AS v, sum(${checked}) AS w FROM (SELECT unnest(${rows}) AS e) GROUP BY e.v`;
  return heaviest(call, pairs, limit);
}
