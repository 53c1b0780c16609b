import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadyBody } from '../../../calls/executor/flights/bodies.ts';
import { listsEntityTag } from '../../http/response/entity-tag.ts';
import { sendInPieces } from '../../http/response/send-in-pieces.ts';
import { bodyHeaders, commonHeaders } from './make-body.ts';

/** A request, and what its response has of its own. */
export interface Recipient {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** A valid id, as `requestIdFrom` returns it. */
  readonly requestId: string;
  /** The CORS headers. */
  readonly cors: readonly string[];
}

/**
 * Sends a body. HEAD requests get only its headers; requests whose `If-None-Match` lists its tag get status 304 with
 * the headers of RFC 9110, section 15.4.5. Does nothing if the client has disconnected.
 *
 * @returns the number of body bytes sent
 *
 * @throws GatewayError as `sendInPieces` does, before anything is sent
 *
 * @param ofRows headers from `cacheHeaders` and `runHeaders`
 */
export function sendBody(
  { request, response, requestId, cors }: Recipient,
  { bytes, etag, headers }: ReadyBody,
  ofRows: readonly string[],
): number {
  if (response.destroyed || response.headersSent) return 0;
  const { method } = request;
  const ifNoneMatch = method === 'POST' ? undefined : request.headers['if-none-match'];
  const others = [...commonHeaders, ...cors, ...ofRows, 'X-Request-Id', requestId];
  if (ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag)) {
    response.writeHead(304, ['ETag', etag, ...others]).end();
    return 0;
  }
  const head = [...headers, ...bodyHeaders, ...others];
  if (method === 'HEAD') {
    response.writeHead(200, head).end();
    return 0;
  }
  sendInPieces(response, { status: 200, headers: head }, bytes);
  return bytes.length;
}
