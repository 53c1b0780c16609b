/** A value of a JSON document. Whole numbers beyond 2^53 are bigints, so that no digit is lost. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Reads a JSON text. Members named `__proto__` are members like all others. */
export function parseJson(text: string): Json {
  return JSON.parse(text, (_key, value: Json, context?: { readonly source?: string }) => {
    const source = context?.source;
    const isRounded = typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value);
    return isRounded && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** A JSON text with all digits of its numbers. */
export function formatJson(value: Json, indent = 0): string {
  const numbers = JSON as unknown as { rawJSON?: (text: string) => unknown };
  const write = (_key: string, part: unknown) =>
    typeof part === 'bigint' ? (numbers.rawJSON?.(String(part)) ?? String(part)) : part;
  return JSON.stringify(value, write, indent);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** From a value to one within it: names of members, and positions in lists. */
export type ValuePath = readonly (string | number)[];
