import type { Supervised } from './supervised.ts';
import type { Seclusion } from './suspects.ts';

/** A second process beside the one that everybody uses: it is there only while somebody has to be alone. */
export class Spare<Session extends Supervised> implements Seclusion<Session> {
  readonly #start: () => Promise<Session>;
  readonly #closing = new AbortController();
  #session: Session | undefined;

  constructor(start: () => Promise<Session>) {
    this.#start = start;
  }

  /** @throws what the start and the work throw, and the reason of `close` after it */
  async alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    this.#session ??= await this.#begin();
    return work(this.#session);
  }

  async leave(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.end('it is no longer needed');
  }

  /** Ends it for good. */
  async close(reason: unknown): Promise<void> {
    this.#closing.abort(reason);
    await this.leave();
  }

  async #begin(): Promise<Session> {
    const session = await this.#start();
    void session.exited.then(() => {
      if (this.#session === session) this.#session = undefined;
    });
    if (this.#closing.signal.aborted) await session.end('it was stopped');
    this.#closing.signal.throwIfAborted();
    return session;
  }
}
