import { JsonNumber } from '../../../../base/text/json-number.ts';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, float64, int64, text } from '../js/js-type.ts';
import { isArray, isObject, type Json } from './json-value.ts';
import { parseJson } from './parser.ts';

const read = (json: string) => parseJson(json, 'round');

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** A whole number in the range of INT64, including 1.0 and 1e3. */
function wholeNumber(digits: string): bigint | undefined {
  const value = /^-?\d+$/.test(digits)
    ? BigInt(digits)
    : Number.isInteger(Number(digits))
      ? BigInt(Number(digits))
      : undefined;
  return value !== undefined && value >= minInt64 && value <= maxInt64 ? value : undefined;
}

function typeName(json: Json): string {
  if (json === null) return 'null';
  if (isArray(json)) return 'array';
  if (isObject(json)) return 'object';
  return json instanceof JsonNumber ? 'number' : typeof json;
}

/** INT64, FLOAT64, BOOL and STRING of JSON accept only the matching JSON type. */
export const strictConversions = {
  INT64: new JsFunction('json_int64', [text], int64, (json) => {
    const value = read(json);
    if (!(value instanceof JsonNumber)) throw new Failure('The provided JSON input is not an integer');
    const whole = wholeNumber(value.text);
    if (whole === undefined)
      throw new Failure(`The provided JSON number: ${value.text} cannot be converted to an integer`);
    return whole;
  }),
  BOOL: new JsFunction('json_bool', [text], bool, (json) => {
    const value = read(json);
    if (typeof value !== 'boolean') throw new Failure('The provided JSON input is not a boolean');
    return value;
  }),
  STRING: new JsFunction('json_string_value', [text], text, (json) => {
    const value = read(json);
    if (typeof value !== 'string') throw new Failure('The provided JSON input is not a string');
    return value;
  }),
};

/** `(json, mode)`: in the mode `exact`, an integer must be exactly representable as FLOAT64. */
export const jsonFloat64 = new JsFunction('json_float64', [text, text], float64, (json, mode) => {
  if (mode !== 'round' && mode !== 'exact')
    throw new Failure("Invalid `wide_number_mode` specified: only 'exact' and 'round' are allowed");
  const value = read(json);
  if (!(value instanceof JsonNumber)) throw new Failure('The provided JSON input is not a number');
  const number = Number(value.text);
  if (mode === 'exact' && /^-?\d+$/.test(value.text) && BigInt(number) !== BigInt(value.text))
    throw new Failure(`JSON number: ${value.text} cannot be converted to FLOAT64 without loss of precision`);
  return number;
});

export const jsonType = new JsFunction('json_type_name', [text], text, (json) => typeName(read(json)));

/** The LAX functions convert what they can, and return NULL for the rest. */
export const laxConversions = {
  INT64: new JsFunction('json_lax_int64', [text], int64, (json) => {
    const value = read(json);
    if (typeof value === 'boolean') return value ? 1n : 0n;
    const digits =
      value instanceof JsonNumber ? value.text : typeof value === 'string' ? numberIn(value) : undefined;
    if (digits === undefined) return null;
    return wholeNumber(digits) ?? roundedWhole(Number(digits));
  }),
  FLOAT64: new JsFunction('json_lax_float64', [text], float64, (json) => {
    const value = read(json);
    if (value instanceof JsonNumber) return Number(value.text);
    return typeof value === 'string' ? floatIn(value) : null;
  }),
  BOOL: new JsFunction('json_lax_bool', [text], bool, (json) => {
    const value = read(json);
    if (typeof value === 'boolean') return value;
    if (value instanceof JsonNumber) return Number(value.text) !== 0;
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    return word === 'true' ? true : word === 'false' ? false : null;
  }),
  STRING: new JsFunction('json_lax_string', [text], text, (json) => {
    const value = read(json);
    if (value === null || isArray(value) || isObject(value)) return null;
    return value instanceof JsonNumber
      ? value.text.replace(/^-0\.0$/, '0').replace(/\.0$/, '')
      : String(value);
  }),
};

/** Halves are rounded away from zero. */
function roundedWhole(value: number): bigint | null {
  if (!Number.isFinite(value)) return null;
  const whole = BigInt(Math.sign(value) * Math.round(Math.abs(value)));
  return whole >= minInt64 && whole <= maxInt64 ? whole : null;
}

function numberIn(value: string): string | undefined {
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value)
    ? value.trim().replace(/^\+/, '')
    : undefined;
}

function floatIn(value: string): number | null {
  const word = value.trim().toLowerCase();
  if (/^[+-]?inf(?:inity)?$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/.test(word)) return Number.NaN;
  const hex = /^([+-]?)(0x[0-9a-f]+)$/.exec(word);
  if (hex !== null) return Number(hex[2]) * (hex[1] === '-' ? -1 : 1);
  const digits = numberIn(value);
  return digits === undefined ? null : Number(digits);
}

export const convertFunctions = [
  ...Object.values(strictConversions),
  jsonFloat64,
  jsonType,
  ...Object.values(laxConversions),
] as const;
