import { Failure } from '../../../../sql/values/function-errors.ts';
import { abs, decimalText } from '../../dialect/decimal-units.ts';
import { JsFunction } from '../js/js-function.ts';
import { float64, int64 } from '../js/js-type.ts';
import { divideRounded } from './decimal.ts';

/** A finite double is exactly `units / divisor`. */
export function exactFraction(value: number): { readonly units: bigint; readonly divisor: bigint } {
  let mantissa = value;
  let divisor = 1n;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    divisor *= 2n;
  }
  return { units: BigInt(mantissa), divisor };
}

/** No double has digits further after or before the point. */
const [maxDigits, leastDigits] = [1075n, -310n];

const rounding = (name: string, divide: (dividend: bigint, divisor: bigint) => bigint) =>
  new JsFunction(`double_${name.toLowerCase()}`, [float64, int64], float64, (value, digits) => {
    if (!Number.isFinite(value) || digits >= maxDigits || value === 0) return value;
    if (digits <= leastDigits) return 0;
    const { units, divisor } = exactFraction(value);
    const power = 10n ** abs(digits);
    const result =
      digits >= 0n
        ? Number(decimalText(divide(units * power, divisor), Number(digits)))
        : Number(divide(units, divisor * power) * power);
    if (!Number.isFinite(result))
      throw new Failure(`Floating point overflow in function: ${name}(${value}, ${digits})`);
    return result;
  });

/** ROUND and TRUNC of the exact value, rather than of its product with a power of ten. */
export const doubleRound = rounding('ROUND', divideRounded);
export const doubleTruncate = rounding('TRUNC', (dividend, divisor) => dividend / divisor);
