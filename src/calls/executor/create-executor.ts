import { availableParallelism } from 'node:os';
import { Keyv } from 'keyv';
import type { CacheBudget } from '../../base/memory/cache-budget.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import type { Engine } from '../../engines/engine/engine.ts';
import { packedRows } from '../../engines/rows/result-rows.ts';
import { Allowances } from './allowances/allowances.ts';
import type { SharedSpending } from './allowances/shared-spending.ts';
import { CachingExecutor } from './caching-executor.ts';
import { classJobs, classTimeouts, planningLimits, queryLimits } from './class-limits.ts';
import type { Entry, EntryStore } from './entries/entry-store.ts';
import { EntryTable } from './entry-table.ts';
import { Permits } from './flights/permits.ts';
import type { ExecutorMeter } from './meter.ts';
import { ScanLimits } from './scan-limits.ts';

/** The executor's memory. */
export interface CacheMemory {
  /** The memory budget of all tables that cache responses. */
  readonly budget: CacheBudget;
  readonly table: EntryTable;
}

export function cacheMemory({ results: budget }: Pick<MemoryBudgets, 'results'>): CacheMemory {
  return { budget, table: new EntryTable(budget) };
}

export interface ExecutorParts {
  readonly engine: Pick<
    Engine,
    'run' | 'stream' | 'estimate' | 'readsWanted' | 'usesAllProcessors' | 'dropSlices'
  >;
  readonly memory: CacheMemory;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
  /** The store shared with other replicas. If undefined, the process caches alone. */
  readonly sharedStore: EntryStore | undefined;
  /** Keeps what this process counts for its next run, if there is no store that is shared. */
  readonly spending?: SharedSpending | undefined;
  /** Wraps the entry store. */
  readonly wrapStore: (store: EntryStore) => EntryStore;
  readonly settings: Pick<
    Config,
    | 'maxConcurrentQueries'
    | 'maxQueuedQueries'
    | 'requestTimeoutMs'
    | 'exportTimeoutMs'
    | 'bigqueryKeyBytesPerDay'
    | 'queryClasses'
  >;
}

export function createExecutor(parts: ExecutorParts): CachingExecutor {
  const { engine, memory, clock, meter, sharedStore, spending, wrapStore, settings } = parts;
  const planning = Math.max(2, availableParallelism());
  return new CachingExecutor({
    engine,
    clock,
    meter,
    permits: new Permits(
      {
        permits: settings.maxConcurrentQueries,
        extra: Math.floor(settings.maxConcurrentQueries / 4),
        maxWaiting: settings.maxQueuedQueries,
        classes: queryLimits(settings, engine),
      },
      clock,
    ),
    planningPermits: new Permits(
      {
        permits: planning,
        maxWaiting: settings.maxQueuedQueries,
        classes: planningLimits(settings, planning),
      },
      clock,
    ),
    // Exports last as long as their clients take, and the engine keeps memory for each. A key may have only as many as it leaves
    // free.
    openExports: new Permits(
      {
        permits: Math.max(2, settings.maxConcurrentQueries),
        maxWaiting: settings.maxQueuedQueries,
        leavesFree: true,
      },
      clock,
    ),
    exportTimeoutMs: settings.exportTimeoutMs,
    allowances: new Allowances({
      ...{ clock, meter },
      keyBytesPerDay: settings.bigqueryKeyBytesPerDay,
      shared: sharedStore?.spending ?? spending,
    }),
    scanLimits: new ScanLimits({ engine, runTimeoutMs: settings.requestTimeoutMs }),
    runTimeoutMs: classTimeouts(settings),
    jobs: classJobs(settings),
    table: memory.table,
    store: wrapStore(sharedStore ?? localStore(memory.table)),
  });
}

/** A store for a single process: keyv over the process's own table, which bounds its size. */
function localStore(table: EntryTable): EntryStore {
  const keyv = new Keyv<Entry>({ store: tableAdapter(table), useKeyPrefix: false });
  // Entries stay objects.
  keyv.serialize = undefined;
  keyv.deserialize = undefined;
  return {
    async get({ key }) {
      const entry = await keyv.get<Entry>(key);
      return entry && { entry, rows: packedRows([entry.rows], entry.rowCount) };
    },
    set: (entry) => keyv.set(entry.key, entry, entry.keptUntil - entry.madeAt),
    lease: async () => undefined,
    invalidate: async () => 0,
    onInvalidate: () => {},
    close: async () => {},
  };
}

/** The table, in the form of a map that keyv can use. */
function tableAdapter(table: EntryTable) {
  return {
    get: (key: string) => {
      const cachedEntry = table.get(key);
      return cachedEntry && { value: cachedEntry.entry, expires: undefined };
    },
    // The executor puts entries into the table, with their accounts.
    set: () => {},
    delete: (key: string) => table.delete(key),
    has: (key: string) => table.peek(key) !== undefined,
    clear: () => void table.invalidate(() => true),
  };
}
