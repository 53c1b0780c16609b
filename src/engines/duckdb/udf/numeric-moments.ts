import { abs } from './decimal.ts';
import { JsFunction } from './js-function.ts';
import { float64, int64, listOf, text } from './js-type.ts';

const base = 10n ** 13n;
const one = 10n ** 9n;

type Parts = readonly (string | null)[];

/** The number whose digits in base 10^13 are given, least first. Digits may have any size. */
const numberOf = (parts: Parts) => parts.reduceRight((sum, part) => sum * base + BigInt(part ?? 0), 0n);

/** `n` times the sum of products, less the product of both sums: the covariance in units of `10^-18 / (n * n)`. */
const moment = (products: Parts, x: Parts, y: Parts, n: bigint) =>
  n * numberOf(products) - numberOf(x) * numberOf(y);

/** The quotient of whole numbers, rounded to FLOAT64 at most twice. */
function ratio(dividend: bigint, divisor: bigint): number {
  const bits = (value: bigint) => value.toString(16).length * 4;
  const shift = Math.max(0, 80 + bits(divisor) - bits(abs(dividend)));
  return Number((dividend << BigInt(shift)) / divisor) * 2 ** -shift;
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
  (products, x, y, n, divisor) => ratio(moment(products, x, y, n), n * divisor * one * one),
);

/** The correlation of NUMERIC pairs: `(products of x and y, of x, of y, sums of x, sums of y, n)`. NaN for a constant. */
export const numericCorrelation = new JsFunction(
  'numeric_correlation',
  [parts, parts, parts, parts, parts, int64],
  float64,
  (xy, xx, yy, x, y, n) => {
    const together = moment(xy, x, y, n);
    const spread = moment(xx, x, x, n) * moment(yy, y, y, n);
    if (spread === 0n) return Number.NaN;
    return Math.sign(Number(together)) * Math.sqrt(ratio(together * together, spread));
  },
);

export const numericMoments = [numericCovariance, numericCorrelation];
