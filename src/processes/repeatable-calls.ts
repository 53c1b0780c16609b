import type { Clock } from '../clock.ts';
import { type Seclusion, Suspects } from './suspects.ts';

/** How long a call may take that is made again, alone, in milliseconds. */
const aloneTimeoutMs = 5_000;

/** How long a call is refused that has ended two processes. */
export const refusedForSeconds = 60;

interface RepeatableCallsOptions<Session> {
  /** The process that everybody uses. */
  readonly current: (signal: AbortSignal) => Promise<Session>;
  readonly seclusion: Seclusion<Session>;
  /** Whether a call failed so because its process ended. */
  readonly hasEnded: (error: unknown) => boolean;
  /** The error of a call that has ended two processes. */
  readonly blamed: (cause: unknown) => Error;
  /** The error of a call that took too long when it was made again. */
  readonly busy: (cause: unknown) => Error;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/**
 * Calls that change nothing, of a process that may end. When it ends, those that were under way are made once more, alone. One that ends the
 * process again is to blame, and refused for a while.
 */
export class RepeatableCalls<Session> {
  readonly #options: RepeatableCallsOptions<Session>;
  readonly #suspects: Suspects<Session>;

  constructor(options: RepeatableCallsOptions<Session>) {
    const { seclusion, hasEnded: isToBlame, clock } = options;
    this.#options = options;
    this.#suspects = new Suspects({ seclusion, isToBlame, refusedForMs: refusedForSeconds * 1000, clock });
  }

  /**
   * Makes a call.
   *
   * @param key the same for the same call; without it no blame is remembered
   * @param work is given another signal when it is alone
   * @throws what the work throws, `blamed` and `busy`, the signal's reason
   */
  async make<T>(
    key: string | undefined,
    signal: AbortSignal,
    work: (session: Session, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { current, hasEnded, blamed, clock } = this.#options;
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
    const { hasEnded, busy } = this.#options;
    const patience = AbortSignal.timeout(aloneTimeoutMs);
    try {
      return await work(session, AbortSignal.any([signal, patience]));
    } catch (error) {
      signal.throwIfAborted();
      throw patience.aborted && !hasEnded(error) ? busy(error) : error;
    }
  }
}
