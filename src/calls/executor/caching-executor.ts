import { type ErrorCode, GatewayError } from '../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../base/fairness/account.ts';
import { lowestClass } from '../../definitions/classes/query-class.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { EngineResult, Estimate, StreamEnd } from '../../engines/engine/engine.ts';
import type { QueryProfile } from '../../engines/engine/profile.ts';
import type { Payer } from '../access/caller/caller.ts';
import type { AuthorisedCall, PlannedCall } from '../call/authorised-call.ts';
import { AllowanceSpent } from './allowances/allowance-spent.ts';
import type { Allowances } from './allowances/allowances.ts';
import { engineEstimates } from './engine-estimates.ts';
import { engineExports, exportTurns } from './engine-exports.ts';
import { engineProfiles } from './engine-profiles.ts';
import { type EngineRunsOptions, engineRuns } from './engine-runs.ts';
import type { Entry, EntryStore, InvalidationFilter, Lease } from './entries/entry-store.ts';
import { isInvalidated, PendingWork } from './entries/entry-store.ts';
import { endpointOfKey, type KeyedQuery, keyedQueryOf } from './entries/query-key.ts';
import type { CachedEntry, EntryTable } from './entry-table.ts';
import type { Executor, ExecutorResult, Run, RunProgress, TakeExported } from './executor.ts';
import { cachedResult, type FlightResult, flightResult, isFresh } from './flight-result.ts';
import { bodies } from './flights/bodies.ts';
import type { Permit } from './flights/permit.ts';
import type { Permits } from './flights/permits.ts';
import { onlySeeker } from './flights/seekers.ts';
import { type Flight, SingleFlight, type Waiter } from './flights/single-flight.ts';
import type { Turns } from './flights/turns.ts';
import type { PlanningPermits } from './plan-with-permit.ts';
import { TextSingleFlight } from './plan-with-permit.ts';
import { exceededScanLimit, namingLimit, scanLimitOf } from './scan-limits.ts';

/**
 * Failures that stale rows must not hide: mistakes of the caller, and limits of use. Such a limit prevents a run on
 * purpose, and the people who can act on it must see it.
 */
const neverHidden: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'COST_LIMIT_EXCEEDED',
  'ALLOWANCE_EXHAUSTED',
]);

/** Whether stale rows may be served instead of this failure. */
function mayServeStale(failure: unknown): boolean {
  return failure instanceof GatewayError && !neverHidden.has(failure.code);
}

interface CachingExecutorOptions extends EngineRunsOptions, PlanningPermits {
  readonly openExports: Permits;
  readonly exportTimeoutMs: number;
  readonly table: EntryTable;
  readonly store: EntryStore;
}

/** For how long a call has waited for its turn when its run begins, or has to give up, by the clock's `elapsed`. */
function queueMsUntil(end: number, { since = end }: Waiter, { planningMs = 0 }: RunProgress): number {
  return Math.max(0, end - since - planningMs);
}

interface Freshness {
  /** See `Run`. */
  readonly notBefore: number;
}

/** How often a replica checks whether another one has made the result, in milliseconds. */
const pollMs = 25;

/**
 * Answers from the cache if possible. Otherwise, runs the query once for all concurrent identical calls: in this process
 * and, with a shared store, in all replicas.
 */
export class CachingExecutor implements Executor {
  readonly #options: CachingExecutorOptions;
  readonly #estimate: Executor['estimate'];
  readonly #profile: Executor['profile'];
  readonly #stream: Executor['stream'];
  readonly #run: (keyedQuery: KeyedQuery, flight: Flight) => Promise<EngineResult>;
  readonly #flights = new SingleFlight<FlightResult>();
  readonly #texts: TextSingleFlight;
  /** Results in flight, whether computed or read from the store. */
  readonly #making = new PendingWork();
  #isServed: (key: string) => boolean = () => true;

