import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { text } from '../js/js-type.ts';
import { roundDigits } from './decimal-digits.ts';
import { type DecimalModel, type HexadecimalModel, numberModel, type SignForm } from './number-model.ts';
import { type Real, realOfDecimal, realOfDouble } from './real.ts';
import { romanNumeral } from './roman-numeral.ts';
import { writeReal } from './write-number.ts';

/** `(number as text, type, format)` of a cast to STRING with a format. */
export const castNumberToText = new JsFunction(
  'cast_number_to_text',
  [text, text, text],
  text,
  (number, type, format) =>
    writeByNumberModel(type === 'FLOAT64' ? realOfDouble(number) : realOfDecimal(number), format),
);

/** @throws Failure when the format is invalid, or has no form for the number */
function writeByNumberModel(number: Real, format: string): string {
  const model = numberModel(format);
  switch (model.kind) {
    case 'roman': {
      const numeral = roman(number);
      const shown = model.isUpper ? numeral : numeral.toLowerCase();
      return model.isCompact ? shown : shown.padStart(romanWidth);
    }
    case 'hexadecimal':
      return compact(hexadecimal(number, model), model.isCompact);
    case 'decimal':
      return compact(
        number.digits === undefined ? notFinite(number, model) : decimal(number, model),
        model.isCompact,
      );
  }
}

const romanWidth = 15;

function compact(written: string, isCompact: boolean): string {
  return isCompact ? written.replace(/^ +| +$/g, '') : written;
}

/** The integer nearest to a number without its sign. Undefined for infinity and NaN. */
function nearestInteger({ digits }: Real): bigint | undefined {
  if (digits === undefined) return undefined;
  const { digits: kept, point } = roundDigits(digits, digits.point, 'away');
  return BigInt(kept.slice(0, Math.max(point, 0)) || '0');
}

function roman(number: Real): string {
  const value = nearestInteger(number);
  const numeral = value === undefined || number.isNegative ? undefined : romanNumeral(value);
  if (numeral === undefined) throw new Failure("The format 'RN' takes numbers between 1 and 3999");
  return numeral;
}

const maxHexadecimal = 2n ** 64n - 1n;

/** `#` in all places stands for a number that doesn't fit. */
function hexadecimal(number: Real, { places, sign }: HexadecimalModel): string {
  const value = nearestInteger(number);
  const digits = value === undefined || value > maxHexadecimal ? undefined : value.toString(16);
  const fits = digits !== undefined && digits.length <= places.length;
  const firstZero = places.indexOf('0');
  const zeros = firstZero < 0 ? 0 : places.length - firstZero;
  const shown = fits ? digits.padStart(zeros, '0') : '#'.repeat(places.length);
  const from = places.length - shown.length;
  const cased = Array.from(shown, (digit, i) =>
    isUpperAt(places, from + i) ? digit.toUpperCase() : digit,
  ).join('');
  return ' '.repeat(from) + signed(cased, number.isNegative, sign);
}

/** A zero has the letter case of the next `X`. */
function isUpperAt(places: string, at: number): boolean {
  return /^0*x/.exec(places.slice(at)) === null;
}

function signed(written: string, isNegative: boolean, { negative, other }: SignForm): string {
  const [before, after] = isNegative ? negative : other;
  return before + written + after;
}

const realText = /^(\d+)\.(\d*)(?:e(.+))?$/;

function decimal(number: Real, model: DecimalModel): string {
  const { scale, exponent, isCompact, currency, sign } = model;
  const point = model.point === '.' ? '.' : '';
  const conversion = exponent === '' ? 'f' : 'e';
  const written = writeReal(
    { ...number, isNegative: false },
    { flags: '#', width: 0, precision: scale, conversion },
  );
  const [, shownWhole = '', shownFraction = '', power = ''] = realText.exec(written) ?? [];
  const digits = shownWhole === '0' ? '' : shownWhole;
  const places = [...model.whole].filter((each) => each !== ',').length;
  const fits = digits.length <= places;
  const fraction = isCompact ? shownFraction.replace(/0+$/, '') : shownFraction;
  // An exponent follows one digit, so that only the last place is used.
  const pattern = exponent === '' ? model.whole : model.whole.slice(-1);
  const isHidden = digits === '' && exponent === '' && !pattern.includes('0') && fraction !== '';
  const whole = places === 0 || isHidden ? '' : wholeDigits(digits || '0', pattern, fits);
  const rest = fits
    ? `${point}${fraction}${exponent === '' ? '' : exponent + power}`
    : `${point}${'#'.repeat(scale)}${exponent === '' ? '' : '####'}`;
  const shown = signed(currency + whole + rest, number.isNegative, sign);
  const isBlank = model.isBlankBelowOne && digits === '';
  return ' '.repeat(pattern.length - whole.length) + (isBlank ? ' '.repeat(shown.length) : shown);
}

/** The digits in their places from the right, with zeros up to the first `0` of the pattern. */
function wholeDigits(digits: string, pattern: string, fits: boolean): string {
  const firstZero = pattern.indexOf('0');
  let shown = '';
  let left = digits.length;
  for (let at = pattern.length - 1; at >= 0; at--) {
    if (left <= 0 && (firstZero < 0 || at < firstZero)) break;
    if (pattern[at] === ',') shown = `,${shown}`;
    else shown = (fits ? (digits[--left] ?? '0') : '#') + shown;
  }
  return shown;
}

const nameLength = 3;

/** INF and NAN take the places before the point, commas included. With an exponent, they stand at its end. */
function notFinite({ isNan, isNegative }: Real, model: DecimalModel): string {
  const { whole, point, scale, exponent, sign, currency } = model;
  const name = isNan ? 'NAN' : 'INF';
  const shownSign = isNan ? blank(sign) : sign;
  if (exponent !== '') {
    const before = Math.min(whole.length, 1) + point.length + scale + 1;
    return ' '.repeat(before) + signed(currency + name, isNegative, shownSign);
  }
  const fits = whole.length >= nameLength;
  const shown = fits ? name : whole.replace(/[09]/g, '#');
  const shownPoint = point === '.' ? '.' : '';
  const rest = fits ? ' '.repeat(shownPoint.length + scale) : shownPoint + '#'.repeat(scale);
  const trailing = model.isCompact && fits ? '' : rest;
  return ' '.repeat(whole.length - shown.length) + signed(currency + shown + trailing, isNegative, shownSign);
}

function blank({ other: [before, after] }: SignForm): SignForm {
  const spaces = [' '.repeat(before.length), ' '.repeat(after.length)] as const;
  return { negative: spaces, other: spaces };
}
