import { percentDecode } from './percent-decoding.ts';

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
