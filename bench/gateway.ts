import { analyzerSettings, loadSchema, loadSourceSchemas, sourceCatalog } from '../src/cli/load-schema.ts';
import { readConfig } from '../src/config.ts';
import { type EndpointCatalog, endpointCatalog } from '../src/endpoints/endpoint-catalog.ts';
import { DuckDbEngine } from '../src/engines/duckdb/duckdb-engine.ts';
import { openStore } from '../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../src/engines/duckdb/store/store.ts';
import { type CallerQueries, callerQueries } from '../src/sandbox/caller-queries.ts';
import { Analyzer } from '../src/sql/analyzer/analyzer.ts';

/** What the gateway is made of, as far as the listener, in this process and with the default settings. */
export interface BenchGateway extends AsyncDisposable {
  readonly store: Store;
  readonly engine: DuckDbEngine;
  readonly endpoints: EndpointCatalog;
  readonly queries: CallerQueries;
  /** The SQL that the engine ran last. */
  readonly lastSql: () => string;
}

/** Opens a store with everything around it. `now` is the wall clock that queries see. */
export async function openGateway(dataDir: string, now: () => bigint): Promise<BenchGateway> {
  const config = readConfig({ DATA_DIR: dataDir });
  await using opened = new AsyncDisposableStack();
  const analyzer = await Analyzer.start(analyzerSettings(config));
  opened.defer(() => analyzer.close());
  const sources = await loadSourceSchemas(config);
  const store = await openStore({
    dataDir,
    sources,
    memoryLimit: config.duckdbMemoryLimit,
    threads: config.duckdbThreads,
  });
  opened.defer(() => store.close());
  const recording = recordingStore(store);
  const engine = await DuckDbEngine.open({ store: recording, now });
  opened.defer(() => engine.close());
  const { endpoints } = await loadSchema(config, analyzer, sources, (plan) => engine.check(plan));
  const resources = opened.move();
  return {
    store,
    engine,
    endpoints: endpointCatalog(endpoints),
    queries: callerQueries({
      analyzer,
      catalog: sourceCatalog(sources),
      checkPlan: (plan) => engine.check(plan),
    }),
    lastSql: recording.lastSql,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function recordingStore(
  store: Store,
): Pick<Store, 'connect' | 'read' | 'sources'> & { lastSql: () => string } {
  let last = '';
  const connect = async () => {
    const connection = await store.connect();
    const { runAndReadAll } = connection;
    connection.runAndReadAll = (sql, ...rest) => {
      last = sql;
      return runAndReadAll.call(connection, sql, ...rest);
    };
    return connection;
  };
  const read: Store['read'] = (connection, task) => store.read(connection, task);
  return { connect, read, sources: store.sources, lastSql: () => last };
}
