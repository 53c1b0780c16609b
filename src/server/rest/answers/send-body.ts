import type { IncomingMessage } from 'node:http';
import type { CacheFacts } from '../../../calls/executor/executor.ts';
import type { ReadyBody } from '../../../calls/executor/flights/bodies.ts';
import { listsEntityTag } from '../../http/response/entity-tag.ts';
import { type RepeatableHead, writeRepeatedHead } from '../../http/response/repeated-head.ts';
import { type Recipient, writeHead } from '../../http/response/response-head.ts';
import { sendInPieces } from '../../http/response/send-in-pieces.ts';
import { lifetime } from '../../http/response-cache/lifetime.ts';
import { varyHeaders } from './make-body.ts';

/**
 * Sends a body. HEAD requests get only its headers; requests whose `If-None-Match` lists its tag get status 304 with
 * the headers of RFC 9110, section 15.4.5. Does nothing if the client has disconnected.
 *
 * @param ofRows makes the headers from `cacheHeaders` and `runHeaders`
 * @param repeated what tells apart the heads of a body that is sent again and again
 * @returns the number of body bytes sent
 * @throws GatewayError as `sendInPieces` does, before anything is sent
 */
export function sendBody(
  to: Recipient & { readonly request: IncomingMessage },
  { bytes, etag, headers }: ReadyBody,
  ofRows: () => readonly string[],
  repeated?: Pick<RepeatableHead, 'form' | 'now'>,
): number {
  const { request, response } = to;
  if (response.destroyed || response.headersSent) return 0;
  const { method } = request;
  const ifNoneMatch = method === 'POST' ? undefined : request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag)) {
    writeHead(to, 304, ['ETag', etag, ...varyHeaders, ...ofRows()]);
    response.end();
    return 0;
  }
  const own = () => [...headers, ...varyHeaders, ...ofRows()];
  if (method === 'HEAD') {
    writeHead(to, 200, own());
    response.end();
    return 0;
  }
  const begin = () => {
    if (repeated === undefined) writeHead(to, 200, own());
    else writeRepeatedHead(to, { ...repeated, of: bytes, headers: own });
  };
  sendInPieces(response, begin, bytes);
  return bytes.length;
}

/** The gateway's name in `Cache-Status`, among the caches on the way to the caller. */
const cacheName = 'endpoint-gateway';

/**
 * The headers about the origin and lifetime of rows: `Cache-Control` with the remaining whole seconds, `Age` with those
 * since the rows were made, and `Cache-Status` (RFC 9211). Seconds are rounded down.
 *
 * @param now in milliseconds since the epoch
 * @returns names and values alternate
 */
export function cacheHeaders(facts: CacheFacts, now: number): string[] {
  if (facts.status === 'off') {
    return ['Cache-Control', cacheControl(0), 'Cache-Status', cacheStatus(forwarded(facts, 'bypass'))];
  }
  const { ageSeconds, ttlSeconds } = lifetime(facts, now);
  const cache = ['Cache-Control', cacheControl(ttlSeconds), 'Age', String(ageSeconds)];
  return [...cache, 'Cache-Status', cacheStatus(outcome(facts, ttlSeconds))];
}

function cacheControl(ttl: number): string {
  return `private, max-age=${Math.max(0, ttl)}`;
}

function cacheStatus(parameters: string): string {
  return `${cacheName}; ${parameters}`;
}

function outcome(facts: CacheFacts, ttl: number): string {
  switch (facts.status) {
    case 'hit':
      return `hit; ttl=${ttl}`;
    case 'stale':
      return `${forwarded(facts, 'stale')}; ttl=${ttl}; detail="stale-if-error"`;
    default:
      return forwarded(facts, 'uri-miss');
  }
}

/** Why the request was forwarded to the engine, and whether its rows were stored. */
function forwarded({ status, collapsed, madeAt, freshUntil }: CacheFacts, reason: string): string {
  const isStored = status === 'miss' && freshUntil > madeAt;
  return `fwd=${reason}${isStored ? '; stored' : ''}${collapsed ? '; collapsed' : ''}`;
}
