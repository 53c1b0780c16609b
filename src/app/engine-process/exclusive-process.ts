import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { Isolation } from '../../base/processes/suspects.ts';

/** Isolates suspects in the only process, since no second one can open the store. All other calls wait. */
export class ExclusiveProcess<Session> implements Isolation<Session> {
  readonly #current: () => Promise<Session>;
  #released: PromiseWithResolvers<void> | undefined;

  constructor(current: () => Promise<Session>) {
    this.#current = current;
  }

  /** Whether no suspect occupies the process. */
  get isFree(): boolean {
    return this.#released === undefined;
  }

  /** Waits until no suspect occupies the process. */
  async untilReleased(signal: AbortSignal): Promise<void> {
    while (this.#released !== undefined) {
      const { promise } = this.#released;
      await raceWithAbort(() => promise, signal);
    }
  }

  async alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#released ??= Promise.withResolvers();
    return work(await this.#current());
  }

  async release(): Promise<void> {
    this.#released?.resolve();
    this.#released = undefined;
  }
}
