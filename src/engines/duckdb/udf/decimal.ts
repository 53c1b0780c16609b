import { withoutTrailingZeros } from '../../../text/trailing-zeros.ts';
import { Failure } from './failure.ts';
import { bignum, type JsType, numeric } from './js-type.ts';

/** NUMERIC or BIGNUMERIC: integers of the smallest unit, `10 ** -scale`. */
export interface DecimalKind {
  readonly name: 'numeric' | 'bignumeric';
  /** The name in messages, in BigQuery's letter case. */
  readonly title: string;
  readonly scale: number;
  /** The greatest value in units. The least is its negative, minus one for BIGNUMERIC. */
  readonly max: bigint;
  readonly min: bigint;
  readonly type: JsType<bigint>;
}

export const numericKind: DecimalKind = {
  name: 'numeric',
  title: 'numeric',
  scale: 9,
  max: 10n ** 38n - 1n,
  min: -(10n ** 38n - 1n),
  type: numeric,
};

/** BIGNUMERIC has this number of digits after the point. */
export const bignumericScale = 38;

export const bignumericKind: DecimalKind = {
  name: 'bignumeric',
  title: 'BIGNUMERIC',
  scale: bignumericScale,
  max: 2n ** 255n - 1n,
  min: -(2n ** 255n),
  type: bignum,
};

/** The shortest text of a number of units: `-1.5`. */
export function decimalText(units: bigint, scale: number): string {
  if (scale === 0) return String(units);
  const digits = abs(units)
    .toString()
    .padStart(scale + 1, '0');
  const fraction = withoutTrailingZeros(digits.slice(-scale));
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

const form = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,9}))?$/;

/** No number in range has as many digits before the point, or as many units. */
const maxDigits = 100;

/**
 * Parses decimal digits with an optional exponent, rounded to units half away from zero. Undefined if invalid or out of
 * range.
 */
export function unitsOf(written: string, scale: number): bigint | undefined {
  const match = form.exec(written);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = match[4] ?? '', , exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const shift = Number(exponent) - fraction.length + scale;
  const count = digits.length + shift;
  if (digits === '' || count < 0) return 0n;
  if (count > maxDigits) return undefined;
  const kept = digits.slice(0, count).padEnd(count, '0');
  const units = BigInt(kept) + ((digits[count] ?? '0') >= '5' ? 1n : 0n);
  return sign === '-' ? -units : units;
}

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The quotient of integers, rounded half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [a, b] = [abs(dividend), abs(divisor)];
  const quotient = (2n * a + b) / (2n * b);
  return isNegative ? -quotient : quotient;
}

/** @throws Failure with `message` when the units are out of range */
export function inRange(units: bigint, { min, max }: DecimalKind, message: () => string): bigint {
  if (units < min || units > max) throw new Failure(message());
  return units;
}
