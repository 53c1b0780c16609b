import { setImmediate } from 'node:timers/promises';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import type { Clock } from '../../../base/clock/clock.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import { ClientGone } from '../request/deadline.ts';
import type { RequestContext } from '../request/request-context.ts';
import { BodyPace, type PaceLimits } from './body-pace.ts';

/**
 * Fewer bytes than this are read once in each turn of the event loop: chunks that arrive meanwhile come together. One by one, tiny
 * chunks of a few connections would occupy the event loop.
 */
const smallPiece = 1024;

export interface BodyStreamOptions {
  /** If omitted, there is no minimum pace. */
  readonly pace?: PaceLimits | undefined;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly signal: AbortSignal;
}

/**
 * Yields the body in pieces, at the pace of the reader. Leaving the loop early leaves the connection open for a
 * response.
 *
 * @throws `UNAUTHENTICATED` as soon as the caller is no longer valid; `REQUEST_TOO_SLOW` if the client sends too slowly while the reader waits; `ClientGone` if it leaves; the
 *   signal's reason as soon as it is aborted
 */
export async function* bodyStream(
  context: RequestContext,
  { pace: limits, clock, signal }: BodyStreamOptions,
): AsyncGenerator<Uint8Array> {
  const pieces = context.openBody().iterator({ destroyOnReturn: false });
  const pace = limits && new BodyPace(limits);
  try {
    while (true) {
      const piece = await raceWithAbort(() => {
        const next: Promise<IteratorResult<Uint8Array>> = pieces.next().catch(leave);
        return pace === undefined ? next : inPace(next, pace, clock);
      }, signal);
      if (piece === undefined) throw tooSlow(limits);
      // Uploads may take long.
      context.requireStillValid?.();
      if (piece.done) return;
      yield piece.value;
      if (piece.value.length < smallPiece) await setImmediate();
    }
  } finally {
    // Not awaited: an aborted wait leaves the iterator busy.
    void pieces.return?.();
  }
}

function leave(): never {
  throw new ClientGone('the connection closed before the body was complete');
}

function tooSlow(limits: PaceLimits | undefined): GatewayError {
  const seconds = (limits?.windowMs ?? 0) / 1000;
  const message = `The body arrived at less than ${limits?.bytesPerSecond} bytes a second for ${seconds} s.`;
  return new GatewayError('REQUEST_TOO_SLOW', message);
}

/** Returns the next piece, or undefined if the pace is too low. */
async function inPace(
  next: Promise<IteratorResult<Uint8Array>>,
  pace: BodyPace,
  clock: BodyStreamOptions['clock'],
): Promise<IteratorResult<Uint8Array> | undefined> {
  while (true) {
    const began = clock.elapsed();
    const piece = await within(next, pace.windowLeftMs, clock);
    const isFastEnough = pace.add(clock.elapsed() - began, piece?.done ? 0 : (piece?.value.length ?? 0));
    if (piece?.done) return piece;
    if (!isFastEnough) return undefined;
    if (piece !== undefined) return piece;
  }
}

async function within<T>(
  work: Promise<T>,
  milliseconds: number,
  clock: Pick<Clock, 'after'>,
): Promise<T | undefined> {
  const timeUp = Promise.withResolvers<undefined>();
  // After a busy period, timers run before the process reads the bytes that arrived meanwhile.
  const timer = clock.after(milliseconds, () => void setImmediate(undefined).then(timeUp.resolve));
  try {
    return await Promise.race([work, timeUp.promise]);
  } finally {
    timer.cancel();
  }
}
