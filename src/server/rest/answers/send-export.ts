import type { ServerResponse } from 'node:http';
import { finished, pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { written } from '../../../base/async/written.ts';
import type { Export } from '../../../calls/call.ts';
import { gzipLevel } from '../../http/request/accept.ts';
import { ClientGone } from '../../http/request/deadline.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { writeHead } from '../../http/response/response-head.ts';
import { holdUnread } from '../../http/response/unread.ts';
import type { Variant } from './answer-form.ts';
import { fileHeaders, readyBody, varyHeaders } from './make-body.ts';
import { cacheHeaders, sendBody } from './send-body.ts';

/** Exports up to this size, in bytes, are sent as a whole: with a length, an entity tag, and a status if they fail. */
const wholeBytes = 65_536;

const truncatedHeader = 'X-Result-Truncated';

/** An export in progress, encoded. */
interface SentExport extends Pick<Export, 'end'> {
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Sends an export. A large one is sent while it runs: if it fails then, the connection is closed before the end of the
 * body, and `X-Result-Truncated` is a trailer.
 *
 * @param whenSent called with the number of bytes before the response ends
 * @throws the failure of the export; `ClientGone` when the client has left
 */
export async function sendExport(
  context: RequestContext,
  endpoint: string,
  { pieces: source, end }: SentExport,
  variant: Variant,
  whenSent: (bytes: number) => void,
): Promise<void> {
  const { request, response } = context;
  const { format } = variant.form;
  const pieces = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size <= wholeBytes) {
    const { done, value } = await pieces.next();
    if (done) {
      const isTruncated = end()?.truncated === true;
      const body = await readyBody(endpoint, isTruncated, variant, Buffer.concat(first));
      whenSent(request.method === 'HEAD' ? 0 : body.bytes.length);
      sendBody(context, body, () => uncached);
      return;
    }
    first.push(Buffer.from(value));
    size += value.length;
  }

  const hasTrailers = request.method !== 'HEAD' && request.httpVersion === '1.1';
  writeHead(context, 200, [
    ...['Content-Type', format.contentType],
    ...fileHeaders(endpoint, format),
    ...(variant.isGzip ? ['Content-Encoding', 'gzip'] : []),
    ...(hasTrailers ? ['Trailer', truncatedHeader] : []),
    ...varyHeaders,
    ...uncached,
  ]);
  if (request.method === 'HEAD') {
    await pieces.return?.();
    whenSent(0);
    response.end();
    return;
  }
  const hasEnded = (sent: number) => {
    whenSent(sent);
    if (hasTrailers && end()?.truncated === true) response.addTrailers({ [truncatedHeader]: 'true' });
  };
  async function* all() {
    yield* first;
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) break;
      yield value;
    }
  }
  try {
    if (variant.isGzip) await sendCompressed(all(), response, hasEnded);
    else await send(all(), response, hasEnded);
  } catch (error) {
    // Writing to a client that has left fails in several ways.
    const hasLeft = response.destroyed || response.socket?.destroyed !== false;
    response.destroy();
    throw hasLeft ? new ClientGone('the client closed the connection') : error;
  } finally {
    await pieces.return?.();
  }
}

async function send(
  pieces: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  hasEnded: (sent: number) => void,
): Promise<void> {
  let sent = 0;
  for await (const piece of pieces) {
    using _unread = holdUnread(
      response.req.socket,
      Buffer.from(piece.buffer, piece.byteOffset, piece.length),
    );
    await written(response, piece);
    sent += piece.length;
  }
  hasEnded(sent);
  response.end();
  await finished(response);
}

async function sendCompressed(
  pieces: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  hasEnded: (sent: number) => void,
): Promise<void> {
  const zipper = createGzip({ level: gzipLevel, flush: constants.Z_NO_FLUSH });
  let sent = 0;
  const sending = pipeline(
    zipper,
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const piece of source) {
        sent += piece.length;
        yield piece;
      }
      hasEnded(sent);
    },
    response,
  );
  sending.catch(() => {});
  try {
    for await (const piece of pieces) await written(zipper, piece);
    zipper.end();
  } catch (error) {
    zipper.destroy();
    await sending.catch(() => {});
    throw error;
  }
  await sending;
}

const uncached = cacheHeaders({ status: 'off', collapsed: false, madeAt: 0, freshUntil: 0 }, 0);
