import { Failure } from '../../../../sql/values/function-errors.ts';
import { abs, bignumericScale } from '../../dialect/decimal-units.ts';
import { bignum, type JsType, numeric } from '../js/js-type.ts';

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

export const bignumericKind: DecimalKind = {
  name: 'bignumeric',
  title: 'BIGNUMERIC',
  scale: bignumericScale,
  max: 2n ** 255n - 1n,
  min: -(2n ** 255n),
  type: bignum,
};

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
