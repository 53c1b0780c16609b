import { withoutTrailingZeros } from '../../../base/text/trailing-zeros.ts';

/** BIGNUMERIC has this number of digits after the point. */
export const bignumericScale = 38;

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
