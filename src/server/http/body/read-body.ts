import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { GatewayError } from '../../../base/errors/errors.ts';
import { loopTurns } from '../../../base/fairness/loop-turns.ts';
import type { Holding } from '../../../base/memory/memory-budget.ts';
import { counted } from '../../../base/text/counted.ts';
import { accountOfConnection } from '../request/connection-account.ts';
import { ClientGone } from '../request/deadline.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Decompresses a body of at most `limit` decompressed bytes. */
type Decompress = (body: Buffer, limit: number) => Promise<Buffer>;

const unzip = promisify(gunzip);

const decompressors: Readonly<Record<string, Decompress>> = {
  identity: async (body) => body,
  gzip: bounded(unzip),
  'x-gzip': bounded(unzip),
  deflate: bounded(promisify(inflate)),
  br: bounded(promisify(brotliDecompress)),
};

/**
 * Returns the decompressor for a `Content-Encoding`. Only single encodings are supported.
 *
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE naming the encoding
 */
function decompressor(header = 'identity'): Decompress {
  const encoding = header.trim().toLowerCase() || 'identity';
  const known = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (known !== undefined) return known;
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The content encoding ${JSON.stringify(header)} is not supported. Use gzip, deflate or br.`,
  );
}

function bounded(
  decompress: (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>,
): Decompress {
  return async (body, limit) => {
    if (body.length === 0) return body;
    try {
      return await decompress(body, { maxOutputLength: limit });
    } catch (error) {
      if (error instanceof RangeError) {
        throw new GatewayError(
          'PAYLOAD_TOO_LARGE',
          `The body decompresses to more than ${counted(limit, 'byte')}.`,
        );
      }
      throw new GatewayError('BAD_USER_INPUT', 'The body cannot be decompressed.', { cause: error });
    }
  };
}

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
  const receiving = Promise.withResolvers<Buffer>();
  const holding = context.holdBody(receiving.reject);
  const received = await receive(context, holding, limit, signal, receiving);
  // From now on, the body is used as a whole, and can't be ended to free its memory.
  holding.keep();
  await loopTurns.take(accountOfConnection(context.request.socket));
  signal.throwIfAborted();
  // Receiving the body can have taken long.
  context.requireStillValid?.();
  const body = await decompress(received, limit);
  if (body !== received) holding.add(body.length);
  return body;
}

/**
 * Collects the body by its events. Leaving an iteration early would destroy the connection, and with it the error response.
 *
 * @param receiving settled with the body, unless it is rejected before
 */
function receive(
  context: RequestContext,
  holding: Holding,
  limit: number,
  signal: AbortSignal,
  { promise, resolve, reject }: PromiseWithResolvers<Buffer>,
): Promise<Buffer> {
  const body = context.openBody();
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
    // At once, because other events of the connection fire before promise reactions run.
    stopListening();
    resolve(gathered.whole());
  };
  const onClose = () => reject(new ClientGone('the connection closed before the body was complete'));
  const onAbort = () => reject(signal.reason);

  const stopListening = () => {
    body.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    signal.removeEventListener('abort', onAbort);
  };

  // Later errors are ignored. Their listener must not refer to the body, since the response may take long.
  body.on('data', onData).once('end', onEnd).once('close', onClose).on('error', onClose).on('error', ignore);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return promise.finally(stopListening);
}

function ignore(): void {}

export function tooLarge(limit: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${counted(limit, 'byte')}.`);
}

/** Pieces that are joined into one. Each piece takes some 200 bytes of memory besides its content. */
const joinedPieces = 256;

/** The bytes of a body that arrives in pieces, however small they are. */
export class GatheredBytes {
  readonly #joined: Uint8Array[] = [];
  #pieces: Uint8Array[] = [];
  /** The number of bytes. */
  size = 0;

  /** How many parts of memory are kept. */
  get parts(): number {
    return this.#joined.length + this.#pieces.length;
  }

  add(piece: Uint8Array): void {
    this.size += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length < joinedPieces) return;
    this.#joined.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  whole(): Buffer {
    return Buffer.concat([...this.#joined, ...this.#pieces], this.size);
  }
}
