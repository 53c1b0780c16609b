import type { IncomingMessage } from 'node:http';
import type { ReadyBody } from '../../../calls/executor/flights/bodies.ts';
import { listsEntityTag } from '../../http/response/entity-tag.ts';
import { type Recipient, writeHead } from '../../http/response/response-head.ts';
import { sendInPieces } from '../../http/response/send-in-pieces.ts';
import { varyHeaders } from './make-body.ts';

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
  to: Recipient & { readonly request: IncomingMessage },
  { bytes, etag, headers }: ReadyBody,
  ofRows: readonly string[],
): number {
  const { request, response } = to;
  if (response.destroyed || response.headersSent) return 0;
  const { method } = request;
  const ifNoneMatch = method === 'POST' ? undefined : request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag)) {
    writeHead(to, 304, ['ETag', etag, ...varyHeaders, ...ofRows]);
    response.end();
    return 0;
  }
  const own = [...headers, ...varyHeaders, ...ofRows];
  if (method === 'HEAD') {
    writeHead(to, 200, own);
    response.end();
    return 0;
  }
  sendInPieces(to, { status: 200, headers: own }, bytes);
  return bytes.length;
}
