import { Failure } from '../../../../sql/values/function-errors.ts';
import { abs, decimalText, unitsOf } from '../../dialect/decimal-units.ts';
import { JsFunction } from '../js/js-function.ts';
import { bignum, float64, int64, listOf, text } from '../js/js-type.ts';
import { trimSpace } from '../text/trim-space.ts';
import { bignumericKind, type DecimalKind, divideRounded, inRange, numericKind } from './decimal.ts';
import { exactFraction } from './double-rounding.ts';

/** No number has more digits, so dropping more makes no difference. */
const maxDrop = 90;

const rounded =
  (isUp: (rest: bigint, step: bigint, quotient: bigint) => boolean): Rounding =>
  (units, drop) => {
    if (drop <= 0) return units;
    const step = 10n ** BigInt(Math.min(drop, maxDrop));
    const quotient = abs(units) / step;
    const rest = abs(units) % step;
    const result = (quotient + (isUp(rest, step, quotient) ? 1n : 0n)) * step;
    return units < 0n ? -result : result;
  };

const truncated = rounded(() => false);

const halfAwayFromZero = rounded((rest, step) => 2n * rest >= step);

const halfEven = rounded(
  (rest, step, quotient) => 2n * rest > step || (2n * rest === step && quotient % 2n === 1n),
);

const floored: Rounding = (units, drop) => {
  const result = truncated(units, drop);
  return result > units ? result - 10n ** BigInt(drop) : result;
};

const ceiled: Rounding = (units, drop) => -floored(-units, drop);

const maxElements = 1_048_576n;

type Binary = (a: bigint, b: bigint) => bigint;

