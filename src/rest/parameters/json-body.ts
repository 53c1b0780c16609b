import { GatewayError } from '../../errors.ts';
import { notOneText } from './text-pairs.ts';

/**
 * The wanted keys of a JSON object: texts as they are, numbers and booleans as their JSON text with every
 * digit, null as null. An empty body, and JSON that isn't an object, has no keys.
 *
 * @throws GatewayError BAD_USER_INPUT when it isn't JSON in UTF-8, or naming a wanted key that holds a list
 *   or an object
 */
export function parseJsonBody(bytes: Buffer, wanted: ReadonlySet<string>): Map<string, string | null> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return new Map();
  const picked = pick(parse(text), wanted);
  const hasNumber = [...picked.values()].some((value) => typeof value === 'number');
  // Keeping the digits costs a call for every value of the body: it is done only where there is a number.
  const exact = hasNumber ? pick(parse(text, keepDigits), wanted) : picked;
  return new Map([...exact].map(([key, value]) => [key, asText(key, value)]));
}

function pick(json: unknown, wanted: ReadonlySet<string>): Map<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return new Map();
  return new Map(Object.entries(json).filter(([key]) => wanted.has(key)));
}

function asText(key: string, value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return String(value);
    default:
      if (value === null) return null;
      throw notOneText(key);
  }
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const keepDigits: Reviver = (_key, value, context) =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;

function parse(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver);
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
