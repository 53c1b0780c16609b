import { GatewayError } from '../../../base/errors/errors.ts';
import type { PageRequest } from '../../../calls/call/page.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { keyParameter } from '../../http/request/query-parameters.ts';
import { percentDecode } from '../../http/request/request-target.ts';

/** The request keys of pages. */
export interface PageKeys {
  readonly limit: string;
  readonly after: string;
}

/** The keys of an endpoint's pages: `limit` and `after`, or `page_limit` and `page_after` if it declares a parameter of that name. */
export function pageKeys({ parameters }: Pick<Endpoint, 'parameters'>): PageKeys {
  const declared = new Set(parameters.map(({ name }) => name));
  const free = (name: string): string => (declared.has(name) ? free(`page_${name}`) : name);
  return { limit: free('limit'), after: free('after') };
}

/**
 * The page that a request asks for; undefined if it has neither key, and wants the whole result.
 *
 * An empty cursor is none that a page came with: it is not the first page.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function pageRequest(
  endpoint: Pick<Endpoint, 'parameters' | 'maxRows'>,
  given: GivenParameters,
): PageRequest | undefined {
  const keys = pageKeys(endpoint);
  const limit = textOf(given, keys.limit) || undefined;
  const after = textOf(given, keys.after);
  if (limit === undefined && after === undefined) return undefined;
  return { rows: rowsOf(endpoint.maxRows, limit, keys.limit), after };
}

function rowsOf(maxRows: number, text: string | undefined, parameter: string): number {
  if (text === undefined) return maxRows;
  const rows = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (rows >= 1 && rows <= maxRows) return rows;
  const message = `Parameter "${parameter}": expected a whole number from 1 to ${maxRows}, the maximum of the endpoint, got ${JSON.stringify(text.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter });
}

function textOf(given: GivenParameters, key: string): string | undefined {
  return textsIn(given.get(key) ?? null)[0];
}

/**
 * The header `Link` (RFC 8288) with the URL of the next page: that of the request with another place. What a body contains is sent again by
 * the client.
 *
 * @param url the target of the request
 * @returns name and value alternate
 */
export function nextLink(
  url: string,
  keys: PageKeys,
  rows: number,
  next: string | undefined,
): readonly string[] {
  if (next === undefined) return [];
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  const replaced = new Set<string | undefined>([keys.limit, keys.after, keyParameter]);
  const kept = query.split('&').filter((piece) => piece !== '' && !replaced.has(keyOf(piece)));
  const page = [`${keys.limit}=${rows}`, `${keys.after}=${next}`];
  // Brackets would end the URL.
  const target = `${path}?${[...kept, ...page].join('&')}`.replace(/[<>]/g, encodeURIComponent);
  return ['Link', `<${target}>; rel="next"`];
}

function keyOf(piece: string): string | undefined {
  return percentDecode(piece.split('=', 1)[0]?.replaceAll('+', ' ') ?? '');
}
