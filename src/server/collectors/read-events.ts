import type { Clock } from '../../base/clock/clock.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { GatheredBytes } from '../http/body/gathered-bytes.ts';
import { tooLarge } from '../http/body/read-body.ts';
import { accountOfConnection } from '../http/request/connection-account.ts';
import type { RequestContext } from '../http/request/request-context.ts';

/** How a collector's body is read. */
export interface EventReading {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly minBytesPerSecond: number;
  /** How often the pace is checked, in milliseconds of waiting for the client. */
  readonly windowMs: number;
  /** For the bodies of all collectors that are not answered yet. */
  readonly memory: MemoryBudget;
}

/** A body of known size arrives in so many seconds at most. */
const maxSeconds = 120;

/** A body in memory. Disposing of it releases the memory. */
interface HeldBody extends Disposable {
  readonly bytes: Buffer;
}

/**
 * Reads the body of a collector's request, still compressed.
 *
 * @param maxBytes the maximum size of a body as sent
 * @throws GatewayError PAYLOAD_TOO_LARGE, REQUEST_TOO_SLOW; OVERLOADED, RATE_LIMITED if bodies take too much memory; ClientGone;
 *   the signal's reason
 */
export async function readEvents(
  context: RequestContext,
  maxBytes: number,
  { clock, minBytesPerSecond, windowMs, memory }: EventReading,
  signal: AbortSignal,
): Promise<HeldBody> {
  const announced = Number(context.request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const ended = new AbortController();
  const account = accountOfConnection(context.request.socket);
  const holding = memory.hold(account, (reason) => ended.abort(reason));
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    const gathered = new GatheredBytes();
    const pace = { bytesPerSecond: Math.max(minBytesPerSecond, Math.ceil(announced / maxSeconds)), windowMs };
    for await (const piece of bodyStream(context, { pace, clock, signal: either })) {
      gathered.add(piece);
      if (gathered.size > maxBytes) throw tooLarge(maxBytes);
      // What has arrived counts, whatever was announced.
      holding.add(piece.length);
    }
    holding.keep();
    return { bytes: gathered.whole(), [Symbol.dispose]: () => holding[Symbol.dispose]() };
  } catch (error) {
    holding[Symbol.dispose]();
    throw error;
  }
}
