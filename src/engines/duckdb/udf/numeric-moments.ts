import { abs, bignumericScale } from './decimal.ts';
import { JsFunction } from './js-function.ts';
import { bignum, float64, int64, listOf, text } from './js-type.ts';

const base = 10n ** 13n;
const one = 10n ** 9n;

type Parts = readonly (string | null)[];

/** The number whose digits in base 10^13 are given, least first. Digits may have any size. */
const numberOf = (parts: Parts) => parts.reduceRight((sum, part) => sum * base + BigInt(part ?? 0), 0n);

/** `n` times the sum of products, less the product of both sums: the covariance in units of `unit^2 / (n * n)`. */
const moment = (products: bigint, x: bigint, y: bigint, n: bigint) => n * products - x * y;

/** The quotient of whole numbers, rounded to FLOAT64 at most twice. */
function ratio(dividend: bigint, divisor: bigint): number {
  const bits = (value: bigint) => value.toString(16).length * 4;
  const shift = Math.max(0, 80 + bits(divisor) - bits(abs(dividend)));
  return Number((dividend << BigInt(shift)) / divisor) * 2 ** -shift;
}

/** The correlation of pairs from the moments of x with y, x and y. NaN for a constant. */
function correlation(together: bigint, spreadOfX: bigint, spreadOfY: bigint): number {
  const spread = spreadOfX * spreadOfY;
  if (spread === 0n) return Number.NaN;
  return Math.sign(Number(together)) * Math.sqrt(ratio(together * together, spread));
}

const parts = listOf(text);

/**
 * The covariance of NUMERIC pairs from exact sums: `(products, sums of x, sums of y, n, divisor)`. The divisor is `n`, or
 * `n - 1` for a sample.
 */
export const numericCovariance = new JsFunction(
  'numeric_covariance',
  [parts, parts, parts, int64, int64],
  float64,
  (products, x, y, n, divisor) =>
    ratio(moment(numberOf(products), numberOf(x), numberOf(y), n), n * divisor * one * one),
);

/** The correlation of NUMERIC pairs: `(products of x and y, of x, of y, sums of x, sums of y, n)`. */
export const numericCorrelation = new JsFunction(
  'numeric_correlation',
  [parts, parts, parts, parts, parts, int64],
  float64,
  (xy, xx, yy, x, y, n) => {
    const [ofX, ofY] = [numberOf(x), numberOf(y)];
    return correlation(
      moment(numberOf(xy), ofX, ofY, n),
      moment(numberOf(xx), ofX, ofX, n),
      moment(numberOf(yy), ofY, ofY, n),
    );
  },
);

/** The product of integers of any size. */
export const bignumProduct = new JsFunction('bignum_product', [bignum, bignum], bignum, (a, b) => a * b);

const bigOne = 10n ** BigInt(bignumericScale);

/** As for NUMERIC, from sums of units. */
export const bignumericCovariance = new JsFunction(
  'bignumeric_covariance',
  [bignum, bignum, bignum, int64, int64],
  float64,
  (products, x, y, n, divisor) => ratio(moment(products, x, y, n), n * divisor * bigOne * bigOne),
);

export const bignumericCorrelation = new JsFunction(
  'bignumeric_correlation',
  [bignum, bignum, bignum, bignum, bignum, int64],
  float64,
  (xy, xx, yy, x, y, n) => correlation(moment(xy, x, y, n), moment(xx, x, x, n), moment(yy, y, y, n)),
);

export const numericMoments = [
  numericCovariance,
  numericCorrelation,
  bignumProduct,
  bignumericCovariance,
  bignumericCorrelation,
];
