import { type Clock, systemClock } from '../../../base/system/clock.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { EventRequest } from '../events/event-request.ts';
import type { ParsedEvents } from '../events/parsed-events.ts';
import type { ThreadSettings } from './parse-calls.ts';
import { ParseThreads } from './parse-threads.ts';

type Threads = ParseThreads<readonly Source[], EventRequest, ParsedEvents>;

/** Threads without a body for so long end, in milliseconds: each keeps the memory of the largest. */
const restMs = 10_000;

/** Parses bodies of events in threads, which start with the first body and end at rest. */
export class EventThreads {
  readonly #threads: Threads;
  #keeper: ReturnType<Threads['join']> | undefined;
  #isClosed = false;
  #parsing = 0;
  #rest: { cancel(): void } | undefined;
  readonly #clock: Pick<Clock, 'after'>;

  /** @param program the module that the threads run, replaced in tests */
  constructor(
    settings: ThreadSettings,
    program = new URL('event-thread.ts', import.meta.url),
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#clock = clock;
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
    this.#rest?.cancel();
    this.#parsing += 1;
    this.#keeper ??= this.#threads.join(sources);
    const user = this.#threads.join(sources, request.account);
    try {
      // The body may be part of a larger buffer, which must not move to the thread.
      return await user.parse(new Uint8Array(body), request);
    } finally {
      await user.leave();
      this.#parsing -= 1;
      if (this.#parsing === 0) this.#rest = this.#clock.after(restMs, () => void this.#end());
    }
  }

  /** Ends the threads. Bodies that they are parsing are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rest?.cancel();
    await this.#end();
  }

  async #end(): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = undefined;
    await keeper?.leave();
  }
}
