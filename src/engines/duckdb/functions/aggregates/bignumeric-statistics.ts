import {
  bignumericCorrelation,
  bignumericCovariance,
  bignumProduct,
} from '../../udf/decimals/numeric-moments.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { ofEachValue } from './each-value.ts';

/** The exact variance of BIGNUMERIC values. NULL if there are fewer than `least`. */
export function bignumericVariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const aggregate = ofEachValue(call);
  const total = aggregate('sum', (value) => value);
  const squares = aggregate('sum', (value) => bignumProduct.call([value, value]));
  const found = bignumericCovariance.call([squares, total, total, n, `${n} - ${least - 1}`]);
  return `CASE WHEN ${n} >= ${least} THEN ${found} END`;
}

/** Sums over the pairs of values without a NULL. */
function pairSums(call: AggregateCall) {
  const [x, y] = [call.sql(0), call.sql(1)];
  const sum = (value: string) =>
    `sum(CASE WHEN ${x} IS NOT NULL AND ${y} IS NOT NULL THEN ${value} END)${call.over}`;
  const product = (a: string, b: string) => sum(bignumProduct.call([a, b]));
  return { x: sum(x), y: sum(y), xy: product(x, y), xx: product(x, x), yy: product(y, y) };
}

/** The exact covariance of pairs. */
export function bignumericPairCovariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const { xy, x, y } = pairSums(call);
  const found = bignumericCovariance.call([xy, x, y, n, `${n} - ${least - 1}`]);
  return `CASE WHEN ${n} >= ${least} THEN ${found} END`;
}

export function bignumericPairCorrelation(call: AggregateCall, n: string): string {
  const { xy, xx, yy, x, y } = pairSums(call);
  return `CASE WHEN ${n} >= 2 THEN ${bignumericCorrelation.call([xy, xx, yy, x, y, n])} END`;
}
