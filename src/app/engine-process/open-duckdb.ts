import { bytesOf } from '../../base/forms/bytes.ts';
import { collectGarbage, collectYoungGarbage } from '../../base/system/collect-garbage.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { TimeLimits } from '../../definitions/settings/ingest-settings.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { MemoryGuard } from '../../engines/duckdb/guard/memory-guard.ts';
import { DuckDbEngine } from '../../engines/duckdb/run/duckdb-engine.ts';
import { sourceName } from '../../engines/duckdb/run/emit-context.ts';
import { Slices } from '../../engines/duckdb/slices/slices.ts';
import { openStore } from '../../engines/duckdb/store/open-store.ts';
import type { SourcePlan } from '../../engines/duckdb/store/source-plan.ts';
import type { OnRowChanges } from '../../engines/engine/row-changes.ts';
import { type RowRemover, storeRemover } from '../../rows/deletion/row-remover.ts';
import { acceptedTimes } from '../../rows/ingest/encode/accepted-times.ts';
import { defaultEventLimits } from '../../rows/ingest/events/event-request.ts';
import { type RowStore, rowsOf } from '../../rows/ingest/row-store.ts';
import { EventThreads } from '../../rows/ingest/threads/event-threads.ts';

/**
 * Memory that the process takes beyond what DuckDB counts under ordinary load, in bytes: programs, V8's heap, rows in
 * transfer (measured).
 */
const ownMemory = 230e6;

/**
 * DuckDB counts only part of its memory. Lists, hash tables and freed memory that isn't returned come on top, up to a
 * third of what is counted (measured with queries that take all they get).
 */
const countedPart = 0.72;

/** DuckDB's share of a small limit: with less, ordinary queries fail. */
const leastPart = 0.4;

/**
 * The `memory_limit` for DuckDB, given the memory limit of its process. What queries take beyond it shows in the
 * process's memory (`memory-guard.ts`).
 *
 * @returns the limit in DuckDB's syntax
 */
export function countedMemory(limitBytes: number): string {
  const bytes = Math.max(limitBytes * leastPart, (limitBytes - ownMemory) * countedPart);
  return `${Math.floor(bytes / 1e3)}KB`;
}

/** Settings of the embedded engine. */
export interface DuckDbSettings {
  /** The folder of the store. */
  readonly dataDir: string;
  readonly sources: readonly Source[];
  /** What goes with its values when the store is opened: see `StoreOptions.drop`. */
  readonly drop?: readonly string[];
  /** Memory limit of the process, such as `2GB`. */
  readonly memoryLimit: string;
  readonly threads: number;
  readonly tempLimit?: string | undefined;
  /** Memory for slices, in bytes; none by default. */
  readonly sliceBytes?: number;
  /** Maximum number of fields of a source to which events can add fields. */
  readonly maxFields: number;
  readonly times: TimeLimits;
  /** After how many days rows are deleted, for sources that don't say it themselves; undefined to keep them. */
  readonly retentionDays?: number | undefined;
  /** Free bytes of the disk below which rows are refused, if more than usual. */
  readonly reservedBytes?: number | undefined;
}

interface DuckDbHooks {
  readonly log: Log;
  /** Called after each commit that added or removed rows. */
  readonly onChange?: OnRowChanges | undefined;
  /** The clock of queries, in microseconds since the epoch: by default, that of the system. */
  readonly now?: (() => bigint) | undefined;
}

const systemNow = () => BigInt(Date.now()) * 1000n;

/** The embedded engine over its store, both in this process. */
export interface OpenedDuckDb {
  readonly engine: DuckDbEngine;
  readonly rows: RowStore;
  readonly remover: RowRemover;
  /** See `Store.useSources`. */
  useSources(sources: readonly Source[], drop?: readonly string[]): Promise<void>;
  /** See `Store.planSources`. */
  planSources(sources: readonly Source[], drop?: readonly string[]): Promise<readonly SourcePlan[]>;
  /** Whether the store has failed, so that it must be reopened. */
  hasFailed(): boolean;
  close(): Promise<void>;
}

/** An import of this many rows leaves tens of megabytes of garbage. */
const manyRows = 10_000;

/**
 * Opens the store of a data folder and the embedded engine over it.
 *
 * @throws StoreError
 */
export async function openDuckDb(
  { memoryLimit, tempLimit, sliceBytes = 0, ...settings }: DuckDbSettings,
  { log, onChange, now = systemNow }: DuckDbHooks,
): Promise<OpenedDuckDb> {
  const limitBytes = bytesOf(memoryLimit) ?? 0;
  await using opened = new AsyncDisposableStack();
  const store = await openStore({
    ...settings,
    memoryLimit: countedMemory(limitBytes),
    maxFutureSeconds: settings.times.maxFutureSeconds,
    ...(tempLimit !== undefined && { tempLimit }),
    log,
    onChange,
  });
  opened.defer(() => store.close());
  const memory = new MemoryGuard({
    maxBytes: () => limitBytes,
    residentBytes: () => process.memoryUsage.rss(),
    collect: collectGarbage,
    collectYoung: collectYoungGarbage,
  });
  const slices =
    sliceBytes === 0
      ? undefined
      : await Slices.open({
          ...{ store, now, sourceName, maxBytes: sliceBytes, elapsed: () => performance.now() },
          onFailure: (error) => log.warn('a query has failed with slices', { error: String(error) }),
        });
  const engine = await DuckDbEngine.open({ store, memory, now, ...(slices && { slices }) });
  opened.defer(() => engine.close());
  const threads = new EventThreads({
    isLowered: true,
    limits: { ...defaultEventLimits, maxFields: settings.maxFields, times: settings.times },
  });
  opened.defer(() => threads.close());
  const rows = rowsOf(store, {
    parse: (...body) => threads.parse(...body),
    times: () => acceptedTimes(settings.times, systemNow()),
  });
  const closing = opened.move();
  return {
    engine,
    rows: {
      ...rows,
      async receive(source, body, options) {
        const received = await rows.receive(source, body, options);
        // 100,000 rows leave 250 MB of garbage (measured), which nothing would collect before the next load.
        if (received.imported >= manyRows) memory.relieve();
        return received;
      },
    },
    useSources: (sources, drop) => store.useSources(sources, drop),
    planSources: (sources, drop) => store.planSources(sources, drop),
    remover: storeRemover(store, engine),
    hasFailed: () => store.hasFailed,
    close: () => closing.disposeAsync(),
  };
}
