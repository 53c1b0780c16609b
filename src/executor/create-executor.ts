import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';
import type { EntryStore } from './cache/entry-store.ts';
import { EntryTable } from './cache/entry-table.ts';
import { localStore } from './cache/local-store.ts';
import { MemoryBudget } from './cache/memory-budget.ts';
import { CachingExecutor } from './caching-executor.ts';
import { type ExecutorMeter, noMeter } from './meter.ts';
import { RunQueue } from './run-queue.ts';

export interface ExecutorParts {
  readonly engine: Pick<Engine, 'run'>;
  readonly clock: Clock;
  readonly meter?: ExecutorMeter;
  /** What is shared with other replicas; without it, the process is by itself. */
  readonly sharedStore?: EntryStore;
  readonly settings: Pick<
    Config,
    'cacheMemoryMb' | 'maxConcurrentQueries' | 'maxQueuedQueries' | 'requestTimeoutMs'
  >;
}

/** The executor with everything that it holds in memory. */
export interface ExecutorWithMemory {
  readonly executor: CachingExecutor;
  readonly table: EntryTable;
  /** Shared by everything that keeps answers. */
  readonly budget: MemoryBudget;
}

export function createExecutor(parts: ExecutorParts): ExecutorWithMemory {
  const { engine, clock, meter = noMeter, sharedStore, settings } = parts;
  const budget = new MemoryBudget(settings.cacheMemoryMb * 1_000_000);
  const table = new EntryTable(budget);
  const executor = new CachingExecutor({
    engine,
    clock,
    meter,
    queue: new RunQueue({
      maxRunning: settings.maxConcurrentQueries,
      maxWaiting: settings.maxQueuedQueries,
    }),
    runTimeoutMs: settings.requestTimeoutMs,
    table,
    store: sharedStore ?? localStore(table),
  });
  return { executor, table, budget };
}
