import { Failure, Refusal } from '../../../../sql/values/function-errors.ts';
import { keptByText } from '../js/kept-by-text.ts';

/** A format of CAST(number AS STRING FORMAT ...). */
export type NumberModel = DecimalModel | HexadecimalModel | RomanModel;

export interface DecimalModel {
  readonly kind: 'decimal';
  /** The elements before the point: `0`, `9` and `,`. */
  readonly whole: string;
  /** The element between whole and fraction. `V` writes nothing. */
  readonly point: '.' | 'V' | '';
  /** How many digits follow it. */
  readonly scale: number;
  readonly exponent: 'E' | 'e' | '';
  readonly currency: string;
  readonly sign: SignForm;
  readonly isCompact: boolean;
  /** Whether a number below 1 is written as spaces (`B`). */
  readonly isBlankBelowOne: boolean;
}

export interface HexadecimalModel {
  readonly kind: 'hexadecimal';
  /** `X` and `x`, as the digits are written, or `0`. */
  readonly places: string;
  readonly sign: SignForm;
  readonly isCompact: boolean;
}

export interface RomanModel {
  readonly kind: 'roman';
  readonly isUpper: boolean;
  readonly isCompact: boolean;
}

/** What is written before and after numbers, by their sign. */
export interface SignForm {
  readonly negative: readonly [before: string, after: string];
  readonly other: readonly [before: string, after: string];
}

/** The greatest length of a format, which is that of all texts that are formatted. */
const maxLength = 1_048_576;

const maxHexadecimalPlaces = 16;

const element = /EEEE|FM|MI|PR|RN|TM[9E]?|[$09X.D,GSBVCL]/iy;

/** Elements that may stand anywhere. */
const flag = /^(?:FM|[$CLB])$/i;

const decimal = /^(S?)((?:(?<=S)[,09]|[09])[,09]*|)(?:([.V])([09]*))?(EEEE)?(S|MI|PR)?$/i;
const hexadecimal = /^(S?)(0*X[0X]*)(S|MI|PR)?$/i;

const signs: Readonly<Record<string, SignForm>> = {
  '': { negative: ['-', ''], other: [' ', ''] },
  S: { negative: ['', '-'], other: ['', '+'] },
  MI: { negative: ['', '-'], other: ['', ' '] },
  PR: { negative: ['<', '>'], other: [' ', ' '] },
};

const leadingSign: SignForm = { negative: ['-', ''], other: ['+', ''] };

const currencies: Readonly<Record<string, string>> = { $: '$', L: '$', l: '$', C: 'USD', c: 'usd' };

const failure = (what: string) => new Failure(`Error in format string: ${what}`);

/**
 * Parses BigQuery's format model for numbers. Its locale is that of the United States, so `D` is a point and `G` a comma.
 *
 * @throws Failure when the format is invalid
 */
export const numberModel = keptByText((format): NumberModel => {
  if (format.length > maxLength) throw failure(`Format string too long; limit ${maxLength}`);
  const elements = readElements(format);
  const flags = elements.filter((each) => flag.test(each));
  const rest = elements
    .filter((each) => !flag.test(each))
    .join('')
    .replace(/d/gi, '.')
    .replace(/g/gi, ',');
  const isCompact = takeFlag(flags, /FM/i, "'FM' cannot be repeated") !== undefined;
  const currency = takeFlag(flags, /[$CL]/i, "There can be at most one of '$', 'C' or 'L'");
  const isBlankBelowOne = takeFlag(flags, /B/i, "There can be at most one 'B'") !== undefined;
  if (/^TM[9E]?$/i.test(rest)) throw new Refusal(`Not supported: the format ${rest.toUpperCase()}`);
  const others = [currency, isBlankBelowOne ? 'B' : undefined].filter((each) => each !== undefined);
  const noOthers = (name: string) => {
    if (others[0] !== undefined)
      throw failure(`'${name}' cannot appear together with '${others[0].toUpperCase()}'`);
  };
  if (/^RN$/i.test(rest)) {
    noOthers('RN');
    return { kind: 'roman', isUpper: rest.startsWith('R'), isCompact };
  }
  const hex = hexadecimal.exec(rest);
  if (hex !== null) {
    noOthers('X');
    const [, front, places = '', back] = hex;
    if (places.length > maxHexadecimalPlaces) throw failure(`Max number of 'X' is ${maxHexadecimalPlaces}`);
    return { kind: 'hexadecimal', places, sign: signOf(front, back), isCompact };
  }
  const found = decimal.exec(rest);
  if (found === null) throw failure(`'${format}' has elements that cannot appear together, or in this order`);
  const [, front, whole = '', point, fraction = '', exponent, back] = found;
  if (!/[09]/.test(whole + fraction))
    throw failure("Format string must contain at least one of 'X', '0' or '9'");
  if (exponent !== undefined && whole.includes(','))
    throw failure("',' or 'G' cannot appear together with 'EEEE'");
  return {
    kind: 'decimal',
    whole,
    point: point === undefined ? '' : point === '.' ? '.' : 'V',
    scale: fraction.length,
    exponent: exponent === undefined ? '' : exponent.startsWith('E') ? 'E' : 'e',
    currency: currencies[currency ?? ''] ?? '',
    sign: signOf(front, back),
    isCompact,
    isBlankBelowOne,
  };
});

function readElements(format: string): readonly string[] {
  const elements: string[] = [];
  for (let at = 0; at < format.length; ) {
    element.lastIndex = at;
    const [found] = element.exec(format) ?? [];
    if (found === undefined) throw failure(`Invalid format element '${format.charAt(at)}'`);
    elements.push(found);
    at += found.length;
  }
  return elements;
}

function takeFlag(flags: readonly string[], pattern: RegExp, repeated: string): string | undefined {
  const [first, second] = flags.filter((each) => pattern.test(each));
  if (second !== undefined) throw failure(repeated);
  return first;
}

function signOf(front: string | undefined, back = ''): SignForm {
  if (front && back) throw failure("There can be at most one of 'S', 'MI', or 'PR'");
  return front ? leadingSign : (signs[back.toUpperCase()] as SignForm);
}
