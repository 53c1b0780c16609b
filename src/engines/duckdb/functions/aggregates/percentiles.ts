import type { Value } from '../../../../sql/values/value.ts';
import { unitsOf } from '../../dialect/decimal-units.ts';
import { exactFraction } from '../../udf/decimals/double-rounding.ts';
import type { AggregateCall } from '../call/aggregate-call.ts';
import { decimalFunctions } from '../numbers/decimals.ts';

/** An exact fraction between 0 and 1. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** What fits into HUGEINT: a product with a row count, and a sum with one. */
const [maxNumerator, maxDenominator] = [2n ** 84n, 2n ** 126n];

/** The digits of a decimal fraction. */
const scale = 38;

function fractionOf(call: AggregateCall): Fraction {
  const value = call.constant(1, 'fraction');
  const { numerator, denominator } = exact(value) ?? { numerator: -1n, denominator: 1n };
  if (numerator < 0n || numerator > denominator)
    throw call.refusal(`the fraction ${value}, which is not between 0 and 1`);
  const common = greatestDivisor(numerator, denominator);
  const fraction = { numerator: numerator / common, denominator: denominator / common };
  if (fraction.numerator > maxNumerator || fraction.denominator > maxDenominator)
    throw call.refusal(`a fraction as precise as ${value}`);
  return fraction;
}

function exact(value: Value): Fraction | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const { units, divisor } = exactFraction(value);
    return { numerator: units, denominator: divisor };
  }
  const units = typeof value === 'string' ? unitsOf(value, scale) : undefined;
  return units === undefined ? undefined : { numerator: units, denominator: 10n ** BigInt(scale) };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

/** The values of a call in their order, each partition as a whole. */
function sortedValues(call: AggregateCall) {
  const value = call.arg(0);
  const isNullValue = call.nulls === 'RESPECT_NULLS';
  const over = call.window.sorted(value, isNullValue);
  return {
    /** The number of values. */
    count: call.window.below(`count(${isNullValue ? '*' : value.sql})${call.over}`),
    /** The value at a position, which starts at 1. */
    at: (position: string) => `nth_value(${value.sql}, ${position}) ${over}`,
  };
}

/**
 * `PERCENTILE_DISC(x, fraction)`: the first value at which at least this fraction of all values is reached. The position
 * is computed exactly.
 */
export function percentileDisc(call: AggregateCall): string {
  const { numerator, denominator } = fractionOf(call);
  const { count, at } = sortedValues(call);
  const reached = `(${count} * ${huge(numerator)} + ${huge(denominator - 1n)}) // ${huge(denominator)}`;
  return at(`CAST(greatest(${reached}, 1) AS BIGINT)`);
}

/**
 * `PERCENTILE_CONT(x, fraction)`: the value at the fraction of the way from the first to the last value, interpolated
 * between its neighbours. Beside NULL, the other neighbour is the result.
 */
export function percentileCont(call: AggregateCall): string {
  const { numerator, denominator } = fractionOf(call);
  const { count, at } = sortedValues(call);
  const way = `greatest(${count} - 1, 0) * ${huge(numerator)}`;
  const rest = `${way} % ${huge(denominator)}`;
  const position = `CAST(${way} // ${huge(denominator)} AS BIGINT)`;
  const [left, right] = [at(`${position} + 1`), at(`${position} + 2`)];
  const between = interpolated(call, left, right, rest, denominator);
  return `CASE WHEN ${rest} = 0 THEN ${left} WHEN ${left} IS NULL THEN ${right} ELSE ${between} END`;
}

/** The value at `rest / denominator` of the way from `left` to `right`. */
function interpolated(
  call: AggregateCall,
  left: string,
  right: string,
  rest: string,
  denominator: bigint,
): string {
  const missing = `${huge(denominator)} - ${rest}`;
  const decimal = decimalFunctions(call.type);
  if (decimal !== undefined) {
    const weights = [missing, rest].map((weight) => `CAST(${weight} AS BIGNUM)`);
    return decimal.weightedMean.call([left, right, ...weights]);
  }
  if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
  const weight = (part: string) => `CAST(${part} AS DOUBLE) / '${denominator}'::DOUBLE`;
  return `(${left} * (${weight(missing)}) + ${right} * (${weight(rest)}))`;
}

function huge(value: bigint): string {
  return `${value}::HUGEINT`;
}
