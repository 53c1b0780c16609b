import type { Source } from '../../../definitions/sources/source.ts';
import type { EventRequest } from '../events/event-request.ts';
import type { ParsedEvents } from '../events/parsed-events.ts';
import type { ThreadSettings } from './parse-calls.ts';
import { ParseThreads } from './parse-threads.ts';

type Threads = ParseThreads<readonly Source[], EventRequest, ParsedEvents>;

/** Parses bodies of events in threads, which start with the first body and remain until they are closed. */
export class EventThreads {
  readonly #threads: Threads;
  #keeper: ReturnType<Threads['join']> | undefined;
  #isClosed = false;

  /** @param program the module that the threads run, replaced in tests */
  constructor(settings: ThreadSettings, program = new URL('event-thread.ts', import.meta.url)) {
    this.#threads = new ParseThreads(settings, program);
  }

  /** The present number of threads. */
  get running(): number {
    return this.#threads.running;
  }

  /**
   * As `EventParser.parse`. Rejects with a `GatewayError` BACKEND_UNAVAILABLE when a thread fails.
   *
   * @param sources the same array until the sources change: threads receive each array once
   */
  async parse(body: Uint8Array, request: EventRequest, sources: readonly Source[]): Promise<ParsedEvents> {
    if (this.#isClosed) throw new TypeError('the threads are closed');
    this.#keeper ??= this.#threads.join(sources);
    const user = this.#threads.join(sources, request.account);
    try {
      // The body may be part of a larger buffer, which must not move to the thread.
      return await user.parse(new Uint8Array(body), request);
    } finally {
      await user.leave();
    }
  }

  /** Ends the threads. Bodies that they are parsing are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#keeper?.leave();
    this.#keeper = undefined;
  }
}
