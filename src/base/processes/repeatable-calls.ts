import type { Clock } from '../system/clock.ts';
import { ProcessEndedError } from './supervised.ts';
import { type Isolation, Suspects } from './suspects.ts';

/** Timeout of a repeated call, in milliseconds. */
const aloneTimeoutMs = 5_000;

/** How long a call is refused after it has ended two processes. */
export const refusedForSeconds = 60;

interface RepeatableCallsOptions<Session> {
  /** The process that all calls share. */
  readonly current: (signal: AbortSignal) => Promise<Session>;
  readonly isolation: Isolation<Session>;
  /** The error of a call that has ended two processes. */
  readonly blamed: (cause: unknown) => Error;
  /** The error of a repeated call that timed out. */
  readonly busy: (cause: unknown) => Error;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/**
 * Makes read-only calls to a process that may end. When it ends, which calls tell by `ProcessEndedError`, the calls in flight are repeated once, one at a time.
 * A call that ends the process again is to blame and is refused for a while.
 */
export class RepeatableCalls<Session> {
  readonly #options: RepeatableCallsOptions<Session>;
  readonly #suspects: Suspects<Session>;

  constructor(options: RepeatableCallsOptions<Session>) {
    const { isolation, clock } = options;
    this.#options = options;
    this.#suspects = new Suspects({
      isolation,
      isToBlame: hasEnded,
      refusedForMs: refusedForSeconds * 1000,
      clock,
    });
  }

  /**
   * Makes a call.
   *
   * @param key identifies the call; without it, no blame is remembered
   * @param work gets another signal when it is repeated
   * @throws the errors of the work, `blamed` and `busy`, and the signal's reason
   */
  async make<T>(
    key: string | undefined,
    signal: AbortSignal,
    work: (session: Session, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { current, blamed, clock } = this.#options;
    try {
      this.#suspects.refuseBlamed(key);
      const session = await current(signal);
      const began = clock.elapsed();
      return await work(session, signal).catch((error: unknown) => {
        if (!hasEnded(error)) throw error;
        signal.throwIfAborted();
        const spentMs = clock.elapsed() - began;
        return this.#suspects.again(key, spentMs, (alone) => this.#again(alone, signal, work));
      });
    } catch (error) {
      throw hasEnded(error) ? blamed(error) : error;
    }
  }

  async #again<T>(
    session: Session,
    signal: AbortSignal,
    work: (session: Session, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const { busy } = this.#options;
    const timeout = AbortSignal.timeout(aloneTimeoutMs);
    try {
      return await work(session, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.aborted && !hasEnded(error) ? busy(error) : error;
    }
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof ProcessEndedError;
}
