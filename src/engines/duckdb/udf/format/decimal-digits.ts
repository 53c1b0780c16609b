import { abs } from '../../dialect/decimal-units.ts';
import { exactFraction } from '../decimals/double-rounding.ts';

/** A number without its sign: `0.digits` times ten to the power of `point`. There are no leading zeros. */
export interface DecimalDigits {
  readonly digits: string;
  readonly point: number;
}

/** The exact digits of a finite double. */
export function digitsOfDouble(value: number): DecimalDigits {
  const { units, divisor } = exactFraction(Math.abs(value));
  // The divisor is a power of two, so the same power of ten makes it an integer.
  const places = divisor.toString(2).length - 1;
  return digitsOfDecimal((units * 10n ** BigInt(places)) / divisor, places);
}

/** The digits of a number of units of `10 ** -scale`. */
export function digitsOfDecimal(units: bigint, scale: number): DecimalDigits {
  if (units === 0n) return { digits: '', point: 0 };
  const digits = abs(units).toString();
  return { digits, point: digits.length - scale };
}

/** The first `count` digits, rounded half to even or half away from zero. */
export function roundDigits(
  { digits, point }: DecimalDigits,
  count: number,
  half: 'even' | 'away',
): DecimalDigits {
  if (count >= digits.length) return { digits: digits.padEnd(count, '0'), point };
  if (count < 0) return { digits: '', point };
  const [kept, rest] = [digits.slice(0, count), digits.slice(count)];
  const isHalf = /^50*$/.test(rest);
  const isUp = isHalf && half === 'even' ? Number(kept.at(-1) ?? 0) % 2 === 1 : rest >= '5';
  if (!isUp) return { digits: kept, point };
  const next = (BigInt(kept || '0') + 1n).toString();
  return next.length > count
    ? { digits: next, point: point + 1 }
    : { digits: next.padStart(count, '0'), point };
}
