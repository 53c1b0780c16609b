import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { CachedEntry } from '../../executor/cache/entry-table.ts';
import type { BudgetedTable } from '../../executor/cache/memory-budget.ts';
import type { CacheMemory } from '../../executor/create-executor.ts';
import type { ExecutorMeter } from '../../executor/meter.ts';
import type { RequestLogFields } from '../request-log-fields.ts';

/** An answer that was made from entries of the executor's cache, and can be given again while they are held and fresh. */
export interface CachedResponse {
  readonly calls: readonly CachedCall[];
  /** What is to be known of a request that is answered so. */
  readonly logFields: RequestLogFields;
  /** What it takes in memory beside its key, in bytes. */
  readonly bytes: number;
  /**
   * Sends the answer.
   *
   * @param to `requestId` is as `requestIdFrom` lets through; `entries` are those of the calls; `now` is in milliseconds since the epoch
   * @returns how many bytes of a body were sent; undefined when nothing was done, as the body isn't there any more
   */
  send(to: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly requestId: string;
    readonly entries: readonly CachedEntry[];
    readonly now: number;
  }): number | undefined;
}

/** A call of an endpoint that an answer was made from. */
export interface CachedCall {
  /** The endpoint's name. */
  readonly endpoint: string;
  /** Where the rows came from. Weakly: an answer keeps no entry in memory that its table has let go. */
  readonly held: WeakRef<CachedEntry>;
}

export interface ResponseCacheOptions {
  readonly memory: CacheMemory;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
}

/** How much of the memory for results the answers may take: callers can ask the same in any number of ways. */
const share = 1 / 2;

/**
 * Answers of REST and GraphQL by the requests that they answer (`requestKey`). An answer is valid as long as every entry that it was
 * made from is held and fresh: the executor's cache decides, here nothing expires by itself. A hit counts as a call of the
 * executor does, in metrics and for when entries were asked for last.
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #responses: BudgetedTable<CachedResponse>;
  #generation = 0;

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
    const { budget, table } = options.memory;
    this.#responses = budget.table(share);
    table.onInvalidate(() => this.#sweep());
  }

  /** Changes when all answers are forgotten. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether there is an answer to the request, be its entries too old. */
  has(key: string): boolean {
    return this.#responses.peek(key) !== undefined;
  }

  /**
   * Answers a request if a valid answer to it is kept; otherwise nothing is done with it.
   *
   * @param watched gives the id of the request, and takes what is to be known of it
   */
  answer(
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    watched: { readonly requestId: string; readonly logFields: RequestLogFields },
  ): boolean {
    const cached = this.#responses.get(key);
    if (cached === undefined) return false;
    const { clock, meter } = this.#options;
    const now = clock.now();
    const entries: CachedEntry[] = [];
    for (const { held } of cached.calls) {
      const entry = held.deref();
      if (entry === undefined || !this.#isValid(entry, now)) {
        this.#responses.delete(key);
        return false;
      }
      entries.push(entry);
    }
    const bytes = cached.send({ request, response, requestId: watched.requestId, entries, now });
    if (bytes === undefined) return false;
    for (const entry of entries) entry.askedAt = now;
    for (const { endpoint } of cached.calls) meter.cacheRequest(endpoint, 'hit');
    Object.assign(watched.logFields, cached.logFields);
    watched.logFields.bytes = bytes;
    return true;
  }

  /**
   * Keeps an answer, unless its entries aren't valid any more, or the endpoints have changed since it was begun.
   *
   * @param generation of the cache when the request came
   */
  set(key: string, response: CachedResponse, generation: number): void {
    const now = this.#options.clock.now();
    const isValid = response.calls.every(({ held }) => {
      const entry = held.deref();
      return entry !== undefined && this.#isValid(entry, now);
    });
    if (isValid && generation === this.#generation) this.#responses.set(key, response, response.bytes);
  }

  /** Forgets everything: the endpoints have changed, and the same requests may ask something else. */
  clear(): void {
    this.#generation += 1;
    this.#responses.clear();
  }

  /** Being looked for, the entry counts as used. */
  #isValid(held: CachedEntry, now: number): boolean {
    const { key, freshUntil } = held.entry;
    return now < freshUntil && this.#options.memory.table.get(key) === held;
  }

  /** Entries were dropped: nothing that was made from them stays behind. */
  #sweep(): void {
    const isCurrent = ({ held }: CachedCall) => {
      const entry = held.deref();
      return entry !== undefined && this.#options.memory.table.peek(entry.entry.key) === entry;
    };
    for (const [key, { calls }] of [...this.#responses.entries()]) {
      if (!calls.every(isCurrent)) this.#responses.delete(key);
    }
  }
}
