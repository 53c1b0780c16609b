import type { IncomingMessage } from 'node:http';
import { type Caller, cachePartition } from '../../access/caller.ts';
import { holdsKeyText } from '../../access/key/key-text.ts';
import { asksForRedaction } from '../asks-for-redaction.ts';
import { keyInQuery } from '../key-in-query.ts';
import { hasBody } from '../read-body.ts';
import type { RequestContext } from '../request-context.ts';

type KeyedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Everything in a request that changes its answer, and who may have it: callers without bounds share answers, and one whose key is
 * bound to something has answers of its own. HEAD is answered as GET is.
 *
 * @param body of a POST, decompressed
 */
export function requestKey({ method, url, headers }: KeyedRequest, caller: Caller, body?: Buffer): string {
  const { host, accept, 'accept-encoding': encoding } = headers;
  const isRedacted = caller.redact === true || asksForRedaction(headers['lf-endpoint-redact-pii']);
  // No part but the last has a line break. The bytes of a body stay apart as characters.
  const asked = body === undefined ? `GET ${url}` : `${method} ${url}\n${body.toString('latin1')}`;
  return `${cachePartition(caller)} ${isRedacted}\n${host}\n${accept}\n${encoding}\n${asked}`;
}

/** The key to keep a request's answer by; undefined where nothing is kept: a caller's key is kept nowhere. */
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
