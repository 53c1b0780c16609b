import type { Supervised } from './supervised.ts';
import type { Isolation } from './suspects.ts';

/** A second process for isolated calls. It exists only while there are any. */
export class Spare<Session extends Supervised> implements Isolation<Session> {
  readonly #start: () => Promise<Session>;
  readonly #closing = new AbortController();
  #session: Session | undefined;

  constructor(start: () => Promise<Session>) {
    this.#start = start;
  }

  /** @throws the errors of the start and of the work; the reason of `close` after it */
  async alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    this.#session ??= await this.#begin();
    return work(this.#session);
  }

  async release(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.end('it is no longer needed');
  }

  /** Ends it permanently. */
  async close(reason: unknown): Promise<void> {
    this.#closing.abort(reason);
    await this.release();
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
