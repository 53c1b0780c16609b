import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { AllowanceSpent } from '../executor/allowances/allowance-spent.ts';
import type { CachingExecutor } from '../executor/caching-executor.ts';
import { type KeyedQuery, warmedQueryOf } from '../executor/entries/query-key.ts';
import type { CachedEntry, EntryTable } from '../executor/entry-table.ts';
import type { ExecutorMeter } from '../executor/meter.ts';
import { BackgroundRuns } from './background-runs.ts';
import { Schedule } from './schedule.ts';

/** The margin for a longer run than the last one, in milliseconds. */
const slackMs = 200;
/** The part of the interval over which runs are spread, and its maximum. */
const spread = 0.05;
const maxSpreadMs = 5_000;

/** An entry that is refreshed at intervals. */
interface RefreshedEntry {
  /** When its rows were complete, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** How long the engine worked for its rows. */
  readonly engineMs: number;
}

/**
 * When to refresh an entry so that its new rows are complete before the old ones reach the age of the interval. This allows
 * for a run as long as the last one, counted from its start, when it read its rows. Entries made at the same time get
 * different due times.
 *
 * @param jitter from 0 to 1
 */
export function dueTime({ madeAt, engineMs }: RefreshedEntry, intervalMs: number, jitter: number): number {
  const early = 2 * engineMs + slackMs + jitter * Math.min(spread * intervalMs, maxSpreadMs);
  // Otherwise, a run that takes as long as the interval would never pause.
  return madeAt + intervalMs - Math.min(early, intervalMs / 2);
}

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/**
 * The wait after consecutive failures: it doubles each time, up to half the interval.
 *
 * @param failures from 1
 * @param jitter from 0 to 1
 */
export function retryDelay(failures: number, intervalMs: number, jitter: number): number {
  const first = Math.min(firstRetryMs, intervalMs / 4);
  const delay = Math.min(first * 2 ** (failures - 1), maxRetryMs, intervalMs / 2);
  return delay * (1 - jitter / 4);
}

interface WarmerOptions {
  readonly executor: Pick<CachingExecutor, 'refresh'>;
  readonly table: EntryTable;
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
  readonly meter: Pick<ExecutorMeter, 'warmRun'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Results that are refreshed at the same time. */
  readonly maxRunning: number;
}

/** A query whose result is always refreshed, whether callers ask for it or not. */
interface Pin {
  readonly keyedQuery: KeyedQuery;
  /** When to compute it if it is missing, in milliseconds since the epoch. */
  dueAt: number;
  failures: number;
}

/** A result to refresh, and where its next due time is recorded. */
interface DueItem {
  readonly keyedQuery: KeyedQuery;
  readonly state: Pin | CachedEntry;
}

/** How often to check for due results, in milliseconds. */
const tickMs = 100;
/** Pause before retrying a result in flight elsewhere, in milliseconds. */
const busyMs = 100;
/** How often to check whether callers ask for a retired result again, in milliseconds. */
const retiredMs = 1_000;

/**
 * Refreshes results in the background before they reach the age `warmSeconds`, as long as callers ask for them, and removes
 * expired ones.
 */
export class Warmer {
  readonly #options: WarmerOptions;
  readonly #schedule = new Schedule<CachedEntry>();
  readonly #runs: BackgroundRuns<DueItem>;
  #pins: ReadonlyMap<string, Pin> = new Map();
  #timer: { cancel(): void } | undefined;

  constructor(options: WarmerOptions) {
    this.#options = options;
    this.#runs = new BackgroundRuns(options.maxRunning, (item, signal) => this.#refresh(item, signal));
    options.table.watch({
      inserted: (cachedEntry) => this.#plan(cachedEntry),
      removed: (cachedEntry) => {
        this.#schedule.delete(cachedEntry);
        this.#runs.remove(cachedEntry.entry.key);
      },
    });
  }

  /** Starts. Nothing runs before. */
  start(): void {
    this.#tick();
  }

