import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../base/errors/errors.ts';
import { loopTurns } from '../../../base/fairness/loop-turns.ts';
import type { Holding } from '../../../base/memory/memory-budget.ts';
import { counted } from '../../../base/text/counted.ts';
import { accountOfConnection } from '../request/connection-account.ts';
import { ClientGone } from '../request/deadline.ts';
import type { RequestContext } from '../request/request-context.ts';
import { decompressor } from './content-encoding.ts';
import { GatheredBytes } from './gathered-bytes.ts';

/** Whether the request may have a body that is not empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the whole body, waits for the turn of its caller, and decompresses it by its `Content-Encoding`. The limit in bytes
 * applies both to the received and to the decompressed body.
 *
 * @throws GatewayError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT; OVERLOADED, RATE_LIMITED if bodies take too
 *   much memory; UNAUTHENTICATED if the caller is no longer valid; the signal's reason
 */
export async function readBody(context: RequestContext, limit: number, signal: AbortSignal): Promise<Buffer> {
  const { headers } = context.request;
  const decompress = decompressor(headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const ended = new AbortController();
  const holding = context.holdBody((reason) => ended.abort(reason));
  const received = await receive(context, holding, limit, AbortSignal.any([signal, ended.signal]));
  // Others use the whole body from now on.
  holding.keep();
  await loopTurns.take(accountOfConnection(context.request.socket));
  signal.throwIfAborted();
  // The client took its time.
  context.requireStillValid?.();
  const body = await decompress(received, limit);
  if (body !== received) holding.add(body.length);
  return body;
}

/** Collects the body by its events. Leaving an iteration early would destroy the connection, and with it the error response. */
function receive(
  context: RequestContext,
  holding: Holding,
  limit: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const body = context.openBody();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const gathered = new GatheredBytes();
  const onData = (chunk: Buffer) => {
    gathered.add(chunk);
    if (gathered.size > limit) reject(tooLarge(limit));
    try {
      holding.add(chunk.length);
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = () => {
    // Now, because other events of the connection fire before promise reactions run.
    stopListening();
    resolve(gathered.whole());
  };
  const onClose = () => reject(new ClientGone('the connection closed before the body was complete'));
  const onAbort = () => reject(signal.reason);

  const stopListening = () => {
    body.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    signal.removeEventListener('abort', onAbort);
  };

  // A later error concerns nobody. Its listener must not hold the body, since the response may take long.
  body.on('data', onData).once('end', onEnd).once('close', onClose).on('error', onClose).on('error', ignore);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return promise.finally(stopListening);
}

function ignore(): void {}

export function tooLarge(limit: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${counted(limit, 'byte')}.`);
}
