import { raise } from '../../macros/macro.ts';
import { numericLimb, numericProduct } from '../../macros/numeric-limbs.ts';
import * as moments from '../../udf/decimals/numeric-moments.ts';
import {
  bignumericCorrelation,
  bignumericCovariance,
  bignumProduct,
} from '../../udf/decimals/numeric-moments.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import type { AggregateEntries, AggregateEntry } from '../call/entry.ts';
import { ofEachValue } from './each-value.ts';

/** Sizes of values from which squares overflow, or below which they lose digits, and how to scale such values. */
interface Band {
  /** The power of two by which values are multiplied. */
  readonly scale: number;
  /** The power of two below which the size of every value is. Undefined for any finite size. */
  readonly below: number | undefined;
}

const large: Band = { scale: -600, below: undefined };
const ordinary: Band = { scale: 0, below: 500 };
const tiny: Band = { scale: 600, below: -400 };

const power = (exponent: number) => `${2 ** exponent}::DOUBLE`;

const scaled = (value: string, exponent: number) =>
  exponent === 0 ? value : `${value} * ${power(exponent)}`;

/** Whether a value belongs to the band or to a lower one. NaN counts as greater than every number. */
const fits = (value: string, { below }: Band) =>
  below === undefined ? `isfinite(${value})` : `abs(${value}) < ${power(below)}`;

/**
 * VAR and STDDEV of values whose greatest size is `size`, which is finite. Each band is an aggregate of its own, from
 * which greater values are left out, since DuckDB fails if a result overflows.
 */
function spreadOfDoubles(call: AggregateCall, name: string, size: string): string {
  const aggregate = ofEachValue(call);
  const isVariance = name.startsWith('var');
  const found = (band: Band) => {
    const result = aggregate(
      name,
      (value) => `CASE WHEN ${fits(value, band)} THEN ${scaled(value, band.scale)} END`,
    );
    const once = scaled(result, -band.scale);
    return isVariance ? scaled(once, -band.scale) : once;
  };
  // The square root of a tiny variance isn't tiny.
  const cases = isVariance ? [ordinary] : [tiny, ordinary];
  const conditions = cases.map((band) => `WHEN ${fits(size, band)} THEN ${found(band)}`);
  return `CASE ${conditions.join(' ')} ELSE ${found(large)} END`;
}

/** CORR and COVAR of pairs without NULL whose greatest sizes, which are finite, are given. */
function pairsOfDoubles(
  name: string,
  [x, y]: readonly [string, string],
  [sizeX, sizeY]: readonly [string, string],
  over: string,
): string {
  const found = (a: Band, b: Band) => {
    const isFitting = `${fits(x, a)} AND ${fits(y, b)}`;
    const result = `${name}(CASE WHEN ${isFitting} THEN ${scaled(x, a.scale)} END, ${scaled(y, b.scale)})${over}`;
    return name === 'corr' ? result : scaled(scaled(result, -a.scale), -b.scale);
  };
  const byY = (a: Band) =>
    `CASE WHEN ${fits(sizeY, ordinary)} THEN ${found(a, ordinary)} ELSE ${found(a, large)} END`;
  const value = `CASE WHEN ${fits(sizeX, ordinary)} THEN ${byY(ordinary)} ELSE ${byY(large)} END`;
  if (name !== 'corr') return value;
  const isTiny = [sizeX, sizeY].map((size) => `(${size} > 0 AND ${fits(size, tiny)})`).join(' OR ');
  const failure = raise("'CORR of values below 1e-120 in size is not supported'", 'DOUBLE');
  return `CASE WHEN ${isTiny} THEN ${failure} ELSE ${value} END`;
}

/** Sums up an expression of each value, or of each pair. */
type Sum = (expression: (x: string, y: string) => string) => string;

type Pick = (x: string, y: string) => readonly string[];

const products = (sum: Sum, pick: Pick) =>
  numericProduct.map((product) => sum((x, y) => product.call(pick(x, y))));

const values = (sum: Sum, pick: Pick) => numericLimb.map((limb) => sum((x, y) => limb.call(pick(x, y))));

/** Sums as one text, which JavaScript reads faster than lists. */
const sumsText = (...sums: readonly (readonly string[])[]) => `concat_ws(' ', ${sums.flat().join(', ')})`;

/** The exact variance of NUMERIC values. NULL if there are fewer than `least`. */
function numericVariance(call: AggregateCall, n: string, least: 1 | 2): string {
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
function numericPairCovariance(call: AggregateCall, n: string, least: 1 | 2): string {
  const sum = pairSum(call);
  const sums = sumsText(
    products(sum, (x, y) => [x, y]),
    values(sum, (x) => [x]),
    values(sum, (_, y) => [y]),
  );
  return `CASE WHEN ${n} >= ${least} THEN ${moments.numericCovariance.call([sums, n, `${n} - ${least - 1}`])} END`;
}

function numericPairCorrelation(call: AggregateCall, n: string): string {
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
