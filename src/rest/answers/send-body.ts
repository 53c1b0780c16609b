import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadyBody } from '../../executor/cache/bodies.ts';
import { listsEntityTag } from '../../http/entity-tag.ts';
import { headerLines, writeHeadLines } from '../../http/write-head-lines.ts';
import { commonHeaders } from './make-body.ts';

/**
 * Sends a body: to HEAD without its bytes, and to those who have it already (`If-None-Match`) the news that it is still
 * right, with the headers of RFC 9110, section 15.4.5. Does nothing when the client is gone.
 *
 * @param cacheHeaders names and values by turns
 */
export function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { bytes, etag, headerLines: bodyLines }: ReadyBody,
  cacheHeaders: readonly string[],
): void {
  if (response.destroyed || response.headersSent) return;
  const { method } = request;
  const ifNoneMatch = method === 'POST' ? undefined : request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag)) {
    response.writeHead(304, ['ETag', etag, ...commonHeaders, ...cacheHeaders, 'X-Request-Id', requestId]);
    response.end();
    return;
  }
  const lines = `${bodyLines}${headerLines(cacheHeaders)}X-Request-Id: ${requestId}\r\n`;
  writeHeadLines(response, lines, bytes.length);
  if (method === 'HEAD') response.end();
  else response.end(bytes);
}
