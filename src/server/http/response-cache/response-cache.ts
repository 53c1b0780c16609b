import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from '../../../base/fairness/account.ts';
import type { BudgetedTable } from '../../../base/memory/cache-budget.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { type Caller, cachePartition } from '../../../calls/access/caller/caller.ts';
import { hasAllowances, type Spender, spendersOf } from '../../../calls/access/caller/spender.ts';
import { holdsKeyText } from '../../../calls/access/key/key-text.ts';
import type { Allowances } from '../../../calls/executor/allowances/allowances.ts';
import type { CacheMemory } from '../../../calls/executor/create-executor.ts';
import type { CachedEntry } from '../../../calls/executor/entry-table.ts';
import type { ExecutorMeter } from '../../../calls/executor/meter.ts';
import { hasBody } from '../body/read-body.ts';
import type { ApiName } from '../request/api-name.ts';
import { asksForRedaction, versionHeader } from '../request/gateway-headers.ts';
import { keyInQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { RequestLogFields } from '../request/request-log.ts';
import type { HeadFacts, Recipient } from '../response/response-head.ts';

/** A complete response, reusable while the cached entries that it was made from are present and fresh. */
export interface CachedResponse {
  readonly calls: readonly CachedCall[];
  /** The API that requests answered by it count for in metrics. */
  readonly api: ApiName;
  /** The log fields of a request answered by it. */
  readonly logFields: RequestLogFields;
  /** Its memory in addition to its key, in bytes. */
  readonly bytes: number;
  /**
   * Sends the response.
   *
   * @param to `entries` are those of the calls; `now` is in milliseconds
   *   since the epoch
   * @returns the number of body bytes sent; undefined if nothing was sent because the body is no longer cached
   */
  send(
    to: Recipient & {
      readonly request: IncomingMessage;
      readonly entries: readonly CachedEntry[];
      readonly now: number;
    },
  ): number | undefined;
}

/** An endpoint call that a response was made from. */
export interface CachedCall {
  /** The endpoint's name. */
  readonly endpoint: string;
  /** The cached entry of the rows. Weak, so that a response doesn't keep an evicted entry in memory. */
  readonly cachedEntry: WeakRef<CachedEntry>;
}

/** Facts about a request besides its content. */
export interface WatchedFields extends HeadFacts {
  readonly logFields: RequestLogFields;
  /** Set to the API that the request counts for. */
  api?: ApiName | undefined;
}

export interface ResponseCacheOptions {
  readonly memory: CacheMemory;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
  readonly allowances: Pick<Allowances, 'takeAnswered' | 'giveBack' | 'rateLimits'>;
}

/** The maximum share of the cache memory for responses: callers can vary equivalent requests in any number of ways. */
const share = 1 / 2;

/**
 * Caches responses of REST and GraphQL by request (`requestKey`). A response is valid while every entry that it was
 * made from is cached and fresh: the executor's cache decides, and nothing expires here. A hit counts as a call of the
 * executor, in metrics and in the entries' times of last use.
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

  /** Changes when the cache is cleared. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether a response to the request is cached, even if its entries are stale. */
  has(key: string): boolean {
    return this.#responses.peek(key) !== undefined;
  }

  /**
   * Answers a request if a valid response is cached, and the caller may have it. Otherwise, the request is unchanged.
   */
  answer(
    key: string,
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
    watched: WatchedFields,
  ): boolean {
    const cached = this.#responses.get(key);
    if (cached === undefined) return false;
    const { clock, meter } = this.#options;
    const now = clock.now();
    const entries: CachedEntry[] = [];
    for (const { cachedEntry } of cached.calls) {
      const entry = cachedEntry.deref();
      if (entry === undefined || !this.#isValid(entry, now)) {
        this.#responses.delete(key);
        return false;
      }
      entries.push(entry);
    }
    const { requestId, cors } = watched;
    const limited = hasAllowances(caller) ? this.#limited(spendersOf(caller), cached) : undefined;
    if (limited?.isRefused) return false;
    const rateLimits = limited?.left;
    const bytes = cached.send({ request, response, requestId, cors, rateLimits, entries, now });
    if (bytes === undefined) {
      limited?.giveBack();
      return false;
    }
    for (const entry of entries) entry.askedAt = now;
    for (const { endpoint } of cached.calls) meter.cacheRequest(endpoint, 'hit');
    watched.api = cached.api;
    Object.assign(watched.logFields, cached.logFields);
    watched.logFields.bytes = bytes;
    return true;
  }

  /**
   * Caches a response, unless its entries are no longer valid, or the endpoints have changed since the request arrived.
   *
   * @param generation of the cache when the request arrived
   * @param account of the caller
   */
  set(key: string, response: CachedResponse, generation: number, account: Account): void {
    const now = this.#options.clock.now();
    const isValid = response.calls.every(({ cachedEntry }) => {
      const entry = cachedEntry.deref();
      return entry !== undefined && this.#isValid(entry, now);
    });
    if (isValid && generation === this.#generation)
      this.#responses.set(key, response, response.bytes, account);
  }

  /** Clears the cache: the endpoints have changed, and the same requests may mean something else. */
  clear(): void {
    this.#generation += 1;
    this.#responses.clear();
  }

  /** Counts the calls and rows of a response for those who have allowances. */
  #limited(spenders: readonly Spender[], { calls: { length }, logFields: { rows = 0 } }: CachedResponse) {
    const { allowances } = this.#options;
    return {
      isRefused: !allowances.takeAnswered(spenders, length, rows),
      left: () => allowances.rateLimits(spenders),
      giveBack: () => allowances.giveBack(spenders, length, rows),
    };
  }

  /** The lookup counts as a use of the entry. */
  #isValid(cachedEntry: CachedEntry, now: number): boolean {
    const { key, freshUntil } = cachedEntry.entry;
    return now < freshUntil && this.#options.memory.table.get(key) === cachedEntry;
  }

  /** Evicts the responses made from invalidated entries. */
  #sweep(): void {
    const isCurrent = ({ cachedEntry }: CachedCall) => {
      const entry = cachedEntry.deref();
      return entry !== undefined && this.#options.memory.table.peek(entry.entry.key) === entry;
    };
    for (const [key, { calls }] of [...this.#responses.entries()]) {
      if (!calls.every(isCurrent)) this.#responses.delete(key);
    }
  }
}

type KeyedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Returns the cache key of a request: everything that changes its response, and the caller's cache partition. Callers
 * without restrictions share one; each restricted key has its own. HEAD shares with GET.
 *
 * @param body of a POST, decompressed
 */
export function requestKey({ method, url, headers }: KeyedRequest, caller: Caller, body?: Buffer): string {
  const { host, accept, 'accept-encoding': encoding, [versionHeader]: pinned } = headers;
  const isRedacted = caller.redact || asksForRedaction(headers['lf-endpoint-redact-pii']);
  // Only the last part may contain line breaks. As latin1, distinct bodies stay distinct.
  const asked = body === undefined ? `GET ${url}` : `${method} ${url}\n${body.toString('latin1')}`;
  return `${cachePartition(caller)} ${isRedacted}\n${host}\n${accept}\n${encoding}\n${pinned}\n${asked}`;
}

/** Returns the key to cache a request's response by; undefined if it must not be cached, since no caller's key may be stored. */
export function cacheableKey(
  { request, query }: RequestContext,
  caller: Caller,
  body?: Buffer,
): string | undefined {
  if (body === undefined && (request.method === 'POST' || hasBody(request))) return undefined;
  if (keyInQuery(query) !== undefined) return undefined;
  const key = requestKey(request, caller, body);
  return holdsKeyText(key) ? undefined : key;
}
