import type { Config } from '../../config.ts';
import { DuckDbEngine } from '../../engines/duckdb/duckdb-engine.ts';
import { MemoryGuard } from '../../engines/duckdb/memory-guard.ts';
import type { MoveProgress } from '../../engines/duckdb/store/move-old-rows.ts';
import { openStore } from '../../engines/duckdb/store/open-store.ts';
import { removeServerFile, writeServerFile } from '../../engines/duckdb/store/server-file.ts';
import { rowsOf } from '../../ingest/row-store.ts';
import type { Log } from '../../log.ts';
import type { Source } from '../../sources/source.ts';
import { collectGarbage, collectYoungGarbage } from './collect-garbage.ts';
import { countedMemory, mostMemory } from './memory-share.ts';
import type { OpenedEngine } from './opened-engine.ts';
import { putQueriesBehindEventLoop } from './query-threads.ts';

export type DuckDbConfig = Pick<
  Config,
  'dataDir' | 'duckdbMemoryLimit' | 'duckdbThreads' | 'duckdbTempLimit'
>;

export interface DuckDbHooks {
  /** What results take that may be used again. */
  readonly cachedBytes?: () => number;
  /** Called with the progress of a store's upgrade. */
  readonly onMove?: ((progress: MoveProgress) => void) | undefined;
}

/** Rows of one import that leave tens of megabytes of garbage. */
const manyRows = 10_000;

/**
 * Opens the store of the data folder and the embedded engine over it.
 *
 * @throws StoreError
 */
export async function openDuckDb(
  config: DuckDbConfig,
  sources: readonly Source[],
  log: Log,
  { cachedBytes = () => 0, onMove }: DuckDbHooks = {},
): Promise<OpenedEngine & Required<Pick<OpenedEngine, 'rows'>> & { readonly engine: DuckDbEngine }> {
  await using opened = new AsyncDisposableStack();
  const {
    dataDir,
    duckdbMemoryLimit: memoryLimit,
    duckdbThreads: threads,
    duckdbTempLimit: tempLimit,
  } = config;
  const store = await openStore({
    dataDir,
    sources,
    memoryLimit: countedMemory(memoryLimit),
    threads,
    tempLimit,
    log,
    onMove,
  });
  opened.defer(() => store.close());
  const memory = new MemoryGuard({
    mostBytes: () => mostMemory(memoryLimit, cachedBytes()),
    residentBytes: () => process.memoryUsage.rss(),
    collect: collectGarbage,
    collectPassing: collectYoungGarbage,
  });
  const engine = await DuckDbEngine.open({ store, memory, now: () => BigInt(Date.now()) * 1000n });
  opened.defer(() => engine.close());
  putQueriesBehindEventLoop();
  const rows = rowsOf(store);
  const closing = opened.move();
  return {
    engine,
    rows: {
      ...rows,
      async receive(source, body, options) {
        const received = await rows.receive(source, body, options);
        // The garbage of 100,000 rows is 250 MB (measured), which nothing would collect before the next load.
        if (received.imported >= manyRows) memory.relieve();
        return received;
      },
    },
    async announce({ url, token }) {
      await writeServerFile(dataDir, { pid: process.pid, url, token });
      return { [Symbol.asyncDispose]: () => removeServerFile(dataDir, process.pid) };
    },
    isLost: () => store.isLost,
    close: () => closing.disposeAsync(),
  };
}
