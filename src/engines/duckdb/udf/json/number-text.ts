import { withoutTrailingZeros } from '../../../../base/text/trailing-zeros.ts';
import { Failure } from '../../../../sql/regexp/syntax.ts';

/** How to treat a number that neither FLOAT64 nor a 64-bit integer represents exactly. */
export type WideNumbers = 'exact' | 'round';

const maxUnsigned = 2n ** 64n - 1n;
const minSigned = -(2n ** 63n);

/**
 * A number's text as the type JSON prints it: 64-bit integers unchanged, others as FLOAT64.
 *
 * @throws Failure when it is out of FLOAT64's range, or isn't exactly representable and `numbers` requires that
 */
export function canonicalNumber(text: string, numbers: WideNumbers): string {
  if (/^[1-9]\d{0,14}$/.test(text)) return text;
  if (/^-?\d+$/.test(text)) {
    const value = BigInt(text);
    if (value >= minSigned && value <= maxUnsigned) return value.toString();
  }
  const value = Number(text);
  if (!Number.isFinite(value))
    throw new Failure(`Invalid input to PARSE_JSON: number overflow parsing '${text}'`);
  if (numbers === 'exact' && !isExact(text))
    throw new Failure(
      `Invalid input to PARSE_JSON: Input number: ${text} cannot round-trip through string representation`,
    );
  return floatText(value);
}

/**
 * A finite FLOAT64: the shortest digits that parse to the same number, with an exponent below 1e-4 and from 1e15 on.
 */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (value === 0) return '0.0';
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= 15 || exponent < -4) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  const sign = value < 0 ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.padEnd(exponent + 1, '0');
  return `${sign}${whole.slice(0, exponent + 1)}.${whole.slice(exponent + 1) || '0'}`;
}

/** Whether the shortest text of the nearest FLOAT64 equals that number. */
export function isExact(text: string): boolean {
  return decimal(text) === decimal(String(Number(text)));
}

/** The digits without leading and trailing zeros, and the power of ten: equal for equal numbers. */
function decimal(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + (digits.length - significant.length)}`;
}
