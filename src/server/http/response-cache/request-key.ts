import type { IncomingMessage } from 'node:http';
import { type Caller, cachePartition } from '../../../calls/access/caller/caller.ts';
import { holdsKeyText } from '../../../calls/access/key/key-text.ts';
import { hasBody } from '../body/read-body.ts';
import { asksForRedaction } from '../request/asks-for-redaction.ts';
import { keyInQuery } from '../request/key-in-query.ts';
import type { RequestContext } from '../request/request-context.ts';

type KeyedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Returns the cache key of a request: everything that changes its response, and the caller's cache partition. Callers
 * without restrictions share one; each restricted key has its own. HEAD shares with GET.
 *
 * @param body of a POST, decompressed
 */
export function requestKey({ method, url, headers }: KeyedRequest, caller: Caller, body?: Buffer): string {
  const { host, accept, 'accept-encoding': encoding } = headers;
  const isRedacted = caller.redact || asksForRedaction(headers['lf-endpoint-redact-pii']);
  // Only the last part may contain line breaks. As latin1, distinct bodies stay distinct.
  const asked = body === undefined ? `GET ${url}` : `${method} ${url}\n${body.toString('latin1')}`;
  return `${cachePartition(caller)} ${isRedacted}\n${host}\n${accept}\n${encoding}\n${asked}`;
}

/** Returns the key to cache a request's response by; undefined if it must not be cached, since no caller's key may be stored. */
export function cacheableKey(
  { request, query }: RequestContext,
  caller: Caller,
  body?: Buffer,
): string | undefined {
  if (body === undefined && (request.method === 'POST' || hasBody(request))) return undefined;
  if (keyInQuery(query) !== undefined) return undefined;
  const key = requestKey(request, caller, body);
  return holdsKeyText(key) ? undefined : key;
}
