import type { GraphQLSchema } from 'graphql';
import type { Clock } from '../../base/clock/clock.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import type { Access } from '../../calls/access/authentication/access.ts';
import { callerByHeaders } from '../../calls/access/querying-caller.ts';
import { type AdHocQueries, noAdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import type { CallParts } from '../../calls/call.ts';
import type { CacheMemory } from '../../calls/executor/create-executor.ts';
import type { Executor } from '../../calls/executor/executor.ts';
import { noMeter } from '../../calls/executor/meter.ts';
import { noLiveMeter } from '../../calls/live/live-meter.ts';
import { type EndpointCatalog, servedIn } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { type MemoryBudgets, memoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import type { DeleteRows } from '../../rows/deletion/row-deleter.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { type CollectorOptions, collectorHandlers } from '../collectors/collector-handlers.ts';
import { type ReceiveRows, rowsHandler } from '../collectors/rows-handler.ts';
import type { BuiltFile } from '../console/built-files.ts';
import { consoleHandler } from '../console/console-handler.ts';
import { callerHandler } from '../discovery/caller-handler.ts';
import { type DiscoveryOptions, discoveryHandler } from '../discovery/discovery-handler.ts';
import { functionsHandler } from '../discovery/functions-handler.ts';
import { graphiqlHandler } from '../graphql/graphiql/graphiql-handler.ts';
import type { CheckedDocument } from '../graphql/http/check-document.ts';
import { type GraphqlSettings, graphqlHandler, servedSchema } from '../graphql/http/graphql-handler.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import { SharedEvents } from '../graphql/http/shared-events.ts';
import type { SchemaShape } from '../graphql/shape/shape.ts';
import { checkTrustedDocuments } from '../graphql/trusted/check-trusted-documents.ts';
import type { TrustedDocuments } from '../graphql/trusted/trusted-documents.ts';
import { type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { corsPolicy } from '../http/response/cors.ts';
import { requestKey } from '../http/response-cache/request-key.ts';
import { ResponseCache } from '../http/response-cache/response-cache.ts';
import { responseShortcut } from '../http/response-cache/shortcut.ts';
import { admission } from '../limits/admission.ts';
import { LoadShedder, type LoadShedderOptions } from '../limits/load-shedder.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { mcpHandler } from '../mcp/mcp-handler.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';
import { cacheHandler, type PurgeEntries } from '../operator/cache-handler.ts';
import { deletionHandler } from '../operator/deletion-handler.ts';
import { type ExportNamed, exportHandler } from '../operator/export-handler.ts';
import { type HoldStore, holdHandler } from '../operator/hold-handler.ts';
import { keysHandler, type ManagedKeys } from '../operator/keys-handler.ts';
import { metricsHandler } from '../operator/metrics-handler.ts';
import type { OperationsDocument } from '../operator/operations-document.ts';
import { operationsHandler } from '../operator/operations-handler.ts';
import { restHandler } from '../rest/rest-handler.ts';
import { LiveStreams } from '../routing/live-streams.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

/** The console, as the gateway serves it. */
export interface ServedConsole {
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Whether the page takes a key from the fragment of its address. */
  readonly keyInAddress?: boolean;
}

interface GatewayOptions
  extends Omit<ServerOptions, 'handlers' | 'shortcut' | 'revocation' | 'memoryBudgets'> {
  /** The memory for what callers make the gateway keep. By default, as the settings say. */
  readonly memoryBudgets?: MemoryBudgets;
  readonly access: Access;
  /** Rate limits. If omitted, requests are not limited. */
  readonly limits?: RequestLimits;
  readonly endpoints: EndpointCatalog;
  /** The endpoints as GraphQL types and fields. */
  readonly shape: SchemaShape;
  readonly executor: Executor;
  /** The executor's permits. If omitted, no load is shed. */
  readonly permits?: LoadShedderOptions['permits'];
  /** Plans the ad-hoc queries in `sql` and `lql`. If omitted, they are refused. */
  readonly adHocQueries?: AdHocQueries;
  /** Purges cached results. If omitted, the route does not exist. */
  readonly purgeEntries?: PurgeEntries;
  /** The executor's cache, for the response cache. If omitted, there is no response cache. */
  readonly memory?: CacheMemory;
  readonly clock: Clock;
  /** The metrics of `/metrics`. If omitted, the route does not exist. */
  readonly metrics?: GatewayMetrics;
  /** The documents that GraphQL clients may call by id. */
  readonly trusted?: TrustedDocuments | undefined;
  /** The console. If omitted, there is none. */
  readonly console?: ServedConsole | undefined;
  /** What endpoints have done in this process. If omitted, discovery doesn't tell. */
  readonly activities?: DiscoveryOptions['activities'];
  /** The functions that ad-hoc queries can call. If omitted, the route does not exist. */
  readonly functions?: (() => Promise<readonly CallableFunction[]>) | undefined;
  /** The stored keys. If omitted, their routes do not exist. */
  readonly keys?: ManagedKeys | undefined;
  /** Describes this gateway. If omitted, the route does not exist. */
  readonly describeOperations?: (() => Promise<OperationsDocument>) | undefined;
  readonly receiveRows: ReceiveRows;
  /** Deletes rows of the store. If omitted, the route does not exist. */
  readonly deleteRows?: DeleteRows | undefined;
  /** Exports the rows of sources. If omitted, the route does not exist. */
  readonly exportNamed?: ExportNamed | undefined;
  /** Keeps the store's files for a backup. If omitted, the route does not exist. */
  readonly holdStore?: HoldStore | undefined;
  /** Answers that stay up to date. If omitted, there are none. */
  readonly live?: CallParts['live'];
  /** Receives the events of collectors. If omitted, their routes do not exist. */
  readonly collectors?: CollectorOptions | undefined;
  /** How often the pace of an upload is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
  readonly config: Pick<
    Config,
    | 'requestTimeoutMs'
    | 'queryErrorsAs200'
    | 'liveMaxStreams'
    | 'liveMaxStreamsPerKey'
    | 'corsOrigins'
    | 'engine'
    | 'engines'
    | 'graphiql'
    | 'metricsPublic'
    | 'uploadTimeoutMs'
    | 'uploadMinBytesPerSecond'
    | 'ingestMaxBodyBytes'
    | 'ingestMaxPendingBytes'
    | 'answerMemoryMb'
    | 'liveMemoryMb'
    | 'otlpSource'
  > &
    GraphqlSettings;
}

/** The server of a gateway. */
export interface Gateway extends Server {
  /** Serves these endpoints from now on. Requests that are being executed finish with the previous ones. */
  useShape(shape: SchemaShape): void;
}

/** The gateway's server with all of its handlers. */
export function createGatewayServer(options: GatewayOptions): Gateway {
  const { config, metrics, memory, clock, purgeEntries } = options;
  const budgets = options.memoryBudgets ?? memoryBudgets(config);
  const meter = metrics?.executor ?? noMeter;
  const responses = memory && new ResponseCache({ memory, clock, meter });
  const admitting = admission(options.access, options.limits);
  const streams = new LiveStreams({
    ...{ clock, random: Math.random },
    ...{ most: config.liveMaxStreams, mostPerKey: config.liveMaxStreamsPerKey },
    meter: metrics?.live ?? noLiveMeter,
  });
  const { live, executor, adHocQueries = noAdHocQueries, ...others } = options;
  const calls = { executor, adHocQueries, isServed: servedIn(options.endpoints), live };
  const common = {
    ...others,
    memoryBudgets: budgets,
    admission: admitting,
    calls,
    ...(responses && { responses }),
  };
  const documents = budgets.documents.table<CheckedDocument>();
  const served = (shape: SchemaShape) => ({
    shape,
    graphql: servedSchema(shape, { ...common, documents, settings: config }),
    graphiql: graphiqlHandler(shape),
  });
  let current = served(options.shape);
  const handlers: readonly RouteHandler[] = [
    restHandler({ ...common, ...config, streams: live && streams }),
    // Before discovery, which has a path of the same form.
    ...(purgeEntries === undefined ? [] : [cacheHandler({ ...common, purgeEntries })]),
    ...(config.graphiql ? [routeHandler([graphqlPath], (context) => current.graphiql(context))] : []),
    graphqlHandler(() => current.graphql, {
      ...common,
      settings: config,
      live: live && { streams, sharedEvents: new SharedEvents(budgets.subscriptions) },
    }),
    discoveryHandler(() => current.shape, common),
    mcpHandler(() => current.shape, { ...common, ...config }),
    callerHandler(common),
    ...(options.functions === undefined
      ? []
      : [functionsHandler({ ...common, functions: options.functions })]),
    ...(options.console === undefined
      ? []
      : [consoleHandler({ keyInAddress: false, ...options.console, graphiql: config.graphiql })]),
    ...(options.deleteRows === undefined
      ? []
      : [deletionHandler({ ...common, deleteRows: options.deleteRows })]),
    rowsHandler({ ...common, ...config }),
    ...(options.keys === undefined ? [] : [keysHandler({ ...common, ...config, keys: options.keys })]),
    ...(options.describeOperations === undefined
      ? []
      : [operationsHandler({ ...common, describe: options.describeOperations })]),
    ...(options.exportNamed === undefined
      ? []
      : [exportHandler({ ...common, exportNamed: options.exportNamed })]),
    ...(options.holdStore === undefined ? [] : [holdHandler({ ...common, holdStore: options.holdStore })]),
    ...(options.collectors === undefined
      ? []
      : collectorHandlers(options.collectors, { ...common, ...config })),
    ...(metrics === undefined
      ? []
      : [metricsHandler({ ...common, metrics, isPublic: config.metricsPublic })]),
  ];
  const { trusted, log } = options;
  const warnOfDocuments = (schema: GraphQLSchema) => {
    const problems = trusted === undefined ? [] : checkTrustedDocuments(trusted, schema);
    for (const problem of problems) log.warn(formatProblem(problem));
  };
  const { permits } = options;
  const shedder =
    permits &&
    new LoadShedder({
      permits,
      callerOf: (request) => callerByHeaders(request, options.access),
      isCached: (request, caller) => responses?.has(requestKey(request, caller)) === true,
    });
  const shortcut = responses && responseShortcut(options.access, responses);
  const parts = { handlers, ...(shortcut && { shortcut }), ...(shedder && { shedder }) };
  const cors = corsPolicy(config.corsOrigins);
  const revocation = { clock, freeMs: config.requestTimeoutMs };
  const server = createServer({
    ...{ ...options, ...parts, cors, revocation },
    memoryBudgets: budgets,
    requestMeter: metrics?.requests,
  });
  return {
    ...server,
    close() {
      streams.end();
      return server.close();
    },
    useShape(shape) {
      current = served(shape);
      warnOfDocuments(current.graphql.schema);
      responses?.clear();
    },
  };
}
