import { raceWithAbort } from '../async/race-with-abort.ts';
import type { Seclusion } from '../processes/suspects.ts';

/** The one process, for one suspect at a time: a store can be open in no second one. Everybody else waits. */
export class Alone<Session> implements Seclusion<Session> {
  readonly #current: () => Promise<Session>;
  #left: PromiseWithResolvers<void> | undefined;

  constructor(current: () => Promise<Session>) {
    this.#current = current;
  }

  /** Waits until no suspect has the process for itself. */
  async untilFree(signal: AbortSignal): Promise<void> {
    while (this.#left !== undefined) {
      const { promise } = this.#left;
      await raceWithAbort(() => promise, signal);
    }
  }

  async alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#left ??= Promise.withResolvers();
    return work(await this.#current());
  }

  async leave(): Promise<void> {
    this.#left?.resolve();
    this.#left = undefined;
  }
}
