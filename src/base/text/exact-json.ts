import { JsonNumber, parseWithDigits } from './json-number.ts';
import { withoutTrailingZeros } from './trailing-zeros.ts';

/** A JSON value, by what its numbers are. */
export type JsonWith<N> =
  | null
  | boolean
  | string
  | N
  | readonly JsonWith<N>[]
  | { readonly [name: string]: JsonWith<N> };

/** A JSON value whose numbers keep their digits. */
export type Json = JsonWith<JsonNumber>;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** Whether a value is an object; a number is none. */
export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);
}

/** Whether a value is an array. */
export function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

/**
 * Parses the text of a JSON object.
 *
 * @throws SyntaxError
 */
export function readJsonObject(text: string): JsonObject {
  return parseWithDigits(text) as JsonObject;
}

/** The JSON text of a value, without spaces. Numbers are as they were written. */
export function jsonText(json: Json): string {
  if (json instanceof JsonNumber) return json.text;
  if (isList(json)) return `[${json.map(jsonText).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const members = Object.entries(json).map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`);
  return `{${members.join(',')}}`;
}

/** Whether two values are equal. Members may have any order, and numbers any form: `1.50` equals `15e-1`. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a instanceof JsonNumber || b instanceof JsonNumber) {
    return a instanceof JsonNumber && b instanceof JsonNumber && canonical(a.text) === canonical(b.text);
  }
  if (isList(a) || isList(b)) {
    return (
      isList(a) && isList(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

/** A text that is the same for equal values. */
export function canonicalText(json: Json): string {
  if (json instanceof JsonNumber) return canonical(json.text);
  if (isList(json)) return `[${json.map(canonicalText).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const members = Object.keys(json)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(json[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** A number without superfluous zeros, as digits and an exponent. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const short = withoutTrailingZeros(digits);
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
