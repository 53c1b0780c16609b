import { join } from 'node:path';
import { formatProblem, type Problem } from '../../base/errors/problem.ts';
import { LoopMonitor } from '../../base/loop/loop-monitor.ts';
import { removeOrphanedFolders } from '../../base/processes/private-folder.ts';
import { redisPlace } from '../../base/redis/redis-address.ts';
import { systemClock } from '../../base/system/clock.ts';
import { returnGarbage } from '../../base/system/collect-garbage.ts';
import type { Log } from '../../base/terminal/log.ts';
import { FileSpending } from '../../calls/executor/allowances/file-spending.ts';
import { cacheMemory } from '../../calls/executor/create-executor.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { type Config, ConfigError } from '../../definitions/settings/config.ts';
import { budgetStates, memoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { loadSources } from '../../definitions/sources/load-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceChanges } from '../../definitions/sources/source-changes.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import { unstorableColumns } from '../../engines/duckdb/store/tables/source-table.ts';
import { unavailableProblems } from '../../engines/duckdb/store/unavailable-problems.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { RejectedFile } from '../../server/collectors/rejected-file.ts';
import { readBuiltFiles } from '../../server/console/console-handler.ts';
import { buildSchema } from '../../server/graphql/schema/build-schema.ts';
import {
  checkTrustedDocuments,
  readTrustedDocuments,
  type TrustedDocuments,
} from '../../server/graphql/trusted/trusted-documents.ts';
import type { LogRequest } from '../../server/http/request/request-log.ts';
import { openSharedCounts } from '../../server/limits/request-counter.ts';
import { requestLimits } from '../../server/limits/request-limits.ts';
import { bigqueryCalls } from '../../server/observability/metrics/engine-metrics.ts';
import { gatewayMetrics, metricsRegistry } from '../../server/observability/metrics/gateway-metrics.ts';
import { loopDelays } from '../../server/observability/metrics/loop-metrics.ts';
import { openTracing } from '../../server/observability/tracing/open-tracing.ts';
import type { OpenEditing } from '../../server/operator/endpoint-files/endpoint-editing.ts';
import type { ServedConsole } from '../../server/routing/routes.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { OpenedEngine } from '../engines/engine/opened-engine.ts';
import { engineOf, isStored } from '../engines/registry.ts';
import type { FetchedEndpoints } from '../origin/fetched-endpoints.ts';
import { type SchemaFiles, schemaFiles } from '../reload/schema-files.ts';
import type { SchemaChanges } from '../reload/schema-reloader.ts';
import { type LoadedSchema, loadSchema, loadServedSources, ProblemsError } from '../schema/load-schema.ts';
import { loadWithAddedFields } from '../schema/load-with-added-fields.ts';
import type { ServedFiles } from '../schema/served-endpoints.ts';
import { type AssembledGateway, assembleGateway } from './assemble-gateway.ts';
import { cursorSecret } from './cursor-secret.ts';
import { type GatewayKeys, gatewayKeys } from './gateway-keys.ts';
import type { Launches } from './launch.ts';
import { LiveBoards } from './live-boards.ts';
import { LiveSources } from './live-sources.ts';
import { endpointPusher } from './push-endpoint.ts';
import { endpointWriter } from './write-endpoint.ts';

/** How often a reload is begun again because rows have arrived. */
const maxAttempts = 3;

/** The file of rejected events in the data folder. */
const rejectedName = 'rejected.ndjson';

/** The file with what keys have used, in the data folder. */
const spendingName = 'allowances.json';

export interface OpeningHooks {
  readonly log: Log;
  /** Logs answered requests. */
  readonly logRequest?: LogRequest;
  /**
   * Whether the console takes the key from the fragment of its address, which browsers don't send. `demo` and `dev` print that
   * address, unless API_KEY is set: nobody but the person who reads it gets the key.
   */
  readonly keyInAddress?: boolean;
  /** Whether operators may make files of endpoints and boards over HTTP. `dev` lets them. */
  readonly writesEndpoints?: boolean;
  /** Helps operators with the texts of endpoints over HTTP. If omitted, nothing does. */
  readonly openEditing?: OpenEditing;
  /** The key for this run if API_KEY is not set. By default, a random one is made. */
  readonly runKey?: string;
  /** Called with the embedded engine's rows before anything is answered. Made-up rows are added here. */
  readonly prepareRows?: (
    rows: RowStore,
    sources: readonly Source[],
    endpoints: readonly Endpoint[],
  ) => Promise<void>;
}

/** A gateway that is ready to answer, and doesn't listen. */
export interface OpenedGateway {
  readonly gateway: AssembledGateway;
  readonly opened: OpenedEngine;
  readonly keys: GatewayKeys;
  readonly schema: LoadedSchema;
  readonly sources: LiveSources;
  readonly boards: LiveBoards;
  /** The files of endpoints and sources, as they were when they were read. */
  readonly files: SchemaFiles;
  /** What fetches them, if they are not of this machine. */
  readonly fetched: FetchedEndpoints | undefined;
  /** Reads the sources and the endpoints again. Nothing uses them yet. The endpoints may lack fields that rows have added. */
  load(before: ServedFiles): Promise<{ sources: readonly Source[]; loaded: LoadedSchema }>;
  /** Reads the sources and the endpoints again, and uses them. The endpoints may lack fields that rows have added. */
  reload(): Promise<SchemaChanges>;
  /** Reads the endpoints again, over the current sources. Nothing uses them yet. */
  replan(before: ServedFiles): Promise<LoadedSchema>;
  /** Closes everything that was started. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts what answers calls: the planner, the engine, the endpoints and the keys. If a step fails, everything already
 * started is closed.
 *
 * @param launches what was already started, which this closes, too
 * @throws ConfigError, ProblemsError, StoreError
 */
export async function openGateway(
  config: Config,
  hooks: OpeningHooks,
  { planner, engine: launched }: Launches,
): Promise<OpenedGateway> {
  const { log, prepareRows } = hooks;
  await using started = new AsyncDisposableStack();
  started.defer(() => launched.end());
  started.defer(() => planner.close());
  void removeOrphanedFolders(systemClock);
  const tracing = await openTracing(config, log);
  started.defer(() => tracing?.close());
  const budgets = memoryBudgets(config);
  const keysStart = gatewayKeys(config, budgets, log, hooks.runKey);
  // Awaited below. An earlier failure must not count as an unhandled rejection.
  keysStart.catch(() => {});
  started.defer(async () => (await keysStart.catch(() => undefined))?.close());
  const sharedStore = await sharedEntries(config, log);
  started.defer(() => sharedStore?.close());
  const file = join(config.dataDir, spendingName);
  const spending =
    sharedStore === undefined ? await FileSpending.open({ file, clock: systemClock, log }) : undefined;
  started.defer(() => spending?.close());
  const sharedCounts = await openSharedCounts(config, systemClock);
  started.defer(() => sharedCounts?.close());

  const memory = cacheMemory(budgets);
  const trusted = await trustedDocuments(config);
  const fetched = await fetchedEndpoints(config, planner, log);
  started.defer(() => fetched?.close());
  const files = await schemaFiles(config);
  const readSources = async (before?: readonly Source[]) => {
    const read = await loadServedSources(config, before);
    engineOf(config).checkSources(config, read.sources);
    return read;
  };
  const { sources, problems: ofSources } = await readSources();
  const registry = metricsRegistry();
  const meter = bigqueryCalls(registry);
  const delays = loopDelays(registry);
  started.use(
    new LoopMonitor({
      clock: systemClock,
      log,
      process: 'gateway',
      onDelay: (delay) => delays('gateway', delay),
      onRest: returnGarbage,
    }),
  );
  const onLoopDelay = (seconds: number) => delays('engine', seconds);
  const engineStart = launched.open(config, { sources, planner, log, meter, onLoopDelay });
  const check = async (plan: Plan) => (await engineStart).engine.prepare(plan);
  const loadWith = async (read: readonly Source[], before?: ServedFiles) => {
    const loaded = await loadSchema(config, planner, read, check, before, 'with-own');
    for (const refusal of loaded.refusals) log.warn(formatProblem(refusal));
    return loaded;
  };
  const loadAnyway = async (read: readonly Source[], before?: ServedFiles) => {
    const { sources: declared } = await loadSources(config.sourcesDir, { isStored: isStored(config) });
    const { loaded, without, causes } = await loadWithAddedFields(read, declared, (tried) =>
      loadWith(tried, before),
    );
    if (without.length > 0) log.warn(leftOut(without, causes));
    return loaded;
  };
  // Queries are analyzed while the engine opens. Errors of the engine are reported first.
  const schemaLoad = loadAnyway(sources);
  schemaLoad.catch(() => {});
  const boards = await LiveBoards.open(config);
  for (const { problems } of boards.current) for (const problem of problems) log.warn(formatProblem(problem));
  const opened = await engineStart;
  started.defer(() => opened.close());
  const schema = withProblems(await schemaLoad, ofSources);
  for (const problem of schema.problems) log.warn(formatProblem(problem));
  if (opened.store !== undefined) await prepareRows?.(opened.store, sources, schema.endpoints);

  if (trusted !== undefined) {
    const problems = checkTrustedDocuments(trusted, buildSchema(schema.shape));
    // Documents may call what errors in files keep from being served.
    if (problems.length > 0 && schema.problems.length === 0) throw new ProblemsError(problems);
    for (const problem of problems) log.warn(formatProblem(problem));
  }

  const live = new LiveSources({
    sources,
    useInEngine: async (next, drop) => opened.useSources(next, drop),
    dataDir: config.dataDir,
    limits: { maxFields: config.sourceMaxFields, unstorable: unstorableColumns },
  });
  const rejectedFile = new RejectedFile(join(config.dataDir, rejectedName), () => systemClock.now(), log);
  started.defer(() => rejectedFile.close());
  const keys = await keysStart;
  const secretOfCursors = await cursorSecret(config, log);
  const metrics = gatewayMetrics({
    registry,
    engine: config.engine,
    cachedEntries: () => memory.table.size,
    cachedBytes: () => memory.budget.bytes,
    memory: () => budgetStates(budgets),
    permits: () => gateway.permits,
    states: opened,
    expiringKeys: () => keys.expiring().length,
    ...(fetched && { origin: () => fetched.state }),
  });
  const { endpointsDir, endpointsPushPrefix: prefix } = config;
  const gateway: AssembledGateway = assembleGateway({
    ...{ config, log, keys, planner, opened, sources: live, schema, trusted, rejectedFile },
    origin: fetched && (() => fetched.state),
    cursorSecret: secretOfCursors,
    ...{
      memory,
      memoryBudgets: budgets,
      metrics,
      tracing,
      sharedStore,
      spending,
      logRequest: hooks.logRequest,
    },
    limits: requestLimits(config, systemClock, sharedCounts),
    console: await servedConsole(config, hooks, keys),
    boards,
    openEditing: hooks.openEditing,
    writeEndpoint: hooks.writesEndpoints ? endpointWriter(endpointsDir, () => gateway.files()) : undefined,
    pushEndpoint:
      fetched && prefix !== undefined
        ? endpointPusher({ prefix, origin: fetched, endpointsDir, endpoints: () => gateway.files() })
        : undefined,
    sourceChanges: opened.planSources && {
      plan: async (drop) => opened.planSources?.((await readSources()).sources, drop) ?? [],
      apply: async (drop) => {
        const { plans } = await reload(drop);
        await gateway.invalidate({});
        return plans;
      },
    },
  });
  started.defer(() => gateway.close());
  const running = started.move();
  let ofSourcesNow = ofSources;
  /** @param drop if given, the plans are made even if no source has changed */
  const load = async (before: ServedFiles, drop?: readonly string[]) => {
    const read = await readSources(before.sources);
    const isSame = drop === undefined && sourceChanges(before.sources, read.sources).length === 0;
    const plans = isSame ? [] : ((await opened.planSources?.(read.sources, drop)) ?? []);
    ofSourcesNow = [...read.problems, ...unavailableProblems(plans, read.sources, 'reason')];
    // Sources whose stored rows don't fit their new files stay as they were.
    const unfit = new Set(plans.flatMap(({ source, reason }) => (reason === undefined ? [] : [source])));
    const sources = read.sources.map((source) =>
      unfit.has(source.name) ? (before.sources.find(({ name }) => name === source.name) ?? source) : source,
    );
    return { sources, plans, loaded: withProblems(await loadAnyway(sources, before), ofSourcesNow) };
  };
  const replan = async (before: ServedFiles) =>
    withProblems(await loadWith(live.current, before), ofSourcesNow);
  const reload = (drop?: readonly string[]) =>
    live.change(async (use) => {
      const before = live.current;
      for (let attempt = 1; ; attempt++) {
        const { sources, plans, loaded } = await load(
          { endpoints: gateway.endpoints(), sources: before },
          drop,
        );
        try {
          await use(sources, drop);
        } catch (error) {
          // Rows that don't fit have arrived since: the next plan finds them.
          if (attempt < maxAttempts && error instanceof StoreError && error.kind === 'schema') continue;
          throw error;
        }
        gateway.use(loaded);
        return { schema: loaded, sources: sourceChanges(before, sources), plans };
      }
    });
  return {
    ...{ gateway, opened, keys, schema, sources: live, boards, files, fetched, load, reload, replan },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** With the errors in the files of sources. */
function withProblems(schema: LoadedSchema, ofSources: readonly Problem[]): LoadedSchema {
  return { ...schema, problems: [...ofSources, ...schema.problems] };
}

function leftOut(without: readonly Source[], problems: readonly Problem[]): string {
  const names = without.map(({ name }) => name).join(' and ');
  const errors = problems.map(formatProblem).join('\n');
  return `Endpoints have errors with the fields that rows have added to ${names}:\n${errors}\nQueries can't read these fields until a reload without errors.`;
}

async function trustedDocuments(config: Config): Promise<TrustedDocuments | undefined> {
  const { graphqlTrustedDocuments: file, graphqlTrustedDocumentsOnly: only } = config;
  if (file !== undefined) {
    return readTrustedDocuments(file, only).catch((error: Error) => {
      throw new ConfigError([`GRAPHQL_TRUSTED_DOCUMENTS: ${error.message}`]);
    });
  }
  if (!only) return undefined;
  throw new ConfigError(['GRAPHQL_TRUSTED_DOCUMENTS_ONLY needs GRAPHQL_TRUSTED_DOCUMENTS']);
}

async function servedConsole(
  config: Config,
  { keyInAddress = false, writesEndpoints = false }: OpeningHooks,
  { keyIsRandom }: GatewayKeys,
): Promise<ServedConsole | undefined> {
  if (!config.console) return undefined;
  return { files: await readBuiltFiles(), keyInAddress: keyInAddress && keyIsRandom, kit: writesEndpoints };
}

/** Only gateways with ENDPOINTS_FROM load what fetches. */
async function fetchedEndpoints(config: Config, planner: Launches['planner'], log: Log) {
  const { endpointsFrom: origin } = config;
  if (origin === undefined) return undefined;
  const { openOrigin } = await import('../origin/open-origin.ts');
  return openOrigin(config, origin, { planner, clock: systemClock, log });
}

/** Redis's client has four hundred modules and is loaded only if Redis is configured. */
async function sharedEntries(config: Config, log: Log) {
  const place = redisPlace(config);
  if (place === undefined) return undefined;
  const { openRedisStore } = await import('../../calls/executor/redis/redis-store.ts');
  return openRedisStore({ ...place, clock: systemClock, log });
}