  constructor(options: CachingExecutorOptions) {
    this.#options = options;
    this.#run = engineRuns(options);
    this.#texts = new TextSingleFlight(options);
    this.#estimate = engineEstimates(options);
    this.#profile = engineProfiles(options);
    this.#stream = engineExports(options);
    options.store.onInvalidate((filter) => this.#invalidateHere(filter));
  }

  /** What keys, tokens and endpoints may use. */
  get allowances(): Allowances {
    return this.#options.allowances;
  }

  /** The rights of exports to be open. */
  get openExports(): Permits {
    return this.#options.openExports;
  }

  /**
   * Waits for turns to export rows for an account, in the background.
   *
   * @param hasBegun whether it goes on with an export, and is never refused
   * @throws GatewayError OVERLOADED; the signal's reason
   */
  exportTurns(account: Account, signal: AbortSignal, hasBegun: boolean): Promise<Turns> {
    return exportTurns(this.#options, { ...onlySeeker({ account }, signal, 'background'), hasBegun });
  }

  /** The permits of planning. */
  get planningPermits(): Permits {
    return this.#options.planningPermits;
  }

  /** The permits of all queries. */
  get permits(): Permits {
    return this.#options.permits;
  }

  execute(call: AuthorisedCall, run: Run): Promise<ExecutorResult> {
    const { clock, allowances } = this.#options;
    const { signal, atMost = 'interactive', progress = {} } = run;
    const { payer: caller, class: ofCall } = call;
    const since = clock.elapsed();
    const answered = async () => {
      progress.class = lowestClass(ofCall, allowances.isSlowed(caller) ? 'background' : atMost);
      const waiter = {
        ...refusable(call.endpoint, caller, signal),
        ...{ class: progress.class, since, caller },
      };
      return await this.#texts.plan(call, waiter, (planned, permit, planningMs) => {
        progress.planningMs = planningMs ?? 0;
        return this.#answer(planned, { ...run, progress }, waiter, permit);
      });
    };
    return failingAsShown(call, async () => {
      const result = await allowances.during(caller, answered, shownRows);
      return { ...result, leaveOut: (rows) => allowances.countRows(caller, -rows) };
    });
  }

  stream(call: AuthorisedCall, run: Run, take: TakeExported): Promise<StreamEnd> {
    const rowsAtTheEnd = () => 0;
    return failingAsShown(call, () =>
      this.#options.allowances.during(call.payer, () => this.#stream(call, run, take), rowsAtTheEnd),
    );
  }

