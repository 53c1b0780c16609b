import { abs, bignumericScale } from '../../dialect/decimal-units.ts';
import { JsFunction } from '../js/js-function.ts';
import { bignum, float64, int64, text } from '../js/js-type.ts';

const base = 10n ** 13n;
const one = 10n ** 9n;

/** How many digits a product and a value have. */
const [productDigits, valueDigits] = [5, 3];

/** Reads sums as written by `sumsText`: the digits of each in base 10^13, least first. Digits may have any size. */
class Sums {
  readonly #digits: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#digits = text.split(' ');
  }

  #number(digits: number): bigint {
    const from = this.#next;
    this.#next += digits;
    let sum = 0n;
    for (let at = this.#next - 1; at >= from; at--) sum = sum * base + BigInt(this.#digits[at] ?? 0);
    return sum;
  }

  product(): bigint {
    return this.#number(productDigits);
  }

  value(): bigint {
    return this.#number(valueDigits);
  }
}

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

/**
 * The variance of NUMERIC values from exact sums: `(sums of x * x and x, n, divisor)`. The divisor is `n`, or `n - 1` for
 * a sample.
 */
export const numericVariance = new JsFunction(
  'numeric_variance',
  [text, int64, int64],
  float64,
  (text, n, divisor) => {
    const sums = new Sums(text);
    const [xx, x] = [sums.product(), sums.value()];
    return ratio(moment(xx, x, x, n), n * divisor * one * one);
  },
);

/** The covariance of pairs: `(sums of x * y, x and y, n, divisor)`. */
export const numericCovariance = new JsFunction(
  'numeric_covariance',
  [text, int64, int64],
  float64,
  (text, n, divisor) => {
    const sums = new Sums(text);
    const [xy, x, y] = [sums.product(), sums.value(), sums.value()];
    return ratio(moment(xy, x, y, n), n * divisor * one * one);
  },
);

/** The correlation of pairs: `(sums of x * y, x * x, y * y, x and y, n)`. */
export const numericCorrelation = new JsFunction('numeric_correlation', [text, int64], float64, (text, n) => {
  const sums = new Sums(text);
  const [xy, xx, yy] = [sums.product(), sums.product(), sums.product()];
  const [x, y] = [sums.value(), sums.value()];
  return correlation(moment(xy, x, y, n), moment(xx, x, x, n), moment(yy, y, y, n));
});

/** The product of integers of any size. */
export const bignumProduct = new JsFunction('bignum_product', [bignum, bignum], bignum, (a, b) => a * b);

const bigOne = 10n ** BigInt(bignumericScale);

/** The covariance of BIGNUMERIC pairs from sums of units: `(of x * y, of x, of y, n, divisor)`. */
export const bignumericCovariance = new JsFunction(
  'bignumeric_covariance',
  [bignum, bignum, bignum, int64, int64],
  float64,
  (products, x, y, n, divisor) => ratio(moment(products, x, y, n), n * divisor * bigOne * bigOne),
);

/** The same for their correlation: `(of x * y, x * x, y * y, x, y, n)`. */
export const bignumericCorrelation = new JsFunction(
  'bignumeric_correlation',
  [bignum, bignum, bignum, bignum, bignum, int64],
  float64,
  (xy, xx, yy, x, y, n) => correlation(moment(xy, x, y, n), moment(xx, x, x, n), moment(yy, y, y, n)),
);

export const numericMoments = [
  numericVariance,
  numericCovariance,
  numericCorrelation,
  bignumProduct,
  bignumericCovariance,
  bignumericCorrelation,
];