  /** Sets the current endpoints: their `warm` sets are made, and runs of other versions are aborted. */
  use(endpoints: readonly Endpoint[]): void {
    const served = new Set(endpoints.map(({ id, version }) => `${id} ${version}`));
    this.#runs.abort(({ endpoint: { id, version } }) => !served.has(`${id} ${version}`));
    const queries = endpoints.flatMap((endpoint) =>
      endpoint.warm.map((parameters) => warmedQueryOf(endpoint, parameters)),
    );
    this.#pins = new Map(
      queries.map((keyedQuery) => [
        keyedQuery.key,
        this.#pins.get(keyedQuery.key) ?? { keyedQuery, dueAt: 0, failures: 0 },
      ]),
    );
  }

  /** Stops everything at once. */
  close(): void {
    this.#timer?.cancel();
    this.#runs.abort(() => true);
  }

  #plan(cachedEntry: CachedEntry): void {
    const { entry, keyedQuery } = cachedEntry;
    if (keyedQuery === undefined) {
      this.#schedule.set(cachedEntry, entry.keptUntil);
    } else {
      cachedEntry.dueAt ??= dueTime(entry, keyedQuery.endpoint.warmSeconds * 1000, this.#options.random());
      this.#schedule.set(cachedEntry, Math.min(cachedEntry.dueAt, entry.keptUntil));
    }
  }

  #tick(): void {
    const { clock, table } = this.#options;
    const now = clock.now();
    for (const cachedEntry of this.#schedule.take(now)) this.#check(cachedEntry, now);
    for (const pin of this.#pins.values()) {
      const { keyedQuery, dueAt } = pin;
      if (dueAt <= now && table.peek(keyedQuery.key) === undefined)
        this.#runs.add({ keyedQuery, state: pin });
    }
    this.#timer = clock.after(tickMs, () => this.#tick());
  }

  #check(cachedEntry: CachedEntry, now: number): void {
    const { entry, keyedQuery, askedAt } = cachedEntry;
    if (now >= entry.keptUntil) {
      this.#options.table.delete(entry.key);
    } else if (keyedQuery === undefined) {
      this.#plan(cachedEntry);
    } else if (now - askedAt < keyedQuery.endpoint.cacheSeconds * 1000 || this.#pins.has(entry.key)) {
      this.#runs.add({ keyedQuery, state: cachedEntry });
    } else {
      this.#schedule.set(cachedEntry, Math.min(now + retiredMs, entry.keptUntil));
    }
  }

  async #refresh({ keyedQuery, state }: DueItem, signal: AbortSignal): Promise<void> {
    const { executor, table, clock, random, meter } = this.#options;
    const { endpoint, key } = keyedQuery;
    const isPin = !('entry' in state);
    // A caller may have made it in the meantime.
    if (table.peek(key) !== (isPin ? undefined : state)) return;
    const intervalMs = endpoint.warmSeconds * 1000;
    try {
      const outcome = await executor.refresh(keyedQuery, signal);
      state.failures = 0;
      // A result that is too large to cache isn't made again and again.
      state.dueAt = clock.now() + (outcome === 'busy' ? busyMs : intervalMs);
      if (outcome === 'made') meter.warmRun(endpoint.name, 'success');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AllowanceSpent) {
        // Not a failure: the budget is spent, and there may be a new one at the next due time.
        state.dueAt = clock.now() + intervalMs;
      } else {
        state.failures++;
        state.dueAt = clock.now() + retryDelay(state.failures, intervalMs, random());
        meter.warmRun(endpoint.name, 'error');
        this.#report(error, endpoint, isPin && state.failures === 1);
      }
    }
    if (!isPin && table.peek(key) === state) this.#plan(state);
  }

  /** Engine failures are counted here, and reported to callers when they meet them. Anything else is a defect. */
  #report(error: unknown, { name }: Endpoint, isFirstOfPin: boolean): void {
    const { log } = this.#options;
    if (!(error instanceof GatewayError)) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error('a result could not be refreshed', { endpoint: name, cause });
    } else if (isFirstOfPin) {
      log.warn('a warm result could not be computed', { endpoint: name, code: error.code });
    }
  }
}
