import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { gzipLevel } from '../../http/accepts-gzip.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { cacheHeaders } from './cache-headers.ts';
import type { RunningExport } from './exported-rows.ts';
import { fileHeaders } from './file-headers.ts';
import { bodyHeaders, commonHeaders, readyBody } from './make-body.ts';
import { sendBody } from './send-body.ts';
import type { Variant } from './variant.ts';

/** Exports up to this size, in bytes, are sent as a whole: with a length, an entity tag, and a status if they fail. */
const wholeBytes = 65_536;

const truncatedHeader = 'X-Result-Truncated';

/** An export in progress, encoded. */
interface SentExport extends Pick<RunningExport, 'end'> {
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Sends an export. A large one is sent while it runs: if it fails then, the connection is closed before the end of the
 * body, and `X-Result-Truncated` is a trailer.
 *
 * @param whenSent called with the number of bytes before the response ends
 * @throws the failure of the export, if nothing was sent yet
 */
export async function sendExport(
  { request, response, requestId, cors }: RequestContext,
  endpoint: string,
  { pieces: source, end }: SentExport,
  variant: Variant,
  whenSent: (bytes: number) => void,
): Promise<void> {
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
      sendBody({ request, response, requestId, cors }, body, uncached);
      return;
    }
    first.push(value);
    size += value.length;
  }

  const hasTrailers = request.method !== 'HEAD' && request.httpVersion === '1.1';
  response.writeHead(200, [
    ...['Content-Type', format.contentType],
    ...fileHeaders(endpoint, format),
    ...(variant.isGzip ? ['Content-Encoding', 'gzip'] : []),
    ...(hasTrailers ? ['Trailer', truncatedHeader] : []),
    ...bodyHeaders,
    ...commonHeaders,
    ...cors,
    ...uncached,
    ...['X-Request-Id', requestId],
  ]);
  if (request.method === 'HEAD') {
    await pieces.return?.();
    whenSent(0);
    response.end();
    return;
  }
  let sent = 0;
  async function* body() {
    yield* first;
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) break;
      yield value;
    }
  }
  async function* counted(source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      sent += piece.length;
      yield piece;
    }
    whenSent(sent);
    if (hasTrailers && end()?.truncated === true) response.addTrailers({ [truncatedHeader]: 'true' });
  }
  const readable = Readable.from(body(), { objectMode: false });
  try {
    if (variant.isGzip) await pipeline(readable, gzip(), counted, response);
    else await pipeline(readable, counted, response);
  } finally {
    await pieces.return?.();
  }
}

const uncached = cacheHeaders({ status: 'off', collapsed: false, madeAt: 0, freshUntil: 0 }, 0);

function gzip() {
  return createGzip({ level: gzipLevel, flush: constants.Z_NO_FLUSH });
}
