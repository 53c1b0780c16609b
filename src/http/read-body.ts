import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors.ts';
import { counted } from '../text/counted.ts';
import { decompressor } from './content-encoding.ts';
import { ClientGone } from './deadline.ts';
import type { RequestContext } from './request-context.ts';

/** Whether the request comes with a body that isn't empty for sure. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The whole body, decompressed as its `Content-Encoding` says. The limit in bytes holds for what is received
 * and for what it decompresses to.
 *
 * @throws GatewayError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT; the signal's reason
 */
export async function readBody(context: RequestContext, limit: number, signal: AbortSignal): Promise<Buffer> {
  const { headers } = context.request;
  const decompress = decompressor(headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const received = await receive(context, limit, signal);
  const body = await decompress(received, limit);
  if (body !== received) context.holdMemory(body.length);
  return body;
}

/**
 * Collects the body by its events: iterating over it would destroy the connection as soon as it is left
 * early, and with it the answer that says why.
 */
function receive(context: RequestContext, limit: number, signal: AbortSignal): Promise<Buffer> {
  const body = context.openBody();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > limit) reject(tooLarge(limit));
    try {
      context.holdMemory(chunk.length);
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = () => {
    // At once: the connection's other events follow before a promise's reactions do.
    stopListening();
    resolve(Buffer.concat(chunks, size));
  };
  const onClose = () => reject(new ClientGone('the connection closed before the body was complete'));
  const onAbort = () => reject(signal.reason);

  const stopListening = () => {
    body.off('data', onData).off('end', onEnd).off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  };

  body.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return promise.finally(stopListening);
}

export function tooLarge(limit: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${counted(limit, 'byte')}.`);
}
