import { percentDecode } from './percent-decoding.ts';

/** The legacy parameter by which callers give their key in the URL. */
export const keyParameter = 'api_key';

/** A key that stands in the query string; of several, the last, as for every parameter. Undefined when there is none. */
export function keyInQuery(query: string): string | undefined {
  // Nearly every query string is done with here.
  if (!/key|%/i.test(query)) return undefined;
  let key: string | undefined;
  for (const piece of query.split('&')) {
    const [name = '', ...value] = piece.replaceAll('+', ' ').split('=');
    if (percentDecode(name) === keyParameter) key = percentDecode(value.join('=')) ?? '';
  }
  return key;
}
