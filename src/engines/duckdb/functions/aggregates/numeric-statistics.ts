import { numericLimb, numericProduct } from '../../macros/numeric-limbs.ts';
import { numericCorrelation, numericCovariance } from '../../udf/numeric-moments.ts';
import type { AggregateCall } from './aggregate-call.ts';
import { ofEachValue } from './each-value.ts';

type Sum = (expression: (x: string, y: string) => string) => string;

const listed = (sums: readonly string[]) => `CAST([${sums.join(', ')}] AS VARCHAR[])`;

const products = (sum: Sum, pick: (x: string, y: string) => readonly [string, string]) =>
  listed(numericProduct.map((product) => sum((x, y) => product.call(pick(x, y)))));

const sums = (sum: Sum, pick: (x: string, y: string) => string) =>
  listed(numericLimb.map((limb) => sum((x, y) => limb.call([pick(x, y)]))));

const first = (x: string) => x;
const second = (_: string, y: string) => y;

/** The exact variance of NUMERIC values. NULL if there are fewer than `least`. */
export function numericVariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const aggregate = ofEachValue(call);
  const sum: Sum = (expression) => aggregate('sum', (value) => expression(value, value));
  const one = sums(sum, first);
  const found = numericCovariance.call([products(sum, (x, y) => [x, y]), one, one, n, `${n} - ${least - 1}`]);
  return `CASE WHEN ${n} >= ${least} THEN ${found} END`;
}

/** Sums over the pairs of NUMERIC values without a NULL. */
function pairSum(call: AggregateCall): Sum {
  const [x, y] = [call.sql(0), call.sql(1)];
  const isPair = `${x} IS NOT NULL AND ${y} IS NOT NULL`;
  return (expression) => `sum(CASE WHEN ${isPair} THEN ${expression(x, y)} END)${call.over}`;
}

/** The exact covariance of pairs. */
export function numericPairCovariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const sum = pairSum(call);
  const xy = products(sum, (x, y) => [x, y]);
  const found = numericCovariance.call([xy, sums(sum, first), sums(sum, second), n, `${n} - ${least - 1}`]);
  return `CASE WHEN ${n} >= ${least} THEN ${found} END`;
}

export function numericPairCorrelation(call: AggregateCall, n: string): string {
  const sum = pairSum(call);
  const [xy, xx, yy] = [
    products(sum, (x, y) => [x, y]),
    products(sum, (x) => [x, x]),
    products(sum, (_, y) => [y, y]),
  ];
  const found = numericCorrelation.call([xy, xx, yy, sums(sum, first), sums(sum, second), n]);
  return `CASE WHEN ${n} >= 2 THEN ${found} END`;
}
