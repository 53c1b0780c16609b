import {
  bignumericCorrelation,
  bignumericCovariance,
  bignumProduct,
} from '../../udf/decimals/numeric-moments.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import type { AggregateEntries, AggregateEntry } from '../call/entry.ts';
import { pairsOfDoubles, spreadOfDoubles } from './double-statistics.ts';
import { ofEachValue } from './each-value.ts';
import { numericPairCorrelation, numericPairCovariance, numericVariance } from './numeric-statistics.ts';

const isDouble = (call: AggregateCall, index: number) => call.arg(index).type.kind === 'FLOAT64';

/**
 * Standard deviations and variances. DuckDB fails on infinite or NaN values. GoogleSQL returns NaN for them, unless
 * there are fewer than `least` values.
 */
const spread =
  (name: string, least: 1 | 2): AggregateEntry =>
  (call) => {
    const value = call.sql(0);
    const all = `count(${call.distinct}${value})${call.over}`;
    if (call.arg(0).type.kind === 'NUMERIC') {
      const variance = numericVariance(call, all, least);
      return name.startsWith('var') ? variance : `sqrt(${variance})`;
    }
    if (call.arg(0).type.kind === 'BIGNUMERIC') {
      const variance = bignumericVariance(call, all, least);
      return name.startsWith('var') ? variance : `sqrt(${variance})`;
    }
    if (!isDouble(call, 0)) throw call.refusal(call.arg(0).type.kind);
    const size = `max(abs(${value}))${call.over}`;
    return `CASE WHEN ${all} < ${least} THEN NULL WHEN NOT isfinite(${size}) THEN 'nan'::DOUBLE
      ELSE ${spreadOfDoubles(call, name, size)} END`;
  };

/** The same for pairs of values. Pairs with a NULL are ignored. */
const pairwise =
  (name: string, least: 1 | 2): AggregateEntry =>
  (call) => {
    const [a, b] = [call.sql(0), call.sql(1)];
    const all = `count(CASE WHEN ${a} IS NOT NULL AND ${b} IS NOT NULL THEN 1 END)${call.over}`;
    if (call.arg(0).type.kind === 'NUMERIC' && call.arg(1).type.kind === 'NUMERIC') {
      return name === 'corr' ? numericPairCorrelation(call, all) : numericPairCovariance(call, all, least);
    }
    if (call.arg(0).type.kind === 'BIGNUMERIC' && call.arg(1).type.kind === 'BIGNUMERIC') {
      return name === 'corr'
        ? bignumericPairCorrelation(call, all)
        : bignumericPairCovariance(call, all, least);
    }
    if (!isDouble(call, 0) || !isDouble(call, 1)) throw call.refusal('this pair of types');
    // The greatest sizes of both values among the pairs without NULL. NaN is greater than every number.
    const size = (value: string, other: string) =>
      `max(CASE WHEN ${other} IS NOT NULL THEN abs(${value}) END)${call.over}`;
    const sizes = [size(a, b), size(b, a)] as const;
    return `CASE WHEN ${all} < ${least} THEN NULL
      WHEN NOT (${sizes.map((greatest) => `isfinite(${greatest})`).join(' AND ')}) THEN 'nan'::DOUBLE
      ELSE ${pairsOfDoubles(name, [a, b], sizes, call.over)} END`;
  };

export const statisticalAggregates: AggregateEntries = {
  stddev_samp: spread('stddev_samp', 2),
  stddev_pop: spread('stddev_pop', 1),
  var_samp: spread('var_samp', 2),
  var_pop: spread('var_pop', 1),
  corr: pairwise('corr', 2),
  covar_pop: pairwise('covar_pop', 1),
  covar_samp: pairwise('covar_samp', 2),
};

/** The exact variance of BIGNUMERIC values. NULL if there are fewer than `least`. */
function bignumericVariance(call: AggregateCall, n: string, least: 1 | 2): string {
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
function bignumericPairCovariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const { xy, x, y } = pairSums(call);
  const found = bignumericCovariance.call([xy, x, y, n, `${n} - ${least - 1}`]);
  return `CASE WHEN ${n} >= ${least} THEN ${found} END`;
}

function bignumericPairCorrelation(call: AggregateCall, n: string): string {
  const { xy, xx, yy, x, y } = pairSums(call);
  return `CASE WHEN ${n} >= 2 THEN ${bignumericCorrelation.call([xy, xx, yy, x, y, n])} END`;
}
