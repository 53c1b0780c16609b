import { hash, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { formatProblem } from '../../base/errors/problem.ts';
import { systemClock } from '../../base/system/clock.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Log } from '../../base/terminal/log.ts';
import { version } from '../../base/version.ts';
import type { Payer } from '../../calls/access/caller/caller.ts';
import type { AuthorisedCall } from '../../calls/call/authorised-call.ts';
import { Cursors } from '../../calls/call/cursors.ts';
import type { CallParts } from '../../calls/call.ts';
import type { SharedSpending } from '../../calls/executor/allowances/shared-spending.ts';
import { type CacheMemory, createExecutor } from '../../calls/executor/create-executor.ts';
import type { EntryStore, InvalidationFilter } from '../../calls/executor/entries/entry-store.ts';
import type { EntryTable } from '../../calls/executor/entry-table.ts';
import type { PermitState } from '../../calls/executor/flights/permits.ts';
import { onlySeeker } from '../../calls/executor/flights/seekers.ts';
import { RunHistory } from '../../calls/executor/meter.ts';
import { sourcesOf } from '../../calls/live/changes-of.ts';
import { LiveResults } from '../../calls/live/live-results.ts';
import { LiveTails } from '../../calls/live/live-tails.ts';
import { liveClass } from '../../calls/live/run-once.ts';
import { pageQueries } from '../../calls/pages/page-queries.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { CallRecords } from '../../calls/records/call-records.ts';
import { keyChanges } from '../../calls/records/key-changes.ts';
import { adHocQueries } from '../../calls/sandbox/ad-hoc-query.ts';
import { adHocSql } from '../../calls/sandbox/ad-hoc-sql.ts';
import { offeredFunctions } from '../../calls/sandbox/offered-functions.ts';
import { Warmer } from '../../calls/warming/warmer.ts';
import { boardProblems } from '../../definitions/boards/board-problems.ts';
import { lowestClass } from '../../definitions/classes/query-class.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { LiveCatalog, servedIn } from '../../definitions/endpoints/endpoint-catalog.ts';
import { digestsOf, versionsOf } from '../../definitions/endpoints/versions.ts';
import type { OriginState } from '../../definitions/origin/origin-state.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { type Source, sourceByName, unknownSource } from '../../definitions/sources/source.ts';
import { rowDeleter } from '../../rows/deletion/row-deleter.ts';
import type { WriteBoard } from '../../server/boards/board-file-handler.ts';
import type { RejectedFile } from '../../server/collectors/rejected-file.ts';
import type { EndpointActivity } from '../../server/discovery/describe-endpoint.ts';
import type { TrustedDocuments } from '../../server/graphql/trusted/trusted-documents.ts';
import type { LogRequest } from '../../server/http/request/request-log.ts';
import type { RequestLimits } from '../../server/limits/request-limits.ts';
import { createGatewayServer, type Gateway } from '../../server/listener/gateway.ts';
import type { GatewayMetrics } from '../../server/observability/metrics/gateway-metrics.ts';
import {
  tracedAdHocQueries,
  tracedEngine,
  tracedExecutor,
  tracedStore,
} from '../../server/observability/tracing/open-tracing.ts';
import type { Tracing } from '../../server/observability/tracing/tracing.ts';
import type { WriteEndpoint } from '../../server/operator/endpoint-file-handler.ts';
import type {
  EditingParts,
  EndpointEditing,
  OpenEditing,
} from '../../server/operator/endpoint-files/endpoint-editing.ts';
import type { PushEndpoint } from '../../server/operator/endpoint-push-handler.ts';
import type { HealthDetails } from '../../server/operator/monitoring.ts';
import { operationsDocument } from '../../server/operator/operations.ts';
import type { SourceChanges } from '../../server/operator/source-handlers.ts';
import type { ExportNamed } from '../../server/operator/store-handlers.ts';
import type { ServedConsole } from '../../server/routing/routes.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';
import type { OpenedEngine } from '../engines/engine/opened-engine.ts';
import { engineOf } from '../engines/registry.ts';
import type { LoadedSchema } from '../schema/load-schema.ts';
import { sourceCatalog } from '../schema/source-catalog.ts';
import { queryTrier } from '../schema/try-query.ts';
import { collectorOptions } from './collector-options.ts';
import type { GatewayKeys } from './gateway-keys.ts';
import type { LiveBoards } from './live-boards.ts';
import type { LiveSources } from './live-sources.ts';
import { openRecords } from './records.ts';
import { type ExportSource, sourceExporter } from './source-exporter.ts';
import { putKey, readKeys } from './stored-keys.ts';

interface GatewayParts {
  readonly config: Config;
  readonly keys: GatewayKeys;
  /** The secret of the cursors of pages. */
  readonly cursorSecret: string;
  /** Rate limits, in addition to those of keys. */
  readonly limits: RequestLimits;
  readonly planner: Pick<
    Planner,
    'planAdHocQuery' | 'planPage' | 'planText' | 'listFunctions' | 'functionSignatures'
  >;
  readonly opened: OpenedEngine;
  readonly sources: LiveSources;
  /** Keeps the rejected events of collectors. */
  readonly rejectedFile: Pick<RejectedFile, 'add'>;
  readonly memory: CacheMemory;
  /** The state of what fetches the endpoints, if something does. */
  readonly origin: (() => OriginState) | undefined;
  readonly memoryBudgets: MemoryBudgets;
  readonly metrics: GatewayMetrics;
  /** The cache shared with other replicas, if any. */
  readonly sharedStore: EntryStore | undefined;
  /** Keeps what this process counts, if it shares nothing. */
  readonly spending: SharedSpending | undefined;
  /** The documents that GraphQL clients may call by id. */
  readonly trusted: TrustedDocuments | undefined;
  /** The initial endpoints. */
  readonly schema: LoadedSchema;
  /** Follows changed files of sources. Undefined if the rows are elsewhere. */
  readonly sourceChanges: SourceChanges | undefined;
  /** Helps with the texts of endpoints, if something does. */
  readonly openEditing: OpenEditing | undefined;
  /** Writes the files of new endpoints, if the gateway does. */
  readonly writeEndpoint: WriteEndpoint | undefined;
  /** Pushes the files of endpoints to branches, if the gateway does. */
  readonly pushEndpoint: PushEndpoint | undefined;
  readonly boards: LiveBoards;
  /** If undefined, there is no console. */
  readonly console: ServedConsole | undefined;
  readonly log: Log;
  /** Logs answered requests. */
  readonly logRequest: LogRequest | undefined;
  /** If undefined, nothing is traced. */
  readonly tracing: Tracing | undefined;
}

/** An assembled gateway that doesn't listen yet. */
export interface AssembledGateway {
  readonly server: Gateway;
  /** What the server's handlers call, for calls that don't come over HTTP. */
  readonly calls: CallParts;
  /** Records such calls. Undefined if nothing is recorded. */
  readonly recordCalls: CallRecords['record'] | undefined;
  readonly warmer: Warmer;
  /** How busy the engine is. */
  readonly permits: PermitState;
  /** The current endpoints. */
  endpoints(): readonly Endpoint[];
  /** The files of the current endpoints, also of those that can't be served because of errors. */
  files(): readonly Pick<Endpoint, 'name' | 'file'>[];
  /** Replaces all endpoints, and the sources that they read. */
  use(schema: LoadedSchema): void;
  /** Purges matching cached results and returns their number. */
  invalidate(filter: InvalidationFilter): Promise<number>;
  /** Closes the server, logs what collectors have sent and the log doesn't tell yet, and publishes what was counted. */
  close(): Promise<void>;
}

/** Assembles everything between the engine and the callers: executor, cache, warming, metrics and route handlers. */
export function assembleGateway(parts: GatewayParts): AssembledGateway {
  const { config, keys, planner, opened, memory, metrics, sharedStore, schema, log } = parts;
  const { store } = opened;
  const { tracing } = parts;
  const engine = tracing ? tracedEngine(opened.engine, tracing) : opened.engine;
  const clock = systemClock;
  const runs = new RunHistory(clock);
  const meter = runs.metered(metrics.executor);
  const executor = createExecutor({
    engine,
    memory,
    clock,
    meter,
    sharedStore,
    spending: parts.spending,
    wrapStore: (store) => (tracing ? tracedStore(store, tracing) : store),
    settings: config,
  });
  const exportSource = sourceExporter({
    ...{ planner, engine },
    turns: (account, signal, hasBegun) => executor.exportTurns(account, signal, hasBegun),
  });
  const warmer = new Warmer({
    executor,
    table: memory.table,
    clock,
    random: Math.random,
    meter,
    log,
    maxRunning: config.warmConcurrency,
  });
  const catalog = new LiveCatalog([]);
  const sqlQueries = adHocSql({
    planText: (text, signal) => planner.planAdHocQuery(text, signal),
    catalog: sourceCatalog(schema.sources),
    checkPlan: (plan, signal) => engine.prepare(plan, signal),
    plans: parts.memoryBudgets.plans,
  });
  const queries = adHocQueries({ queries: sqlQueries, regexpMistake });
  const pages = pageQueries({
    planPage: (page, signal) => planner.planPage(page, signal),
    catalog: sourceCatalog(schema.sources),
    checkPlan: (plan, signal) => engine.prepare(plan, signal),
    plans: parts.memoryBudgets.plans,
  });
  const isServed = servedIn(catalog);
  const records = openRecords({
    ...{ config, clock, log, metrics, secret: parts.cursorSecret },
    addEvents: opened.rows.addEvents,
  });
  if (records !== undefined)
    keys.onChanged((now, before) => {
      for (const change of keyChanges(now, before)) records.changes.notice(change);
    });
  const answering = {
    executor: tracing ? tracedExecutor(executor, tracing) : executor,
    adHocQueries: tracing ? tracedAdHocQueries(queries, tracing) : queries,
    paging: { queries: pages, cursors: new Cursors(parts.cursorSecret) },
  };
  const liveParts = {
    ...{ ...answering, isServed, changes: opened.changes, clock, timeoutMs: config.requestTimeoutMs },
    ...{ answers: parts.memoryBudgets.answers, memory: parts.memoryBudgets.live },
    ...{ maxQueries: config.liveMaxQueries, meter: metrics.live, regexpMistake },
    permit: (call: AuthorisedCall, signal: AbortSignal) =>
      executor.planningPermits.take(onlySeeker(call.payer, signal, lowestClass(call.class, liveClass))),
    makeId: () => randomBytes(6).toString('hex'),
    recordRun: records?.recordRun,
    shareRows: (payer: Payer, rows: number) => executor.allowances.shareRows(payer, rows),
  };
  const live = { results: new LiveResults(liveParts), tails: new LiveTails(liveParts) };
  const collectors = collectorOptions({ ...parts, clock, meter: metrics.events });
  const invalidate = (filter: InvalidationFilter) => executor.invalidate(filter);
  const activities = () => endpointActivities(memory.table, runs);
  const startedAt = clock.now();
  let problems = schema.problems;
  let served = schema.endpoints;
  let { ofSources } = schema.shape;
  const tryQuery = queryTrier(queries);
  const writeBoard: WriteBoard = (name, text, replaces) =>
    parts.boards.write(name, text, replaces, (read) =>
      boardProblems(read, { endpoints: served, ofSources: ofSources?.endpoint, tryQuery }),
    );
  let unavailable = schema.shape.unavailable ?? [];
  const server = createGatewayServer({
    access: keys.access,
    isReady: () => keys.areLoaded() && opened.isReady?.() !== false,
    limits: parts.limits,
    maxConnections: config.maxConnections,
    endpoints: catalog,
    shape: schema.shape,
    trusted: parts.trusted,
    permits: executor.permits,
    allowances: executor.allowances,
    ...answering,
    live,
    purgeEntries: invalidate,
    memory,
    memoryBudgets: parts.memoryBudgets,
    clock,
    metrics,
    collectors,
    receiveRows: opened.rows.receive,
    whyUnserved: () => unservedSource(problems, config.sourcesDir, parts.sources.current),
    deleteRows:
      store &&
      rowDeleter({
        sources: () => parts.sources.current,
        catalogOf: (source) => sourceCatalog([source]),
        planner,
        prepare: (plan, signal) => opened.engine.prepare(plan, signal),
        remover: store,
        onDeleted: () => invalidate({}),
      }),
    exportNamed: store && namedExporter(parts.sources, exportSource),
    holdStore: store?.hold,
    sourceChanges: parts.sourceChanges,
    writeEndpoint: parts.writeEndpoint,
    pushEndpoint: parts.pushEndpoint,
    boards: () => parts.boards.current,
    writeBoard: parts.writeEndpoint && writeBoard,
    editing:
      parts.openEditing &&
      openedOnce(parts.openEditing, {
        ...{ config, planner },
        endpoints: () => served,
        unavailable: () => unavailable,
        sources: () => parts.sources.current,
        prepare: (plan) => opened.engine.prepare(plan),
      }),
    health: () => healthWith(problems, { ...opened.health?.(), ...fetchedHealth(parts.origin?.()) }),
    functions: offeredFunctions(() => planner.listFunctions(), engineOf(config).hasFunction),
    console: parts.console,
    isBilled: engineOf(config).isBilled,
    activities,
    unavailable: ({ plan }) => unavailableTable(opened, sourcesOf(plan)),
    keys: {
      fixed: keys.fixed,
      read: () => readKeys(config),
      put: (change) => putKey(config, change),
      uses: () => keys.uses(),
    },
    describeOperations: async () =>
      operationsDocument({
        startedAt,
        version,
        engine: config.engine,
        numbers: await metrics.numbers(),
        endpoints: catalog.endpoints,
        activityOf: activities(),
        origin: parts.origin?.(),
        sources: parts.sources.current,
        expiringKeys: keys.expiring(),
      }),
    log,
    logRequest: parts.logRequest,
    records,
    traceRequest: tracing?.traceRequest,
    // Requests may continue during the shutdown delay, so that the rest of the timeout remains.
    stopTimeoutMs: Math.max(0, config.shutdownTimeoutMs - config.shutdownDelayMs),
    config,
  });
  const useEndpoints = ({ endpoints, shape, problems: found }: LoadedSchema) => {
    problems = found;
    served = endpoints;
    unavailable = shape.unavailable ?? [];
    ofSources = shape.ofSources;
    const all = [...endpoints, ...(ofSources === undefined ? [] : [ofSources.endpoint])];
    catalog.replace(all, unavailable);
    executor.retain(new Map(all.map((endpoint) => [endpoint.id, digestsOf(endpoint)])));
    runs.retain(new Set(all.map(({ name }) => name)));
    warmer.use(endpoints.flatMap(versionsOf));
    live.results.retain();
    live.tails.retain();
  };
  useEndpoints(schema);
  records?.changes.record({
    action: 'gateway.started',
    details: { version, digest: digestOfSchema(schema) },
  });
  return {
    server,
    calls: { ...answering, isServed, live },
    recordCalls: records && ((...recorded) => records.calls.record(...recorded)),
    warmer,
    get permits() {
      return executor.permits.state;
    },
    endpoints: () => served,
    files: () => [
      ...served,
      ...unavailable.flatMap(({ name, problems: [problem] }) =>
        problem === undefined ? [] : [{ name, file: problem.file }],
      ),
    ],
    use(next) {
      const details = { digest: digestOfSchema(next), errors: next.problems.length };
      records?.changes.record({ action: 'schema.reloaded', details });
      const tables = sourceCatalog(next.sources);
      sqlQueries.useCatalog(tables);
      pages.useCatalog(tables);
      server.useShape(next.shape);
      useEndpoints(next);
    },
    invalidate,
    async close() {
      await server.close();
      collectors.reports.flush();
      await records?.close();
      await executor.allowances.close();
    },
  };
}

/** The editing of endpoints, whose modules are loaded when it is first used. A failure is none of the next use. */
function openedOnce(open: OpenEditing, parts: EditingParts): () => Promise<EndpointEditing> {
  let opening: Promise<EndpointEditing> | undefined;
  return () => {
    opening ??= open(parts).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

/** Equal for equal endpoints over equal sources. */
function digestOfSchema({ endpoints, sources }: LoadedSchema): string {
  const versions = endpoints.map((endpoint) => [endpoint.name, digestsOf(endpoint)]);
  // Where files are differs from one gateway to the next.
  const contents = sources.map(({ file: _, ...source }) => source);
  return hash('sha256', JSON.stringify([versions, contents]));
}

/** The most errors of files that `/readyz` shows. */
const shownProblems = 20;

/** Files with errors don't keep a gateway from being ready: it answers with what it has. */
function healthWith(problems: LoadedSchema['problems'], details: HealthDetails): HealthDetails {
  if (problems.length === 0) return details;
  return { ...details, status: 'degraded', files: problems.slice(0, shownProblems).map(formatProblem) };
}

/** The version of the endpoints, if they are fetched. Everybody can read it: what is wrong is in the log and in `/api/operations`. */
function fetchedHealth(state: OriginState | undefined): HealthDetails {
  if (state === undefined) return {};
  const { version: endpointsVersion, failure } = state;
  if (failure === undefined) return { endpointsVersion };
  const reason = failure.kind === 'unreachable' ? "can't be reached" : "has a version that can't be used";
  return { status: 'degraded', endpointsVersion, endpointsFrom: `ENDPOINTS_FROM ${reason}` };
}

/** The first error of a source's file of which nothing is served. Any unknown name may be one of its aliases. */
function unservedSource(
  problems: LoadedSchema['problems'],
  sourcesDir: string,
  sources: readonly Source[],
): string | undefined {
  const folder = shownFile(sourcesDir);
  const files = new Set(sources.map(({ file }) => file));
  const found = problems.find(({ file }) => dirname(file) === folder && !files.has(file));
  return found && formatProblem(found);
}

/** Why one of the tables can't be read. */
function unavailableTable(opened: OpenedEngine, names: ReadonlySet<string>): string | undefined {
  const unavailable = opened.storeState?.()?.unavailable ?? [];
  return unavailable.find(({ source }) => names.has(source))?.reason;
}

function endpointActivities(table: EntryTable, runs: RunHistory): (endpoint: Endpoint) => EndpointActivity {
  const cached = table.countsByEndpoint();
  return ({ id, name }) => {
    const last = runs.last(name);
    return {
      cachedResults: cached.get(id) ?? 0,
      lastRun: last === undefined ? null : { ...last, at: new Date(last.at).toISOString() },
    };
  };
}

function namedExporter(sources: LiveSources, exportSource: ExportSource): ExportNamed {
  return (name, range, account, signal) => {
    const source = sourceByName(sources.current, name);
    if (source !== undefined) return exportSource(source, range, account, signal);
    throw unknownSource(name);
  };
}
