import { abs } from '../../dialect/decimal-units.ts';
import { type DecimalDigits, roundDigits } from './decimal-digits.ts';
import type { Real } from './real.ts';

/** The options of a number's conversion, after resolving every `*`. */
export interface NumberForm {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

/** %d, %i, %o, %x and %X as in C, but all of them are signed. */
export function writeInteger(value: bigint, form: NumberForm): string {
  const { flags, precision, conversion } = form;
  const radix = conversion === 'o' ? 8 : conversion.toLowerCase() === 'x' ? 16 : 10;
  let digits = abs(value).toString(radix);
  if (precision !== undefined)
    digits = precision === 0 && value === 0n ? '' : digits.padStart(precision, '0');
  if (flags.includes("'")) digits = grouped(digits, radix);
  const mark = !flags.includes('#') ? '' : radix === 16 ? '0x' : radix === 8 ? '0' : '';
  const text = padded(sign(value < 0n, flags) + mark, digits, form, precision === undefined);
  return conversion === 'X' ? text.toUpperCase() : text;
}

/** %f, %e, %g and their capitals, as in C. */
export function writeReal(value: Real, form: NumberForm): string {
  const { flags, conversion } = form;
  const written =
    value.digits === undefined ? (value.isNan ? 'nan' : 'inf') : realDigits(value.digits, value, form);
  const text = padded(sign(value.isNegative, flags), written, form, value.digits !== undefined);
  return conversion === conversion.toUpperCase() ? text.toUpperCase() : text;
}

function realDigits(
  digits: DecimalDigits,
  { half }: Real,
  { flags, precision = 6, conversion }: NumberForm,
): string {
  const write = { isGrouped: flags.includes("'"), keepsPoint: flags.includes('#'), half };
  switch (conversion.toLowerCase()) {
    case 'f':
      return fixed(digits, precision, write);
    case 'e':
      return exponential(digits, precision, write);
    default: {
      const significant = precision || 1;
      const exponent = digits.digits === '' ? 0 : roundDigits(digits, significant, half).point - 1;
      const text =
        exponent >= -4 && exponent < significant
          ? fixed(digits, significant - 1 - exponent, write)
          : exponential(digits, significant - 1, write);
      return write.keepsPoint ? text : text.replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1');
    }
  }
}

interface Style {
  readonly isGrouped: boolean;
  readonly keepsPoint: boolean;
  readonly half: Real['half'];
}

function fixed(value: DecimalDigits, precision: number, { isGrouped, keepsPoint, half }: Style): string {
  const { digits, point } = roundDigits(value, value.point + precision, half);
  const all = digits.padStart(digits.length - point, '0');
  const whole = point > 0 ? all.slice(0, point) : '0';
  const fraction = (point > 0 ? all.slice(point) : all).padEnd(precision, '0').slice(0, precision);
  return `${isGrouped ? grouped(whole, 10) : whole}${fraction !== '' || keepsPoint ? '.' : ''}${fraction}`;
}

function exponential(value: DecimalDigits, precision: number, { keepsPoint, half }: Style): string {
  const { digits, point } = roundDigits(value, precision + 1, half);
  const exponent = value.digits === '' ? 0 : point - 1;
  const fraction = digits.slice(1, precision + 1).padEnd(precision, '0');
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0] ?? '0'}${fraction !== '' || keepsPoint ? '.' : ''}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
}

function sign(isNegative: boolean, flags: string): string {
  if (isNegative) return '-';
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

/** Hexadecimal and octal digits are grouped by fours. */
function grouped(digits: string, radix: number): string {
  const [size, separator] = radix === 10 ? [3, ','] : radix === 16 ? [4, ':'] : [4, ','];
  const first = digits.length % size || size;
  let text = digits.slice(0, first);
  for (let at = first; at < digits.length; at += size) text += separator + digits.slice(at, at + size);
  return text;
}

function padded(prefix: string, digits: string, { flags, width }: NumberForm, takesZeros: boolean): string {
  const text = prefix + digits;
  if (flags.includes('-')) return text.padEnd(width);
  if (flags.includes('0') && takesZeros) return prefix + digits.padStart(width - prefix.length, '0');
  return text.padStart(width);
}