  profile(call: AuthorisedCall, run: Run): Promise<QueryProfile> {
    return failingAsShown(call, () => this.#profile(call, run));
  }

  estimate(call: AuthorisedCall, run: Run): Promise<Estimate> {
    return failingAsShown(call, () => this.#estimate(call, run));
  }

  /** @param permit under which the query was planned; a run reuses it */
  async #answer(
    call: PlannedCall,
    { wanted, progress, notBefore = 0 }: Run & { readonly progress: RunProgress },
    waiter: Waiter,
    permit?: Permit,
  ): Promise<ExecutorResult> {
    const { table, clock, meter, engine } = this.#options;
    const keyedQuery = keyedQueryOf(call, engine.readsWanted ? wanted : 'all');
    const { key, endpoint } = keyedQuery;
    const isCached = endpoint.cacheSeconds > 0;
    if (isCached) {
      const cached = table.get(key);
      if (cached !== undefined) cached.askedAt = clock.now();
      if (cached !== undefined && isFresh(cached.entry, cached.askedAt, notBefore)) {
        meter.cacheRequest(endpoint.name, 'hit');
        return cachedResult(keyedQuery, cached, 'hit');
      }
    }
    const collapsed = this.#flights.has(key);
    if (collapsed) meter.collapsed(endpoint.name);
    try {
      const made = await this.#joinFlight(keyedQuery, waiter, { progress, notBefore }, permit);
      const status = !isCached ? 'off' : made.isStored ? 'hit' : 'miss';
      meter.cacheRequest(endpoint.name, status);
      const { planningMs = 0 } = progress;
      const queueMs = made.beganAt === undefined ? 0 : queueMsUntil(made.beganAt, waiter, progress);
      return flightResult(keyedQuery, made, { status, collapsed }, { queueMs, planningMs });
    } catch (error) {
      const cached = isCached && mayServeStale(error) ? table.peek(key) : undefined;
      if (cached === undefined || clock.now() >= cached.entry.keptUntil) throw error;
      meter.cacheRequest(endpoint.name, 'stale');
      return cachedResult(keyedQuery, cached, 'stale');
    }
  }

  /**
   * Returns the result of the query's flight. The flight fails if none of its waiters has budget left, or its run would read more
   * than any of them may. A waiter then gets the error of its own budget or limit. One that joined too late to be counted, and
   * may run the query, starts another flight.
   */
  async #joinFlight(
    keyedQuery: KeyedQuery,
    waiter: Waiter,
    { progress, notBefore }: Freshness & { readonly progress: RunProgress },
    permit: Permit | undefined,
  ): Promise<FlightResult> {
    const { endpoint, key } = keyedQuery;
    for (;;) {
      waiter.signal.throwIfAborted();
      // Joining a run needs no permit.
      if (this.#flights.has(key)) permit?.[Symbol.dispose]();
      const own = permit?.handOver();
      const result = this.#flights.join(key, waiter, async (flight) => {
        using _permit = own;
        flight.permit = own;
        return endpoint.cacheSeconds > 0
          ? await this.#obtain(keyedQuery, flight, notBefore)
          : await this.#makeOnce(keyedQuery, flight);
      });
      const flight = this.#flights.inFlight(key);
      try {
        if (flight !== undefined) await this.#options.scanLimits.joined(keyedQuery, flight, waiter);
        return await result;
      } catch (error) {
        const now = this.#options.clock.elapsed();
        progress.queueMs = queueMsUntil(flight?.engineBegan ?? now, waiter, progress);
        if (flight?.engineBegan !== undefined)
          progress.engineMs = (flight.engineEnded ?? now) - flight.engineBegan;
        const exceeded = exceededScanLimit(error);
        const limit = scanLimitOf(endpoint, waiter.caller);
        if (exceeded !== undefined && !waiter.signal.aborted) {
          // One that has joined a run with a smaller limit than its own starts another.
          if (limit === undefined || limit.bytes > exceeded) continue;
          throw namingLimit(error, limit);
        }
        if (!(error instanceof AllowanceSpent)) throw error;
        const refusal = this.#options.allowances.refusal(endpoint, waiter.caller);
        if (refusal !== undefined) throw refusal;
      }
    }
  }

  /**
   * Refreshes a result in the background. If another replica has done so, that result is used. Never waits for another
   * replica.
   *
   * @returns the outcome; `busy` if the result is in flight, here or in another replica
   */
  async refresh(keyedQuery: KeyedQuery, signal: AbortSignal): Promise<'made' | 'elsewhere' | 'busy'> {
    const { key } = keyedQuery;
    const lease = this.#flights.has(key) ? 'taken' : await this.#options.store.lease(key);
    if (lease === 'taken') return 'busy';
    // A caller may have joined, and waits for the lease.
    if (signal.aborted || this.#flights.has(key)) {
      await lease?.release();
      signal.throwIfAborted();
      return 'busy';
    }
    const { isStored } = await this.#flights.join(key, { signal, class: 'background' }, (flight) =>
      this.#trackWork(keyedQuery, flight, () => this.#makeUnlessStored(keyedQuery, flight, lease)),
    );
    return isStored ? 'elsewhere' : 'made';
  }

  /**
   * Invalidates entries, here and in all replicas, and returns how many. Results in flight are not cached either.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE when only the entries of this process could be invalidated
   */
  async invalidate(filter: InvalidationFilter): Promise<number> {
    const here = this.#invalidateHere(filter);
    try {
      return Math.max(here, await this.#options.store.invalidate(filter));
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause;
      const message = `Purged ${here} entries of this process only. ${cause.message}`;
      throw new GatewayError(cause.code, message, { ...cause.details, cause });
    }
  }

  /**
   * From now on, caches results of these versions of endpoints only, and invalidates all others.
   *
   * @param versions by the endpoints' ids
   */
  retain(versions: ReadonlyMap<string, readonly string[]>): void {
    this.#isServed = (key) => {
      const { id, version } = endpointOfKey(key);
      return versions.get(id)?.includes(version) === true;
    };
    this.#options.table.invalidate(({ entry }) => !this.#isServed(entry.key));
  }

  #invalidateHere(filter: InvalidationFilter): number {
    const isMatch = (key: string) => isInvalidated(key, filter);
    this.#making.invalidate(filter);
    this.#flights.detach(isMatch);
    this.#options.engine.dropSlices?.(filter.endpointId);
    return this.#options.table.invalidate(({ entry }) => isMatch(entry.key)).length;
  }

  /** Returns the result of a cached endpoint, from the store or the engine. Waits while another replica computes it. */
  #obtain(keyedQuery: KeyedQuery, flight: Flight, notBefore: number): Promise<FlightResult> {
    const { store, clock } = this.#options;
    return this.#trackWork(keyedQuery, flight, async () => {
      for (;;) {
        const stored = await this.#fromStore(keyedQuery, flight, notBefore);
        if (stored !== undefined) return stored;
        const lease = await store.lease(keyedQuery.key);
        if (lease !== 'taken') return this.#makeUnlessStored(keyedQuery, flight, lease, notBefore);
        // Another replica runs the query.
        flight.permit?.[Symbol.dispose]();
        await clock.sleep(pollMs, flight.signal);
      }
    });
  }

  /** Runs work whose result may be cached, unless it is invalidated in the meantime. */
  #trackWork<T>({ key }: KeyedQuery, flight: Flight, work: () => Promise<T>): Promise<T> {
    return this.#making.during(key, (making) => {
      flight.making = making;
      return work();
    });
  }

  #isCacheable({ key }: KeyedQuery, flight: Flight): boolean {
    return flight.making?.isInvalidated === false && this.#isServed(key);
  }

  async #makeUnlessStored(
    keyedQuery: KeyedQuery,
    flight: Flight,
    lease: Lease | undefined,
    notBefore = 0,
  ): Promise<FlightResult> {
    let kept: Promise<unknown> = Promise.resolve();
    try {
      flight.signal.throwIfAborted();
      // Another replica may have finished its run before the lease was taken.
      const stored = lease && (await this.#fromStore(keyedQuery, flight, notBefore));
      if (stored !== undefined) return stored;
      const made = await this.#makeOnce(keyedQuery, flight);
      const entry = await this.#entryOf(keyedQuery, made);
      if (!this.#isCacheable(keyedQuery, flight)) return made;
      const cached = this.#cache(keyedQuery, flight, entry);
      // Callers don't wait until it is stored.
      kept = this.#options.store.set(entry);
      // A result that is too large for this process's memory is read from the store again.
      if (this.#options.table.peek(entry.key) !== cached) return made;
      return { ...made, ...entry, rows: made.rows, bodies: cached.bodies, cachedEntry: cached };
    } finally {
      // Other replicas read it when they get the lease.
      kept.then(() => lease?.release());
    }
  }

  /** Returns the store's entry, if it is newer than the cached one. */
  async #fromStore(
    keyedQuery: KeyedQuery,
    flight: Flight,
    notBefore: number,
  ): Promise<FlightResult | undefined> {
    const { store, table, clock } = this.#options;
    const stored = await store.get(keyedQuery);
    if (stored === undefined || !this.#isCacheable(keyedQuery, flight)) return undefined;
    const { entry, rows } = stored;
    const olderThan = table.peek(keyedQuery.key)?.entry.madeAt ?? Number.NEGATIVE_INFINITY;
    if (entry.madeAt <= olderThan) return undefined;
    // Stale entries are cached, too: they are served if the engine fails.
    const cached = this.#cache(keyedQuery, flight, entry);
    return isFresh(entry, clock.now(), notBefore)
      ? { ...entry, isStored: true, rows, bodies: cached.bodies, cachedEntry: cached }
      : undefined;
  }

  /** Caches an entry. A refreshed one inherits the time of the last request. */
  #cache(keyedQuery: KeyedQuery, flight: Flight, entry: Entry): CachedEntry {
    const { table, clock } = this.#options;
    const isAsked = flight.waiters.values().some(({ caller }) => caller !== undefined);
    const askedAt = isAsked ? clock.now() : (table.peek(entry.key)?.askedAt ?? 0);
    const isWarmed = keyedQuery.endpoint.warmSeconds > 0;
    const [first] = flight.waiters;
    return table.put(entry, askedAt, first?.caller?.account ?? ownAccount, isWarmed ? keyedQuery : undefined);
  }

  async #entryOf(
    { key, endpoint }: KeyedQuery,
    { rows, truncated, engineMs, madeAt }: FlightResult,
  ): Promise<Entry> {
    const freshUntil = madeAt + endpoint.cacheSeconds * 1000;
    return {
      key,
      rows: await rows.packed(),
      rowCount: rows.count,
      truncated,
      engineMs,
      madeAt,
      freshUntil,
      keptUntil: freshUntil + endpoint.staleIfErrorSeconds * 1000,
    };
  }

  async #makeOnce(keyedQuery: KeyedQuery, flight: Flight): Promise<FlightResult> {
    const { rows, truncated, engineMs, cost, slices } = await this.#run(keyedQuery, flight);
    const now = this.#options.clock.now();
    return {
      isStored: false,
      beganAt: flight.engineBegan,
      rows,
      truncated,
      engineMs,
      ...(cost && { cost }),
      ...(slices && { slices }),
      madeAt: now,
      freshUntil: now,
      bodies: bodies(),
    };
  }
}

/** The end of a waiter's wait. One without a limit is never refused what its flight gives. */
function refusable(
  endpoint: Endpoint,
  caller: Payer,
  signal: AbortSignal,
): Pick<Waiter, 'signal' | 'refuse'> {
  if (scanLimitOf(endpoint, caller) === undefined) return { signal };
  const refused = new AbortController();
  return {
    signal: AbortSignal.any([signal, refused.signal]),
    refuse: (error) => refused.abort(error),
  };
}

/** The rows of a result that its caller gets: one more is read of a page. */
function shownRows({ rows, page }: ExecutorResult): number {
  return page === undefined ? rows.count : Math.min(rows.count, page.rows);
}

/** Does work of a call. Its failure is as the call's caller may see it. */
async function failingAsShown<T>(call: AuthorisedCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw call.shown(error);
  }
}
