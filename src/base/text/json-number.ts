import { JsonFault, parseJsonText } from './json-reader.ts';
import { withoutTrailingZeros } from './trailing-zeros.ts';

/** A number of a JSON text with its source text, which is more precise than a double. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** Makes `JSON.stringify` write the source text. */
  toJSON(): unknown {
    // TypeScript's types lack it.
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.text);
  }
}

/** A text that is the same for equal numbers: digits without zeros at their ends, and an exponent. */
export function canonicalNumber(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const short = withoutTrailingZeros(digits);
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

/** Whether a text is a number as JSON writes it. */
export function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/** Thrown when only the double of a number is present and its source text is needed: parse the text again with digits. */
export class DigitsNeeded extends Error {
  override readonly name = 'DigitsNeeded';
}

/**
 * This many digits in a row, including points, can exceed the precision of a double: a whole double may represent another
 * number.
 */
const longNumber = 17;

/** Whether a number of a JSON text may have lost its difference from a whole number. */
export function mayLoseDigits(text: string): boolean {
  // A run of this length contains a multiple of `longNumber`. So only the neighbours of digits at such places are checked.
  for (let at = longNumber - 1; at < text.length; at += longNumber) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    let begin = at;
    while (begin > 0 && isOfNumber(text.charCodeAt(begin - 1))) begin -= 1;
    let end = at + 1;
    while (end < text.length && isOfNumber(text.charCodeAt(end))) end += 1;
    if (end - begin >= longNumber) return true;
  }
  return false;
}

const [zero, nine, point] = [0x30, 0x39, 0x2e];

function isOfNumber(code: number): boolean {
  return (code >= zero && code <= nine) || code === point;
}

/** As deep as the stack allows in any thread. */
const maxDepth = 1000;

/** The first values of the members of an object that occur several times, by their names. */
const firstValues = Symbol('first values');

const forms = {
  number: (text: string): unknown => new JsonNumber(text),
  object(members: readonly (readonly [string, unknown])[]): unknown {
    const object: Record<string, unknown> = {};
    let firsts: Map<string, unknown> | undefined;
    for (const [name, value] of members) {
      if (Object.hasOwn(object, name)) {
        firsts ??= new Map();
        if (!firsts.has(name)) firsts.set(name, object[name]);
      }
      if (name === '__proto__') setOwn(object, name, value);
      else object[name] = value;
    }
    if (firsts !== undefined) Object.defineProperty(object, firstValues, { value: firsts });
    return object;
  },
  accepts: () => true,
};

function setOwn(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

/**
 * `JSON.parse`, but with a `JsonNumber` for every number, and with the first values of repeated members for `firstMembers`.
 * Several times as slow.
 *
 * @throws SyntaxError; RangeError for a text with more than 1,000 levels
 */
export function parseWithDigits(text: string): unknown {
  try {
    return parseJsonText<unknown>(text, forms, maxDepth);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === 'depth') throw new RangeError('nested too deeply');
    // Its error says more.
    return JSON.parse(text);
  }
}

/** The members of an object from `parseWithDigits`, and of several with one name the first. */
export function firstMembers(object: object): (readonly [string, unknown])[] {
  const firsts: unknown = Reflect.get(object, firstValues);
  const members = Object.entries(object);
  return firsts instanceof Map
    ? members.map(([name, value]) => [name, firsts.has(name) ? firsts.get(name) : value])
    : members;
}