/** The functions of one decimal type. Results are computed exactly, then rounded half away from zero. */
function functionsOf(kind: DecimalKind) {
  const { name, title, scale, type } = kind;
  const one = 10n ** BigInt(scale);
  const write = (units: bigint) => decimalText(units, scale);
  const named = (suffix: string) => `${name}_${suffix}`;
  const binary = (suffix: string, show: (a: string, b: string) => string, compute: Binary) =>
    new JsFunction(named(suffix), [type, type], type, (a, b) =>
      inRange(compute(a, b), kind, () => `${title} overflow: ${show(write(a), write(b))}`),
    );
  const infix = (suffix: string, operator: string, compute: Binary) =>
    binary(suffix, (a, b) => `${a} ${operator} ${b}`, compute);
  const nonZero = (divisor: bigint, shown: () => string): void => {
    if (divisor === 0n) throw new Failure(`division by zero: ${shown()}`);
  };
  const rounding = (
    suffix: string,
    round: Rounding,
    show = (value: string, digits: bigint) => `ROUND(${value}, ${digits})`,
  ) =>
    new JsFunction(named(suffix), [type, int64], type, (value, digits) => {
      const kept = digits > 100n ? 100 : digits < -100n ? -100 : Number(digits);
      return inRange(
        round(value, scale - kept),
        kind,
        () => `${title} overflow: ${show(write(value), digits)}`,
      );
    });
  return {
    add: infix('add', '+', (a, b) => a + b),
    subtract: infix('subtract', '-', (a, b) => a - b),
    multiply: infix('multiply', '*', (a, b) => divideRounded(a * b, one)),
    divide: infix('divide', '/', (a, b) => {
      nonZero(b, () => `${write(a)} / ${write(b)}`);
      return divideRounded(a * one, b);
    }),
    quotient: binary(
      'quotient',
      (a, b) => `DIV(${a}, ${b})`,
      (a, b) => {
        nonZero(b, () => `DIV(${write(a)}, ${write(b)})`);
        return (a / b) * one;
      },
    ),
    remainder: binary(
      'remainder',
      (a, b) => `MOD(${a}, ${b})`,
      (a, b) => {
        nonZero(b, () => `MOD(${write(a)}, ${write(b)})`);
        return a % b;
      },
    ),
    /** The sum of values divided by their number. */
    mean: new JsFunction(named('mean'), [bignum, int64], type, divideRounded),
    /** The mean of two values by their weights. */
    weightedMean: new JsFunction(
      named('weighted_mean'),
      [type, type, bignum, bignum],
      type,
      (a, b, ofA, ofB) => divideRounded(a * ofA + b * ofB, ofA + ofB),
    ),
    negate: new JsFunction(named('negate'), [type], type, (value) =>
      inRange(-value, kind, () => `${title} overflow: -(${write(value)})`),
    ),
    absolute: new JsFunction(named('absolute'), [type], type, (value) =>
      inRange(abs(value), kind, () => `Floating point overflow in function: ABS(${write(value)})`),
    ),
    sign: new JsFunction(named('sign'), [type], type, (value) => (value > 0n ? one : value < 0n ? -one : 0n)),
    squareRoot: new JsFunction(named('square_root'), [type], type, (value) => {
      if (value < 0n) throw new Failure(`SQRT is undefined for negative value: SQRT(${write(value)})`);
      return squareRoot(value * one);
    }),
    round: rounding('round', halfAwayFromZero),
    roundHalfEven: rounding('round_half_even', halfEven),
    truncate: rounding('truncate', truncated),
    floor: rounding('floor', floored, (value) => `FLOOR(${value})`),
    ceiling: rounding('ceiling', ceiled, (value) => `CEIL(${value})`),
    /** GENERATE_ARRAY. */
    series: new JsFunction(named('series'), [type, type, type], listOf(type), (from, to, step) => {
      if (step === 0n) throw new Failure('Sequence step cannot be 0.');
      const last = (to - from) / step;
      if (last < 0n || to - from < 0n !== step < 0n) return from === to ? [from] : [];
      if (last >= maxElements)
        throw new Failure(`Cannot generate arrays with more than ${maxElements} elements.`);
      return Array.from({ length: Number(last) + 1 }, (_, i) => from + BigInt(i) * step);
    }),
    ofText: new JsFunction(named('of_text'), [text], type, (value) => {
      const fail = () => `Invalid ${name.toUpperCase()} value: ${value}`;
      const units = unitsOf(trimSpace(value), scale);
      if (units === undefined) throw new Failure(fail());
      return inRange(units, kind, fail);
    }),
    /** Parses like a cast, but allows white space between sign and digits, a sign at the end, and commas anywhere. */
    parse: new JsFunction(named('parse'), [text], type, (value) => {
      const fail = () => `Invalid input to PARSE_${name.toUpperCase()}: "${value}"`;
      const units = unitsOf(looseNumber(value), scale);
      if (units === undefined) throw new Failure(fail());
      return inRange(units, kind, fail);
    }),
    ofDouble: new JsFunction(named('of_double'), [float64], type, (value) => {
      if (!Number.isFinite(value)) {
        const written = Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
        throw new Failure(`Illegal conversion of non-finite floating point number to ${title}: ${written}`);
      }
      const { units, divisor } = exactFraction(value);
      return inRange(
        divideRounded(units * one, divisor),
        kind,
        () => `${title} out of range: ${doubleText(value)}`,
      );
    }),
    toText: new JsFunction(named('to_text'), [type], text, write),
    toDouble: new JsFunction(named('to_double'), [type], float64, (value) => Number(write(value))),
    toInt64: new JsFunction(named('to_int64'), [type], int64, (value) => {
      const whole = divideRounded(value, one);
      if (BigInt.asIntN(64, whole) !== whole) throw new Failure(`int64 out of range: ${write(value)}`);
      return whole;
    }),
  };
}

/** Formats large numbers like C's `%g`: at most six digits. */
function doubleText(value: number): string {
  return String(Number(value.toPrecision(6))).replace(/e\+(\d)$/, 'e+0$1');
}

/** The square root, rounded half away from zero. A root of a whole number never ends in a half. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return value - root * root > root ? root + 1n : root;
}

/** The number in a cast's syntax, for PARSE_NUMERIC's more lenient forms. */
function looseNumber(value: string): string {
  const inner = trimSpace(value);
  const [first = '', last = ''] = [inner[0], inner.at(-1)];
  const isSign = (character: string) => character === '+' || character === '-';
  const sign = isSign(first) ? first : isSign(last) ? last : '';
  const digits = isSign(first) ? inner.slice(1) : isSign(last) ? inner.slice(0, -1) : inner;
  const [whole = '', ...rest] = trimSpace(digits).split('.');
  return sign + [whole.replaceAll(',', ''), ...rest].join('.');
}

export const numericFunctions = functionsOf(numericKind);
export const bignumericFunctions = functionsOf(bignumericKind);

export const bignumericToNumeric = new JsFunction(
  'bignumeric_to_numeric',
  [bignumericKind.type],
  numericKind.type,
  (value) =>
    inRange(
      divideRounded(value, 10n ** BigInt(bignumericKind.scale - numericKind.scale)),
      numericKind,
      () => `numeric out of range: ${decimalText(value, bignumericKind.scale)}`,
    ),
);

/** Rounds a number of units to a multiple of `10 ** drop` units. */
type Rounding = (units: bigint, drop: number) => bigint;
