import { numericLimb, numericProduct } from '../../macros/numeric-limbs.ts';
import * as moments from '../../udf/decimals/numeric-moments.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { ofEachValue } from './each-value.ts';

/** Sums up an expression of each value, or of each pair. */
type Sum = (expression: (x: string, y: string) => string) => string;

type Pick = (x: string, y: string) => readonly string[];

const products = (sum: Sum, pick: Pick) =>
  numericProduct.map((product) => sum((x, y) => product.call(pick(x, y))));

const values = (sum: Sum, pick: Pick) => numericLimb.map((limb) => sum((x, y) => limb.call(pick(x, y))));

/** Sums as one text, which JavaScript reads faster than lists. */
const sumsText = (...sums: readonly (readonly string[])[]) => `concat_ws(' ', ${sums.flat().join(', ')})`;

/** The exact variance of NUMERIC values. NULL if there are fewer than `least`. */
export function numericVariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const aggregate = ofEachValue(call);
  const sum: Sum = (expression) => aggregate('sum', (value) => expression(value, value));
  const sums = sumsText(
    products(sum, (x) => [x, x]),
    values(sum, (x) => [x]),
  );
  return `CASE WHEN ${n} >= ${least} THEN ${moments.numericVariance.call([sums, n, `${n} - ${least - 1}`])} END`;
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
  const sums = sumsText(
    products(sum, (x, y) => [x, y]),
    values(sum, (x) => [x]),
    values(sum, (_, y) => [y]),
  );
  return `CASE WHEN ${n} >= ${least} THEN ${moments.numericCovariance.call([sums, n, `${n} - ${least - 1}`])} END`;
}

export function numericPairCorrelation(call: AggregateCall, n: string): string {
  const sum = pairSum(call);
  const sums = sumsText(
    products(sum, (x, y) => [x, y]),
    products(sum, (x) => [x, x]),
    products(sum, (_, y) => [y, y]),
    values(sum, (x) => [x]),
    values(sum, (_, y) => [y]),
  );
  return `CASE WHEN ${n} >= 2 THEN ${moments.numericCorrelation.call([sums, n])} END`;
}
