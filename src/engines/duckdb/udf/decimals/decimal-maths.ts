import { Failure } from '../../../../sql/values/function-errors.ts';
import { abs, decimalText } from '../../dialect/decimal-units.ts';
import { JsFunction } from '../js/js-function.ts';
import { BinaryFractions, FractionOverflow } from './binary-fraction.ts';
import { bignumericKind, type DecimalKind, divideRounded, inRange, numericKind } from './decimal.ts';

/** How Google's library computes with a type. */
interface Precision {
  readonly kind: DecimalKind;
  readonly fractions: BinaryFractions;
  /** The last step of a logarithm. */
  readonly enough: bigint;
}

/** EXP, LN and other functions of one decimal type. */
function mathsOf({ kind, fractions, enough }: Precision) {
  const { name, title, scale, type } = kind;
  const one = 10n ** BigInt(scale);
  const write = (units: bigint) => decimalText(units, scale);
  const named = (suffix: string) => `${name}_${suffix}`;
  const fractionOf = (units: bigint) => fractions.quotient(units, one);
  /** The result in units, within the range of the type. */
  const result = (compute: () => bigint, call: () => string) => {
    const message = () => `${title} overflow: ${call()}`;
    try {
      return inRange(compute(), kind, message);
    } catch (error) {
      throw error instanceof FractionOverflow ? new Failure(message()) : error;
    }
  };
  const logarithm = (label: string, convert: (natural: bigint) => bigint) =>
    new JsFunction(named(label.toLowerCase()), [type], type, (value) => {
      if (value <= 0n)
        throw new Failure(`${label} is undefined for zero or negative value: ${label}(${write(value)})`);
      return fractions.units(convert(fractions.logarithm(fractionOf(value), enough)), one);
    });
  return {
    exponential: new JsFunction(named('exp'), [type], type, (value) =>
      result(
        () => fractions.units(fractions.exponential(fractionOf(value)), one),
        () => `EXP(${write(value)})`,
      ),
    ),
    naturalLogarithm: logarithm('LN', (natural) => natural),
    decimalLogarithm: logarithm('LOG10', (natural) => fractions.asDecimalLogarithm(natural)),
    logarithm: new JsFunction(named('log'), [type, type], type, (value, base) => {
      const call = () => `LOG(${write(value)}, ${write(base)})`;
      if (value <= 0n || base <= 0n || base === one)
        throw new Failure(`LOG is undefined for zero or negative value, or when base equals 1: ${call()}`);
      return result(() => {
        const [a, b] = [value, base].map((x) => fractions.logarithm(fractionOf(x), fractions.smallStep));
        if (a === undefined || b === undefined || b === 0n) throw new FractionOverflow();
        return fractions.units(fractions.quotient(a, b), one);
      }, call);
    }),
    power: new JsFunction(named('pow'), [type, type], type, (base, exponent) => {
      const call = () => `POW(${write(base)}, ${write(exponent)})`;
      return result(() => power(base, exponent, one, title, fractions, call), call);
    }),
    cubeRoot: new JsFunction(named('cbrt'), [type], type, (value) => {
      const root = cubeRoot(abs(value) * one * one);
      return value < 0n ? -root : root;
    }),
  };
}

/** A power in units. */
function power(
  base: bigint,
  exponent: bigint,
  one: bigint,
  title: string,
  fractions: BinaryFractions,
  call: () => string,
): bigint {
  if (exponent === 2n * one) return divideRounded(base * base, one);
  if (exponent === 0n) return one;
  if (exponent === one) return base;
  if (base === 0n) {
    if (exponent < 0n) throw new Failure(`division by zero: ${call()}`);
    return 0n;
  }
  if (exponent === -one) return divideRounded(one * one, base);
  const whole = abs(exponent) / one;
  let rest = exponent % one;
  if (base < 0n && rest !== 0n)
    throw new Failure(
      `Negative ${title.toUpperCase()} value cannot be raised to a fractional power: ${call()}`,
    );
  let size = fractions.quotient(abs(base), one);
  let found = fractions.one;
  if (whole > 0n && exponent > 0n) found = fractions.integerPower(size, whole);
  else if (whole > 0n && abs(base) > one) {
    try {
      found = fractions.inverse(fractions.integerPower(size, whole));
    } catch (error) {
      if (error instanceof FractionOverflow) return 0n;
      throw error;
    }
  } else if (whole > 0n) {
    size = fractions.quotient(one, abs(base));
    found = fractions.integerPower(size, whole);
    rest = -rest;
  }
  if (rest !== 0n) {
    const ofRest = fractions.fractionalPower(size, fractions.quotient(rest, one));
    found = whole === 0n ? ofRest : fractions.multiply(found, ofRest);
  }
  const units = fractions.units(found, one);
  return base < 0n && whole % 2n === 1n ? -units : units;
}

/** The cube root, rounded half up. A root of a whole number never ends in a half. */
function cubeRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 3));
  for (;;) {
    const next = (2n * root + value / (root * root)) / 3n;
    if (next >= root) break;
    root = next;
  }
  return 8n * value > (2n * root + 1n) ** 3n ? root + 1n : root;
}

export const numericMaths = mathsOf({
  kind: numericKind,
  fractions: new BinaryFractions(94, 192),
  enough: 1n << 60n,
});

export const bignumericMaths: typeof numericMaths = mathsOf({
  kind: bignumericKind,
  fractions: new BinaryFractions(254, 384),
  enough: 1n << 110n,
});

export const decimalMaths = [...Object.values(numericMaths), ...Object.values(bignumericMaths)];
