import { setImmediate } from 'node:timers/promises';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { ClientGone } from '../request/deadline.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The minimum pace of a request body. */
interface PaceLimits {
  readonly bytesPerSecond: number;
  /**
   * The pace is checked each time the reader has waited this long for the client, in milliseconds. The first period is
   * a grace.
   */
  readonly windowMs: number;
}

/** Measures the pace of a body. Only time in which the reader waited for the client counts, and bytes as the client sent them. */
export class BodyPace {
  readonly #limits: PaceLimits;
  #waitedMs = 0;
  #bytes = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** Milliseconds to wait for the next bytes before the next check. */
  get windowLeftMs(): number {
    return Math.max(0, this.#limits.windowMs - this.#waitedMs);
  }

  /**
   * Adds a wait, and the bytes that arrived in it.
   *
   * @returns false if the pace is too low; true while it is sufficient or unknown
   */
  add(waitedMs: number, bytes: number): boolean {
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < this.#limits.windowMs) return true;
    const required = (this.#waitedMs / 1000) * this.#limits.bytesPerSecond;
    const isHighEnough = this.#bytes >= required;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isHighEnough;
  }
}

/**
 * After a piece smaller than this, in bytes, reading waits for the next turn of the event loop: chunks that arrive
 * meanwhile are read together. One by one, tiny chunks of a few connections would occupy the event loop.
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
