import { numericFunctions } from '../udf/decimals/decimal-functions.ts';
import { doubleRound, doubleTruncate } from '../udf/decimals/double-rounding.ts';
import { Macro, type Mode } from './macro.ts';

/** Doubles of at least this size have no fraction. */
const noFraction = '4503599627370496';

/** Splits a double into two with half the digits each, whose products are exact (T. J. Dekker, 1971). */
const splitter = 134217729;

const head = `(abs(x) * ${splitter} - (abs(x) * ${splitter} - abs(x)))`;
const tail = `(abs(x) - ${head})`;

/**
 * `abs(x) * scale`, and the error of that product: 2.675 times 100 is not 267.5 but slightly less. `scale` is `high +
 * low`, split in the same way.
 */
const product = '(abs(x) * scale)';
const missing = `(((${head} * high - ${product}) + ${head} * low + ${tail} * high) + ${tail} * low)`;

/** Whether `distance` is larger than the product's possible error. */
const isClear = (distance: string) =>
  `${product} < ${noFraction} AND abs(${distance}) > ${product} * 2.3e-16::DOUBLE`;

/** @param plain DuckDB's function, which is sufficient for unambiguous products */
const toDigits =
  (plain: string, distance: string, whole: string, slow: typeof doubleRound) =>
  (mode: Mode): string =>
    `CASE WHEN ${isClear(distance)} THEN ${plain}(x * scale) / scale
    WHEN NOT isfinite(x) OR abs(x) >= ${noFraction} THEN x
    WHEN ${product} >= ${noFraction} THEN ${mode.call(slow, 'x', 'digits')}
    WHEN x < 0 THEN -(${whole}) / scale ELSE ${whole} / scale END`;

const parameters = ['x', 'digits', 'scale', 'high', 'low'];

/** Half away from zero. */
export const roundToDigits = new Macro(
  'round_to_digits',
  parameters,
  toDigits(
    'round',
    `${product} - floor(${product}) - 0.5::DOUBLE`,
    `(floor(${product}) + CASE WHEN (${product} - floor(${product}) - 0.5::DOUBLE) + ${missing} >= 0 THEN 1 ELSE 0 END)`,
    doubleRound,
  ),
);

export const truncateToDigits = new Macro(
  'truncate_to_digits',
  parameters,
  toDigits(
    'trunc',
    `${product} - round(${product})`,
    `(floor(${product}) - CASE WHEN ${product} = floor(${product}) AND ${missing} < 0 THEN 1 ELSE 0 END)`,
    doubleTruncate,
  ),
);

/** Rounds to a multiple of `step`, a power of ten. */
export const roundToStep = new Macro(
  'round_to_step',
  ['x', 'digits', 'step'],
  (
    mode,
  ) => `CASE WHEN NOT isfinite(x) THEN x WHEN abs(x) >= ${noFraction} THEN ${mode.call(doubleRound, 'x', 'digits')}
    ELSE sign(x) * (abs(x) - abs(x) % step + CASE WHEN 2 * (abs(x) % step) >= step THEN step ELSE 0 END) END`,
);

/** The macro's arguments after the number, for up to 22 digits after the point. */
export function scaleArguments(digits: bigint): readonly string[] {
  const scale = 10 ** Number(digits);
  const high = scale * splitter - (scale * splitter - scale);
  const numbers = [scale, high, scale - high].map((number) => `${number}::DOUBLE`);
  return [`${digits}::BIGINT`, ...numbers];
}

/** The digits after the point of NUMERIC, and the largest double with a precision of a billionth. */
const numericDigits = 9n;
const exactInNumeric = '4e6';

export const doubleToNumeric = new Macro(
  'double_to_numeric',
  ['x'],
  (mode) => `CASE WHEN abs(x) < ${exactInNumeric}
    THEN CAST(${mode.call(roundToDigits, 'x', ...scaleArguments(numericDigits))} AS DECIMAL(38, ${numericDigits}))
    ELSE ${mode.call(numericFunctions.ofDouble, 'x')} END`,
);

export const roundingMacros = [roundToDigits, truncateToDigits, roundToStep, doubleToNumeric];
