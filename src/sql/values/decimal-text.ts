import { withoutTrailingZeros } from '../../base/text/trailing-zeros.ts';

/** The number of digits after the point in a decimal type, and its range. */
interface DecimalRange {
  readonly scale: number;
  /** Bounds of the value times ten to the power of `scale`. */
  readonly min: bigint;
  readonly max: bigint;
}

/** Source: BigQuery's data types; BIGNUMERIC is a 256-bit integer of units of 10^-38. */
const ranges: Readonly<Record<'NUMERIC' | 'BIGNUMERIC', DecimalRange>> = {
  NUMERIC: { scale: 9, min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n },
  BIGNUMERIC: { scale: 38, min: -(2n ** 255n), max: 2n ** 255n - 1n },
};

const pattern = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** More digits than any value has: longer texts are rejected at no cost. */
const maxTextLength = 200;

/**
 * A NUMERIC's or BIGNUMERIC's text in the form of `Value`: digits without exponent, superfluous zeros or a negative
 * zero. Undefined if the text is not a number, or one that the type can't represent exactly.
 */
export function parseDecimal(text: string, type: 'NUMERIC' | 'BIGNUMERIC'): string | undefined {
  const parts = text.length <= maxTextLength ? pattern.exec(text) : null;
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const { scale, min, max } = ranges[type];

  const significant = withoutTrailingZeros(`${whole}${fraction}`);
  const trimmedZeros = whole.length + fraction.length - significant.length;
  const shift = scale + Number(exponent) - fraction.length + trimmedZeros;
  if (significant.replace(/^0+/, '') === '') return '0';
  if (shift < 0 || shift > maxTextLength) return undefined;

  const units = BigInt(significant) * 10n ** BigInt(shift) * (sign === '-' ? -1n : 1n);
  return units < min || units > max ? undefined : formatUnits(units, scale);
}

function formatUnits(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, -scale);
  const fraction = withoutTrailingZeros(digits.slice(-scale));
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return units < 0n ? `-${text}` : text;
}

/** Compares two values of NUMERIC or BIGNUMERIC, in the form of `Value`: negative if `a` is less than `b`. */
export function compareDecimals(a: string, b: string): number {
  const [left, right] = [unitsOf(a), unitsOf(b)];
  return left < right ? -1 : Number(left > right);
}

/** The value in units of 10^-38. */
function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(ranges.BIGNUMERIC.scale, '0')}`);
}
