import type { Clock } from '../clock.ts';
import type { BodyMemory } from '../http/body-memory.ts';
import { bodyStream } from '../http/body-stream.ts';
import { tooLarge } from '../http/read-body.ts';
import type { RequestContext } from '../http/request-context.ts';

/** How a collector's body is read. */
export interface EventReading {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  /** Maximum size of a body as sent, in bytes. */
  readonly maxBytes: number;
  readonly minBytesPerSecond: number;
  /** How often the pace is checked, in milliseconds of waiting for the client. */
  readonly windowMs: number;
  /** For the bodies of all collectors that are not answered yet. */
  readonly memory: BodyMemory;
}

/** A body of known size has its memory from the beginning: slow senders of a few large ones would keep everybody else out. */
const maxSeconds = 120;

/** A body in memory. Disposing of it releases the memory. */
interface HeldBody extends Disposable {
  readonly bytes: Buffer;
}

/**
 * Reads the body of a collector's request, still compressed.
 *
 * @throws GatewayError PAYLOAD_TOO_LARGE, REQUEST_TOO_SLOW, OVERLOADED while all bodies together take too much memory; ClientGone;
 *   the signal's reason
 */
export async function readEvents(
  context: RequestContext,
  { clock, maxBytes, minBytesPerSecond, windowMs, memory }: EventReading,
  signal: AbortSignal,
): Promise<HeldBody> {
  const announced = Number(context.request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  let reserved = 0;
  const reserve = (size: number) => {
    if (size <= reserved) return;
    memory.reserve(size - reserved);
    reserved = size;
  };
  const release = () => memory.release(reserved);
  try {
    reserve(announced);
    const pieces: Uint8Array[] = [];
    let size = 0;
    const pace = { bytesPerSecond: Math.max(minBytesPerSecond, Math.ceil(announced / maxSeconds)), windowMs };
    for await (const piece of bodyStream(context, { pace, clock, signal })) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      reserve(size);
      pieces.push(piece);
    }
    return { bytes: Buffer.concat(pieces, size), [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}
