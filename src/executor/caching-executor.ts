import type { EngineResult } from '../engines/engine.ts';
import type { Row } from '../sql/value.ts';
import { type Bodies, bodies } from './cache/bodies.ts';
import type { Entry } from './cache/entry.ts';
import type { DropFilter, EntryStore } from './cache/entry-store.ts';
import type { EntryTable, HeldEntry } from './cache/entry-table.ts';
import { isDropped } from './cache/is-dropped.ts';
import { packRows, unpackRows } from './cache/packed-rows.ts';
import { canStandIn } from './can-stand-in.ts';
import { type EngineRunsOptions, engineRuns } from './engine-runs.ts';
import type { CacheFacts, Executor, ExecutorCall, ExecutorResult } from './executor.ts';
import { type Flight, Flights } from './flights.ts';
import { endpointOfKey, type Question, questionOf } from './question.ts';

export interface CachingExecutorOptions extends EngineRunsOptions {
  readonly table: EntryTable;
  readonly store: EntryStore;
}

/** What a flight brings, for everybody on board. */
interface Made extends Pick<CacheFacts, 'madeAt' | 'freshUntil'> {
  /** Whether the rows were in the store. */
  readonly isStored: boolean;
  readonly rows: readonly Row[];
  readonly truncated: boolean;
  readonly engineMs: number;
  readonly bodies: Bodies;
  /** The entry that the rows are kept in, if they are. */
  readonly held?: HeldEntry;
}

/** How often a replica looks whether another one has made the result, in milliseconds. */
const pollMs = 25;

/**
 * Answers from the cache where it may, and otherwise runs the query once for everybody who asks the same at the same
 * time: in this process and, with a shared store, in all replicas.
 */
export class CachingExecutor implements Executor {
  readonly #options: CachingExecutorOptions;
  readonly #run: (question: Question, flight: Flight) => Promise<EngineResult>;
  readonly #flights = new Flights<Made>();
  /** The keys of what is being made, by flight: a drop meanwhile is about it, too. */
  readonly #making = new Map<Flight, string>();
  #isServed: (key: string) => boolean = () => true;

  constructor(options: CachingExecutorOptions) {
    this.#options = options;
    this.#run = engineRuns(options);
    options.store.onDrop((filter) => this.#forget(filter));
  }

  async execute(call: ExecutorCall): Promise<ExecutorResult> {
    const { table, clock, meter } = this.#options;
    const question = questionOf(call);
    const { endpoint, key } = question;
    const isCached = endpoint.cacheSeconds > 0;
    if (isCached) {
      const held = table.get(key);
      if (held !== undefined) held.askedAt = clock.now();
      if (held !== undefined && held.askedAt < held.entry.freshUntil) {
        meter.cacheRequest(endpoint.name, 'hit');
        return heldResult(question, held, 'hit');
      }
    }
    const collapsed = this.#flights.has(key);
    if (collapsed) meter.collapsed(endpoint.name);
    try {
      const passenger = { signal: call.signal, isUrgent: true };
      const made = await this.#flights.join(key, passenger, (flight) =>
        isCached ? this.#obtain(question, flight) : this.#makeOnce(question, flight),
      );
      const status = !isCached ? 'off' : made.isStored ? 'hit' : 'miss';
      meter.cacheRequest(endpoint.name, status);
      return madeResult(question, made, { status, collapsed });
    } catch (error) {
      const held = isCached && canStandIn(error) ? table.peek(key) : undefined;
      if (held === undefined || clock.now() >= held.entry.keptUntil) throw error;
      meter.cacheRequest(endpoint.name, 'stale');
      return heldResult(question, held, 'stale');
    }
  }

