import { GatewayError } from '../../errors.ts';
import { checkNesting } from '../../http/json-nesting.ts';
import { numberTexts } from './number-texts.ts';
import { notOneText } from './text-pairs.ts';

/**
 * The wanted keys of a JSON object: texts as they are, numbers and booleans as their JSON text with every
 * digit, null as null. An empty body, and JSON that isn't an object, has no keys.
 *
 * @throws GatewayError BAD_USER_INPUT when it isn't JSON in UTF-8, or when it is nested too deeply, or
 *   naming a wanted key that holds a list or an object
 */
export function parseJsonBody(bytes: Buffer, wanted: ReadonlySet<string>): Map<string, string | null> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return new Map();
  checkNesting(text);
  const picked = pick(parse(text), wanted);
  // The digits are looked for only where there is a number.
  const hasNumber = [...picked.values()].some((value) => typeof value === 'number');
  const numbers = hasNumber ? numberTexts(text) : undefined;
  return new Map([...picked].map(([key, value]) => [key, asText(key, value, numbers)]));
}

function pick(json: unknown, wanted: ReadonlySet<string>): Map<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return new Map();
  // Key by key: listing a million that nobody wants takes seconds.
  const record = json as Record<string, unknown>;
  return new Map([...wanted].filter((key) => Object.hasOwn(json, key)).map((key) => [key, record[key]]));
}

function asText(key: string, value: unknown, numbers?: ReadonlyMap<string, string>): string | null {
  switch (typeof value) {
    case 'number':
      return numbers?.get(key) ?? String(value);
    case 'string':
      return value;
    case 'boolean':
      return String(value);
    default:
      if (value === null) return null;
      throw notOneText(key);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid JSON.', { cause: error });
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.', { cause: error });
  }
}
