import { canonicalNumber, JsonNumber, parseWithDigits } from './json-number.ts';

/** A JSON value, by what its numbers are. */
export type JsonWith<N> =
  | null
  | boolean
  | string
  | N
  | readonly JsonWith<N>[]
  | { readonly [name: string]: JsonWith<N> };

/** A JSON value whose numbers keep their digits. `JSON.stringify` writes them. */
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

/** `JSON.parse`, but numbers that a JavaScript number can't represent exactly are `JsonNumber`s. */
export function parseJsonExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    const isOther = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isOther ? new JsonNumber(source) : value;
  });
}

/** Whether two values are equal. Members may have any order, and numbers any form: `1.50` equals `15e-1`. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a instanceof JsonNumber || b instanceof JsonNumber) {
    return (
      a instanceof JsonNumber &&
      b instanceof JsonNumber &&
      canonicalNumber(a.text) === canonicalNumber(b.text)
    );
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
  if (json instanceof JsonNumber) return canonicalNumber(json.text);
  if (isList(json)) return `[${json.map(canonicalText).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const members = Object.keys(json)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(json[name] ?? null)}`);
  return `{${members.join(',')}}`;
}