  /**
   * Makes a result anew for nobody in particular, unless another replica has done so since.
   *
   * @returns whether it was made here
   */
  async refresh(call: ExecutorCall): Promise<boolean> {
    const question = questionOf(call);
    const olderThan = this.#options.table.peek(question.key)?.entry.madeAt ?? Number.NEGATIVE_INFINITY;
    const passenger = { signal: call.signal, isUrgent: false };
    const made = await this.#flights.join(question.key, passenger, (flight) =>
      this.#obtain(question, flight, olderThan),
    );
    return !made.isStored;
  }

  /** Forgets entries, here and in all replicas, and gives how many. What is being made at this moment isn't kept either. */
  async drop(filter: DropFilter): Promise<number> {
    const here = this.#forget(filter);
    const inStore = await this.#options.store.drop(filter);
    return Math.max(here, inStore);
  }

  /**
   * From now on, keeps results of these versions of endpoints only, and forgets those of all others.
   *
   * @param versions by the endpoints' ids
   */
  retain(versions: ReadonlyMap<string, string>): void {
    this.#isServed = (key) => {
      const { id, version } = endpointOfKey(key);
      return versions.get(id) === version;
    };
    this.#options.table.drop(({ entry }) => !this.#isServed(entry.key));
  }

  #forget(filter: DropFilter): number {
    const isMeant = (key: string) => isDropped(key, filter);
    for (const [flight, key] of this.#making) if (isMeant(key)) this.#making.delete(flight);
    this.#flights.detach(isMeant);
    return this.#options.table.drop(({ entry }) => isMeant(entry.key)).length;
  }

  /**
   * The result of a cached endpoint, from the store or from the engine. While another replica makes it, waits for that.
   *
   * @param olderThan entries that were made at this time or before aren't taken
   */
  async #obtain(question: Question, flight: Flight, olderThan = Number.NEGATIVE_INFINITY): Promise<Made> {
    const { store, clock } = this.#options;
    for (;;) {
      const before = await this.#fromStore(question, olderThan);
      if (before !== undefined) return before;
      const lease = await store.lease(question.key);
      flight.signal.throwIfAborted();
      if (lease === 'taken') {
        await clock.sleep(pollMs, flight.signal);
        continue;
      }
      if (lease === undefined) return this.#makeAndKeep(question, flight, async () => {});
      // Between the look into the store and the lease, another replica may have ended its run.
      const meanwhile = await this.#fromStore(question, olderThan);
      if (meanwhile === undefined) return this.#makeAndKeep(question, flight, lease.release);
      await lease.release();
      return meanwhile;
    }
  }

  async #fromStore(question: Question, olderThan: number): Promise<Made | undefined> {
    const { store, table, clock } = this.#options;
    const stored = await store.get(question);
    if (stored === undefined || !this.#isServed(question.key)) return undefined;
    const { entry, rows } = stored;
    if (entry.madeAt <= olderThan) return undefined;
    // An entry that is too old is held as well: it can stand in, when no new one can be made.
    const held = table.put(entry, clock.now());
    return clock.now() < entry.freshUntil
      ? { ...entry, isStored: true, rows, bodies: held.bodies, held }
      : undefined;
  }

  /** @param done called when the result is in the store, for others to find, or won't be */
  async #makeAndKeep(question: Question, flight: Flight, done: () => Promise<void>): Promise<Made> {
    const { key } = question;
    this.#making.set(flight, key);
    let kept: Promise<unknown> = Promise.resolve();
    try {
      const made = await this.#makeOnce(question, flight);
      const entry = await this.#entryOf(question, made);
      if (!this.#making.has(flight) || !this.#isServed(key)) return made;
      const held = this.#options.table.put(entry, entry.madeAt);
      // Callers don't wait until it is there.
      kept = this.#options.store.set(entry);
      return { ...made, ...entry, rows: made.rows, bodies: held.bodies, held };
    } finally {
      this.#making.delete(flight);
      kept.then(done);
    }
  }

  async #entryOf({ key, endpoint }: Question, { rows, truncated, engineMs, madeAt }: Made): Promise<Entry> {
    const freshUntil = madeAt + endpoint.cacheSeconds * 1000;
    return {
      key,
      rows: await packRows(rows),
      rowCount: rows.length,
      truncated,
      engineMs,
      madeAt,
      freshUntil,
      keptUntil: freshUntil + endpoint.staleIfErrorSeconds * 1000,
    };
  }

  async #makeOnce(question: Question, flight: Flight): Promise<Made> {
    const { rows, truncated, engineMs } = await this.#run(question, flight);
    const now = this.#options.clock.now();
    return { isStored: false, rows, truncated, engineMs, madeAt: now, freshUntil: now, bodies: bodies() };
  }
}

function madeResult(
  { plan: { columns } }: Question,
  { isStored, rows, truncated, engineMs, bodies, held, madeAt, freshUntil }: Made,
  facts: Pick<CacheFacts, 'status' | 'collapsed'>,
): ExecutorResult {
  return {
    columns,
    truncated,
    engineMs: isStored ? 0 : engineMs,
    rows: async () => rows,
    bodies,
    cache: { ...facts, madeAt, freshUntil },
    ...(held && { held }),
  };
}

function heldResult(
  { plan: { columns } }: Question,
  held: HeldEntry,
  status: 'hit' | 'stale',
): ExecutorResult {
  const { entry, bodies } = held;
  return {
    columns,
    truncated: entry.truncated,
    engineMs: 0,
    rows: () => unpackRows(entry.rows, columns),
    bodies,
    cache: { status, collapsed: false, madeAt: entry.madeAt, freshUntil: entry.freshUntil },
    held,
  };
}
