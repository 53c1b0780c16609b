import { randomBytes } from 'node:crypto';
import { everyScope, keyAccess } from '../access/access.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { LiveCatalog } from '../endpoints/live-catalog.ts';
import { DuckDbEngine } from '../engines/duckdb/duckdb-engine.ts';
import { regexpMistake } from '../engines/duckdb/functions-in-js/regexp/mistake.ts';
import { openStore } from '../engines/duckdb/store/open-store.ts';
import { removeServerFile, writeServerFile } from '../engines/duckdb/store/server-file.ts';
import type { Store } from '../engines/duckdb/store/store.ts';
import type { DropFilter } from '../executor/cache/entry-store.ts';
import { openRedisStore } from '../executor/cache/redis/redis-store.ts';
import { cacheMemory, createExecutor } from '../executor/create-executor.ts';
import { Warmer } from '../executor/warming/warmer.ts';
import { receiveRows } from '../ingest/receive.ts';
import type { Log } from '../log.ts';
import { gatewayMetrics } from '../metrics/gateway-metrics.ts';
import { callerQueries } from '../sandbox/caller-queries.ts';
import { ownQueries } from '../sandbox/own-query.ts';
import { createGateway } from '../server/gateway.ts';
import { Analyzer } from '../sql/analyzer/analyzer.ts';
import {
  analyzerSettings,
  type LoadedSchema,
  loadSchema,
  loadSourceSchemas,
  sourceCatalog,
} from './load-schema.ts';
import { schemaFiles } from './reload/schema-files.ts';
import { type ReloadHooks, startReloading } from './reload/start-reloading.ts';

export interface RunningGateway {
  readonly url: string;
  /** The key with every right: API_KEY, or one made for this run. */
  readonly key: string;
  readonly keyIsRandom: boolean;
  readonly endpoints: readonly Endpoint[];
  readonly store: Store;
  /** Stops taking requests, lets those under way finish for a while, and ends everything that was started. */
  close(): Promise<void>;
}

export interface GatewayHooks {
  readonly log: Log;
  /** Without it, endpoints stay as they are. */
  readonly reload?: ReloadHooks;
  /** Called with the open store before requests are taken; the demo fills it here. */
  readonly prepareStore?: (store: Store) => Promise<void>;
}

/**
 * Starts everything that answering requests takes: the analyzer, the store, the endpoints, the listener.
 * What had been started is stopped again when a later step fails.
 *
 * @throws ProblemsError, StoreError, and whatever listening fails with
 */
export async function runGateway(
  config: Config,
  { log, reload, prepareStore }: GatewayHooks,
): Promise<RunningGateway> {
  await using started = new AsyncDisposableStack();
  const analyzerStart = Analyzer.start(analyzerSettings(config));
  // Awaited below; a failure before that is none that nobody handles.
  analyzerStart.catch(() => {});
  started.defer(async () => (await analyzerStart.catch(() => undefined))?.close());
  const { redisUrl, cacheNamespace: namespace } = config;
  const sharedStore =
    redisUrl === undefined
      ? undefined
      : openRedisStore({ url: redisUrl, namespace, clock: systemClock, log });
  started.defer(() => sharedStore?.close());
  const files = await schemaFiles(config);
  const sources = await loadSourceSchemas(config);
  const store = await openStore({
    dataDir: config.dataDir,
    sources,
    memoryLimit: config.duckdbMemoryLimit,
    threads: config.duckdbThreads,
    log,
  });
  started.defer(() => store.close());
  const engine = await DuckDbEngine.open({
    store,
    now: () => BigInt(Date.now()) * 1000n,
  });
  started.defer(() => engine.close());
  const analyzer = await analyzerStart;
  const load = (before: readonly Endpoint[]) =>
    loadSchema(config, analyzer, sources, (plan) => engine.check(plan), before);
  const { endpoints, shape } = await load([]);
  await prepareStore?.(store);

  const key = config.apiKey ?? `gw_${randomBytes(18).toString('base64url')}`;
  const importToken = randomBytes(24).toString('base64url');
  const access = keyAccess([
    { name: 'API_KEY', secret: key, scopes: everyScope },
    { name: 'import', secret: importToken, scopes: new Set(['rows:write']) },
  ]);
  const memory = cacheMemory(config);
  const metrics = gatewayMetrics({
    engine: engine.name,
    cachedEntries: () => memory.table.size,
    cachedBytes: () => memory.budget.bytes,
  });
  const executor = createExecutor({
    engine,
    memory,
    clock: systemClock,
    meter: metrics.executor,
    ...(sharedStore && { sharedStore }),
    settings: config,
  });
  const warmer = new Warmer({
    executor,
    table: memory.table,
    clock: systemClock,
    random: Math.random,
    meter: metrics.executor,
    log,
    maxRunning: config.warmConcurrency,
  });
  const catalog = new LiveCatalog(endpoints);
  const drop = (filter: DropFilter) => executor.drop(filter);
  const server = createGateway({
    access,
    endpoints: catalog,
    shape,
    executor,
    ownQueries: ownQueries(
      callerQueries({ analyzer, catalog: sourceCatalog(sources), checkPlan: (plan) => engine.check(plan) }),
      regexpMistake,
    ),
    dropEntries: drop,
    memory,
    clock: systemClock,
    metrics,
    receiveRows: (source, body, options) => receiveRows(store, source, body, options),
    log,
    config,
  });
  const useEndpoints = (current: readonly Endpoint[]) => {
    catalog.replace(current);
    executor.retain(new Map(current.map(({ id, version }) => [id, version])));
    warmer.use(current);
  };
  useEndpoints(endpoints);
  started.defer(() => server.close());
  const { url } = await server.listen(config);
  await writeServerFile(config.dataDir, { pid: process.pid, url, token: importToken });
  started.defer(() => removeServerFile(config.dataDir, process.pid));

  warmer.start();
  started.defer(() => warmer.close());
  const apply = (loaded: LoadedSchema) => {
    server.useShape(loaded.shape);
    useEndpoints(loaded.endpoints);
  };
  const reloading =
    reload &&
    startReloading(
      { folders: config, files, load: () => load(catalog.endpoints), apply, drop, clock: systemClock, log },
      reload,
    );
  started.defer(() => reloading?.close());

  const running = started.move();
  return {
    url,
    key,
    keyIsRandom: config.apiKey === undefined,
    endpoints,
    store,
    close: () => running.disposeAsync(),
  };
}
