import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { SharedMemory } from '../../base/memory/shared-memory.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../../engines/engine/row-changes.ts';
import type { Payer } from '../access/caller/caller.ts';
import type { AuthorisedCall, PlannedCall } from '../call/authorised-call.ts';
import { keyedQueryOf } from '../executor/entries/query-key.ts';
import type { Executor } from '../executor/executor.ts';
import { ShownRows } from '../executor/shown-rows.ts';
import { changesOf, sourcesOf } from './changes-of.ts';
import { LiveLoop } from './live-loop.ts';
import type { LiveMeter } from './live-meter.ts';
import { LiveQueries, type LiveQuery } from './live-queries.ts';
import { failsOneOnly, type RecordRun, runOnce } from './run-once.ts';
import { WaitingResult } from './waiting-result.ts';
import { type Watcher, Watchers, type Watching } from './watchers.ts';

/** The rows of a run, or its failure. Another run follows in any case. */
export type LiveOutcome = { readonly rows: ShownRows } | { readonly error: unknown };

export interface LiveParts {
  readonly executor: Pick<Executor, 'execute'>;
  /** Absent for engines that don't tell of new rows: their queries run after each interval. */
  readonly changes?: RowChanges | undefined;
  readonly clock: Clock;
  /** The time limit of a run, in milliseconds. */
  readonly timeoutMs: number;
  readonly recordRun?: RecordRun | undefined;
  /**
   * Counts rows that one gets from the run of another.
   *
   * @throws AllowanceSpent
   */
  readonly shareRows?: ((payer: Payer, rows: number) => void) | undefined;
  /** Waits for the right to plan a query. It ends with the returned object. */
  readonly permit: (call: AuthorisedCall, signal: AbortSignal) => Promise<Disposable>;
  /** Counts results until all watchers have them. */
  readonly answers: SharedMemory;
  /** Counts what queries keep. */
  readonly memory: SharedMemory;
  /** How many different queries may be watched. */
  readonly maxQueries: number;
  /** Whether an endpoint, in this version, is served now. */
  readonly isServed: (endpoint: Endpoint) => boolean;
  readonly meter: LiveMeter;
}

