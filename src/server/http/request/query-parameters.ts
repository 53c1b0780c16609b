import { GatewayError } from '../../../base/errors/errors.ts';
import { percentDecode } from './request-target.ts';

/** The legacy query parameter for API keys. */
export const keyParameter = 'api_key';

/** Returns the key in a query string, if any. The last one counts, as for every parameter. */
export function keyInQuery(query: string): string | undefined {
  // Fast path for nearly every query string.
  if (!/key|%/i.test(query)) return undefined;
  let key: string | undefined;
  for (const piece of query.split('&')) {
    const [name = '', ...value] = piece.replaceAll('+', ' ').split('=');
    if (percentDecode(name) === keyParameter) key = percentDecode(value.join('=')) ?? '';
  }
  return key;
}

/**
 * The value of a parameter that may be given once; undefined if it is absent.
 *
 * @throws GatewayError BAD_USER_INPUT if it is given twice
 */
export function singleParameter(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  if (others.length === 0) return value;
  throw new GatewayError('BAD_USER_INPUT', `Parameter "${name}" is given more than once.`);
}

/**
 * A parameter that is `true` or `false`; false if it is absent.
 *
 * @throws GatewayError BAD_USER_INPUT for other values
 */
export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const text = singleParameter(query, name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new GatewayError('BAD_USER_INPUT', `Parameter "${name}": expected true or false.`);
}

/** The names of the parameters that are neither known nor that of the key. */
export function unknownParameters(query: URLSearchParams, known: readonly string[]): Set<string> {
  return new Set([...query.keys()].filter((name) => name !== keyParameter && !known.includes(name)));
}
