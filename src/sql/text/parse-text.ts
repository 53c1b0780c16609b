import { parsedJson } from '../../base/text/parsed-json.ts';
import { parseDate, parseDatetime, parseTime } from '../values/civil-text.ts';
import { parseDecimal } from '../values/decimal-text.ts';
import { parseTimestamp } from '../values/timestamp-text.ts';
import type { ScalarTypeName } from '../values/type.ts';
import type { Value } from '../values/value.ts';

/** Parses the values of one type from a caller's text. */
interface TextForm {
  /** The value, or undefined if the text is invalid. */
  readonly parse: (text: string) => Value | undefined;
  /** A description of valid texts, to follow "expected". */
  readonly expected: string;
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** The possible types of a parameter, with their parsers. Nothing is trimmed or rounded. */
export const textForms: Readonly<Partial<Record<ScalarTypeName, TextForm>>> = {
  STRING: { parse: (text) => (text.isWellFormed() ? text : undefined), expected: 'Unicode text' },
  INT64: { parse: parseInt64, expected: `a whole number from ${minInt64} to ${maxInt64}` },
  FLOAT64: { parse: parseFloat64, expected: 'a number that fits 64-bit floating point' },
  NUMERIC: {
    parse: (text) => parseDecimal(text, 'NUMERIC'),
    expected: 'a decimal number of at most 29 digits before the point and 9 after it',
  },
  BIGNUMERIC: {
    parse: (text) => parseDecimal(text, 'BIGNUMERIC'),
    expected: 'a decimal number of at most 38 digits before the point and 38 after it',
  },
  BOOL: { parse: parseBool, expected: 'true or false' },
  TIMESTAMP: { parse: parseTimestamp, expected: 'a timestamp such as 2025-01-31T10:00:00.123456Z' },
  DATE: { parse: parseDate, expected: 'a date such as 2025-01-31' },
  DATETIME: { parse: parseDatetime, expected: 'a datetime without zone such as 2025-01-31T10:00:00' },
  TIME: { parse: parseTime, expected: 'a time such as 10:00:00' },
  BYTES: { parse: parseBase64, expected: 'padded base64' },
  JSON: { parse: parseJson, expected: 'a JSON text such as {"a":1} or "text"' },
};

function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,100}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value < minInt64 || value > maxInt64 ? undefined : value;
}

const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** GoogleSQL's names for infinities and NaN, in any letter case. */
const specialNumber = /^(?:(nan)|([+-]?)inf(?:inity)?)$/i;

function parseFloat64(text: string): number | undefined {
  const special = specialNumber.exec(text);
  if (special?.[1] !== undefined) return Number.NaN;
  if (special !== null) return special[2] === '-' ? -Infinity : Infinity;
  const value = decimalNumber.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function parseBool(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}

/** The last characters before padding, whose bits beyond the last byte are 0. */
const base64End = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$/;

// Without a Buffer: browsers have none.
function parseBase64(text: string): string | undefined {
  const isBase64 =
    text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, -4)) && base64End.test(text.slice(-4));
  return isBase64 ? text : undefined;
}

function parseJson(text: string): string | undefined {
  return parsedJson(text) !== undefined && text.isWellFormed() ? text : undefined;
}