/** Results that are kept up to date while anyone watches them. */
export class LiveResults {
  readonly #parts: LiveParts;
  readonly #queries: LiveQueries<LiveResult>;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#queries = new LiveQueries('result', parts);
  }

  /** How many different results are watched. */
  get size(): number {
    return this.#queries.size;
  }

  /**
   * The result of a call: first the present one, then each that a further run gives, which may have the same rows, until
   * the watcher's signal is aborted. A slow reader misses all but the latest. An outcome is valid until the next one is asked
   * for: between events, only the query is kept.
   *
   * @throws GatewayError if the query is invalid, or the caller may not run it; the signal's reason
   */
  async watch(call: AuthorisedCall, watching: Watching): Promise<AsyncGenerator<LiveOutcome, never>> {
    const planned = call.known() ?? (await this.#plan(call, watching));
    const watcher = { ...watching, call: planned };
    const make = () => new LiveResult({ ...this.#parts, call: planned });
    return this.#queries.join(keyedQueryOf(planned).key, watcher, make).outcomes(watcher);
  }

  /** A watcher that leaves doesn't wait for the end of the planning, but the permit stays taken until then. */
  #plan(call: AuthorisedCall, { signal }: Watching): Promise<PlannedCall> {
    const planned = async () => {
      using _permit = await this.#parts.permit(call, signal);
      return await call.planned(signal);
    };
    return raceWithAbort(planned, signal);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(): void {
    this.#queries.retain();
  }
}

interface LiveResultParts extends LiveParts {
  /** The call for which it began. */
  readonly call: PlannedCall;
}

type Taken = NonNullable<ReturnType<WaitingResult['take']>>;

/** Bytes of a live query besides its plan and text. */
const queryBytes = 10_000;

/** One result, with those who watch it. */
class LiveResult implements LiveQuery {
  readonly isKept = false;
  readonly endpoint: Endpoint;
  readonly bytes: number;
  readonly watchers = new Watchers();
  readonly loop: LiveLoop;
  readonly #parts: LiveResultParts;
  readonly #sources: ReadonlySet<string>;
  readonly #isPolling: boolean;
  /** The outcome of the last run, for those who don't have it yet. */
  #latest: WaitingResult | { readonly error: unknown } | undefined;
  /** Whose run it was. */
  #payer: Watcher | undefined;
  /** Of the outcome. A run of the same rows, for those who have joined, gives the same one. */
  #version = 0;
  /** The version that each watcher got last. */
  readonly #seen = new WeakMap<Watcher, number>();
  /** When rows have changed last, in milliseconds since the epoch. */
  #changedAt = 0;
  /** Whether the last run has read all changes. */
  #isCurrent = false;

  constructor(parts: LiveResultParts) {
    this.#parts = parts;
    const { endpoint, query } = parts.call;
    this.endpoint = endpoint;
    const { plan, planBytes = 0, canonical = '' } = query ?? { plan: endpoint.plan };
    this.bytes = queryBytes + planBytes + 2 * canonical.length;
    this.#sources = sourcesOf(plan);
    this.#isPolling = parts.changes === undefined || plan.changesByItself;
    this.loop = new LiveLoop({
      clock: parts.clock,
      intervalMs: () => this.watchers.intervalMs,
      isPolling: this.#isPolling,
      turn: (signal) => this.#turn(signal),
    });
  }

  /** What one client gets. */
  async *outcomes(watcher: Watcher): AsyncGenerator<LiveOutcome, never> {
    const { clock } = this.#parts;
    let due = clock.elapsed();
    this.#join(watcher);
    for (;;) {
      while (!this.#isNew(watcher)) await this.watchers.untilTold(watcher);
      const early = due - clock.elapsed();
      if (early > 0) await clock.sleep(early, watcher.signal);
      due = clock.elapsed() + watcher.intervalMs;
      this.#seen.set(watcher, this.#version);
      if (this.#latest instanceof WaitingResult) {
        const isShared = this.#payer !== watcher;
        const taken = this.#latest.take(watcher);
        if (taken !== undefined && isShared) this.#share(watcher, taken);
        yield* given(taken, watcher);
      } else if (this.#latest !== undefined) yield { error: watcher.call.shown(this.#latest.error) };
    }
  }

  #share({ call }: Watcher, taken: Taken): void {
    try {
      this.#parts.shareRows?.(call.payer, taken.result.rows.count);
    } catch (error) {
      taken[Symbol.dispose]();
      throw error;
    }
  }

  changed(changes: readonly RowChange[]): void {
    if (changesOf(changes, this.#sources).length === 0) return;
    this.#changedAt = this.#parts.clock.now();
    this.#isCurrent = false;
    this.loop.wake();
  }

  shrink(): void {}

  left(watcher: Watcher): void {
    if (this.#latest instanceof WaitingResult) this.#latest.release(watcher);
  }

  /** One who joins later gets the result that others wait for or, if they have it, that of a run of its own. */
  #join(watcher: Watcher): void {
    const latest = this.#latest;
    if (latest instanceof WaitingResult && !latest.isFor(watcher) && !latest.keepFor(watcher))
      this.loop.hurry();
  }

  #isNew(watcher: Watcher): boolean {
    const latest = this.#latest;
    if (latest instanceof WaitingResult) return latest.isFor(watcher);
    return latest !== undefined && this.#seen.get(watcher) !== this.#version;
  }

  async #turn(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts;
    // One who has joined pays for the run that it needs.
    const joined = this.#unseen().find((each) => !this.#isNew(each));
    const watcher = joined ?? this.watchers.next();
    if (watcher === undefined) return false;
    // What happened before the first run is unknown.
    const isKnown = this.#version > 0 && !this.#isPolling;
    const isRepeated = isKnown && this.#isCurrent;
    this.#isCurrent = true;
    const notBefore = Math.max(this.#changedAt, isKnown ? 0 : clock.now() - watcher.intervalMs);
    try {
      const result = await runOnce(this.#parts, watcher.call, { notBefore, signal });
      const isIncomplete = result.readAt < notBefore;
      if (isIncomplete) this.#isCurrent = false;
      this.#payer = watcher;
      this.#tell(new WaitingResult(result, this.#parts.answers), isRepeated);
      return isIncomplete;
    } catch (error) {
      if (signal.aborted) return false;
      this.#isCurrent = false;
      if (failsOneOnly(error)) watcher.fail(error);
      else this.#tell({ error }, false);
      return true;
    }
  }

  /** Those who don't have the latest outcome. */
  #unseen(): readonly Watcher[] {
    if (this.#version === 0) return [];
    return [...this.watchers.all()].filter((watcher) => this.#seen.get(watcher) !== this.#version);
  }

  /** @param isRepeated whether only those need it who have joined since the last run */
  #tell(outcome: WaitingResult | { readonly error: unknown }, isRepeated: boolean): void {
    if (!isRepeated) this.#version += 1;
    const unseen = this.#unseen();
    const before = this.#latest;
    this.#latest = outcome;
    for (const watcher of unseen) {
      if (before instanceof WaitingResult) before.release(watcher);
      if (outcome instanceof WaitingResult) outcome.keepFor(watcher);
    }
    if (outcome instanceof WaitingResult) outcome.forgetUnused();
    this.watchers.tell();
  }
}

/** Yields rows once. Those who iterate hold what they got until they get more, which can be hours later: it is emptied. */
function* given(taken: Taken | undefined, { call }: Watcher): Generator<LiveOutcome, void> {
  if (taken === undefined) return;
  const rows = new ShownRows(call, taken.result);
  try {
    yield { rows };
  } finally {
    rows.forget();
    taken[Symbol.dispose]();
  }
}
