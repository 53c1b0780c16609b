import { readConfig } from '../src/app/engines/registry.ts';
import { loadSchema, loadSourceSchemas } from '../src/app/schema/load-schema.ts';
import { sourceCatalog } from '../src/app/schema/source-catalog.ts';
import type { CacheBudget } from '../src/base/memory/cache-budget.ts';
import { systemClock } from '../src/base/system/clock.ts';
import { plainLog } from '../src/base/terminal/log.ts';
import { cacheMemory } from '../src/calls/executor/create-executor.ts';
import type { Executor } from '../src/calls/executor/executor.ts';
import { PlannerThread } from '../src/calls/planner/planner-thread.ts';
import { type AdHocSql, adHocSql } from '../src/calls/sandbox/ad-hoc-sql.ts';
import { type EndpointCatalog, endpointCatalog } from '../src/definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../src/definitions/settings/config.ts';
import { memoryBudgets } from '../src/definitions/settings/memory-budgets.ts';
import { DuckDbEngine } from '../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../src/engines/duckdb/store/store.ts';
import type { GatewayMetrics } from '../src/server/observability/metrics/gateway-metrics.ts';
import { analyzerSettings } from '../src/sql/analyzer/settings.ts';
import { localExecutor } from '../test/support/local-executor.ts';
import { metricsOf } from '../test/support/metrics.ts';
import { type Counts, readCounts } from './counts.ts';
import { recordingStore } from './statement-recorder.ts';

/** The parts of a gateway below the listener, in this process and with default settings. */
export interface BenchGateway extends AsyncDisposable {
  readonly store: Store;
  /** Nothing is cached unless `cacheSeconds` is set: every call runs on the engine. */
  readonly endpoints: EndpointCatalog;
  readonly queries: AdHocSql;
  readonly executor: Executor;
  readonly metrics: GatewayMetrics;
  /** Counters from the metrics. */
  counts(): Promise<Counts>;
  /** The SQL with which DuckDB read the rows of results, in order. */
  readonly statements: readonly string[];
  /** The number of texts that were planned. */
  plannings(): number;
}

export interface BenchGatewayOptions {
  readonly dataDir: string;
  /** The current time for queries, in microseconds since the epoch. */
  readonly now: bigint;
  /** How long results are reused, in seconds; 0 by default. */
  readonly cacheSeconds?: number;
  /** The memory of plans of ad-hoc queries; by default, as in a gateway. */
  readonly plans?: CacheBudget;
}

/** Opens a store and the gateway's parts around it. */
export async function openGateway(options: BenchGatewayOptions): Promise<BenchGateway> {
  const { dataDir, now, cacheSeconds = 0, plans } = options;
  const config = readConfig({ DATA_DIR: dataDir });
  await using opened = new AsyncDisposableStack();
  const settings = analyzerSettings(config);
  const planner = new PlannerThread({ settings, clock: systemClock, log: plainLog(console.error) });
  opened.defer(() => planner.close());
  const sources = await loadSourceSchemas(config);
  const store = await openStore({
    dataDir,
    sources,
    memoryLimit: config.duckdbMemoryLimit,
    threads: config.duckdbThreads,
  });
  opened.defer(() => store.close());
  const recording = recordingStore(store);
  const engine = await DuckDbEngine.open({ store: recording, now: () => now });
  opened.defer(() => engine.close());
  const { endpoints } = await loadSchema(config, planner, sources, (plan) => engine.prepare(plan));
  const { memory, metrics, counts } = cacheAndMetrics(config, engine.name);
  let plannings = 0;
  const resources = opened.move();
  return {
    store,
    endpoints: endpointCatalog(endpoints.map((endpoint) => ({ ...endpoint, cacheSeconds }))),
    queries: adHocSql({
      planText(text) {
        plannings++;
        return planner.planAdHocQuery(text);
      },
      catalog: sourceCatalog(sources),
      checkPlan: (plan) => engine.prepare(plan),
      ...(plans && { plans }),
    }),
    executor: localExecutor({
      engine,
      memory,
      clock: systemClock,
      meter: metrics.executor,
      settings: config,
    }),
    metrics,
    counts,
    statements: recording.statements,
    plannings: () => plannings,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A gateway's cache memory, and metrics whose counters can be read. */
export function cacheAndMetrics(config: Config, engine: string) {
  const memory = cacheMemory(memoryBudgets(config));
  const metrics = metricsOf({
    engine,
    cachedEntries: () => memory.table.size,
    cachedBytes: () => memory.budget.bytes,
  });
  return { memory, metrics, counts: async () => readCounts(await metrics.text()) };
}
