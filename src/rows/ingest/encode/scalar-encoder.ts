import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import { isExact } from '../../../engines/duckdb/udf/json/number-text.ts';
import { parseDate, parseDatetime, parseTime } from '../../../sql/values/civil-text.ts';
import { parseDecimal } from '../../../sql/values/decimal-text.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { quote, unicodeText } from './quote.ts';
import { describeValue, RowValidationError } from './row-validation-error.ts';
import { storedJson } from './stored-json.ts';
import { isDecimal, microsOfRowNumber } from './time-of-number.ts';
import { microsOfText } from './time-of-text.ts';

/**
 * Converts a parsed JSON value other than null into the store's form: see `WholeRows`. Throws `RowValidationError`, or
 * `DigitsNeeded` if only a number's digits are precise enough.
 */
export type Encoder = (value: unknown) => string;

const encoders: Readonly<Record<ScalarTypeName, (value: unknown) => string | undefined>> = {
  BOOL: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  INT64: encodeInteger,
  FLOAT64: encodeFloat,
  NUMERIC: (value) => encodeDecimal(value, 'NUMERIC'),
  BIGNUMERIC: (value) => encodeDecimal(value, 'BIGNUMERIC'),
  STRING: (value) => (typeof value === 'string' ? unicodeText(value) : undefined),
  BYTES: encodeBytes,
  DATE: (value) => encodeText(value, parseDate),
  TIME: (value) => encodeText(value, parseTime),
  DATETIME: (value) => encodeText(value, parseDatetime),
  TIMESTAMP: encodeTimestamp,
  JSON: (value) => storedJson(value),
  // Only BigQuery has columns of these types, and checks their texts.
  INTERVAL: (value) => (typeof value === 'string' ? unicodeText(value) : undefined),
  GEOGRAPHY: (value) => (typeof value === 'string' ? unicodeText(value) : undefined),
};

/** The form of a type's values, if the type's name doesn't say it. */
const hints: Readonly<Partial<Record<ScalarTypeName, string>>> = {
  BYTES: ' in base64',
};

/**
 * The encoder of a scalar type, to text without quotes.
 *
 * @param isAdded whether events have added the field. Values chose its type then, and it takes no whole number that FLOAT64 would
 *   round: the number may be an id.
 */
export function scalarEncoder(kind: ScalarTypeName, isAdded = false): Encoder {
  const encode = isAdded && kind === 'FLOAT64' ? encodeExactFloat : encoders[kind];
  const expected = `expected ${kind}${hints[kind] ?? ''}`;
  return (value) => {
    const encoded = encode(value);
    if (encoded === undefined) throw new RowValidationError(`${expected}, got ${describeValue(value)}`);
    return encoded;
  };
}

/** As `scalarEncoder`, but to JSON. */
export function jsonScalarEncoder(kind: ScalarTypeName, isAdded = false): Encoder {
  const encode = scalarEncoder(kind, isAdded);
  if (kind === 'BOOL' || kind === 'INT64') return encode;
  if (kind === 'FLOAT64')
    return (value) => (typeof value === 'string' ? quote(encode(value)) : encode(value));
  return (value) => quote(encode(value));
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

function encodeInteger(value: unknown): string | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    if (Number.isInteger(value)) throw new DigitsNeeded();
    return undefined;
  }
  const integer = value instanceof JsonNumber || typeof value === 'string' ? wholeNumber(value) : undefined;
  return integer === undefined || integer < minInt64 || integer > maxInt64 ? undefined : String(integer);
}

/** A JSON number may be a whole number written as `1e3` or `1.0`; a string only digits. */
function wholeNumber(value: JsonNumber | string): bigint | undefined {
  const text = value instanceof JsonNumber ? parseDecimal(value.text, 'NUMERIC') : value;
  return text !== undefined && /^[+-]?\d{1,30}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

function encodeFloat(value: unknown): string | undefined {
  if (typeof value === 'string') return encodeNonFinite(value);
  const double = value instanceof JsonNumber ? Number(value.text) : value;
  if (typeof double !== 'number' || !Number.isFinite(double)) return undefined;
  return Object.is(double, -0) ? '-0.0' : String(double);
}

function encodeExactFloat(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new DigitsNeeded();
  if (value instanceof JsonNumber && /^-?\d+$/.test(value.text) && !isExact(value.text)) return undefined;
  return encodeFloat(value);
}

function encodeNonFinite(text: string): string | undefined {
  return text === 'NaN' || text === 'Infinity' || text === '-Infinity' ? text : undefined;
}

function encodeDecimal(value: unknown, kind: 'NUMERIC' | 'BIGNUMERIC'): string | undefined {
  if (typeof value === 'number') throw new DigitsNeeded();
  const text = value instanceof JsonNumber ? value.text : value;
  return typeof text === 'string' ? parseDecimal(text, kind) : undefined;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function encodeBytes(value: unknown): string | undefined {
  if (typeof value !== 'string' || !base64.test(value)) return undefined;
  // The last digit may contain bits that belong to no byte, which DuckDB refuses.
  return Buffer.from(value, 'base64').toString('base64');
}

function encodeText(value: unknown, parse: (text: string) => string | undefined): string | undefined {
  return typeof value === 'string' ? parse(value) : undefined;
}

/** The usual form of a timestamp, on one of the first 28 days of a month, needs no other check. */
const plainTimestamp =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z?$/;

/** Text, or a number or its digits: see `microsOfRowNumber`. */
function encodeTimestamp(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (plainTimestamp.test(value)) return value;
    return encodeMicros(isDecimal(value) ? microsOfRowNumber(value) : microsOfText(value));
  }
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return encodeMicros(microsOfRowNumber(String(value)));
    throw new DigitsNeeded();
  }
  if (!(value instanceof JsonNumber)) return undefined;
  const whole = wholeNumber(value);
  return encodeMicros(microsOfRowNumber(whole === undefined ? value.text : String(whole)));
}

function encodeMicros(micros: bigint | undefined): string | undefined {
  if (micros === undefined || micros < minTimestampMicros || micros > maxTimestampMicros) return undefined;
  return datetimeTextOfMicros(micros);
}
