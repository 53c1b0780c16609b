import type { GraphQLSchema } from 'graphql';
import { formatProblem } from '../../base/errors/problem.ts';
import type { Access } from '../../calls/access/authentication/access.ts';
import { callerByHeaders } from '../../calls/access/authentication/access.ts';
import { type AdHocQueries, noAdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import type { CallParts } from '../../calls/call.ts';
import type { CacheMemory } from '../../calls/executor/create-executor.ts';
import type { Executor } from '../../calls/executor/executor.ts';
import { noMeter } from '../../calls/executor/meter.ts';
import { noLiveMeter } from '../../calls/live/live-meter.ts';
import { servedIn } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { type MemoryBudgets, memoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { graphiqlHandler } from '../graphql/graphiql/graphiql-handler.ts';
import type { CheckedDocument } from '../graphql/http/check-document.ts';
import { servedSchema } from '../graphql/http/graphql-handler.ts';
import { SharedEvents } from '../graphql/http/shared-events.ts';
import type { SchemaShape } from '../graphql/shape/shape.ts';
import type { TrustedDocuments } from '../graphql/trusted/trusted-documents.ts';
import { checkTrustedDocuments } from '../graphql/trusted/trusted-documents.ts';
import { corsPolicy } from '../http/response/cors.ts';
import { LiveStreams } from '../http/response/live-streams.ts';
import { ResponseCache, requestKey } from '../http/response-cache/response-cache.ts';
import { responseShortcut } from '../http/response-cache/shortcut.ts';
import type { PublicHandler } from '../http/route.ts';
import { admission } from '../limits/admission.ts';
import { LoadShedder, type LoadShedderOptions } from '../limits/load-shedder.ts';
import { type RouteParts, type RouteSettings, routes } from '../routing/routes.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

interface GatewayOptions
  extends Omit<
      ServerOptions,
      'routes' | 'admission' | 'shortcut' | 'revocation' | 'memoryBudgets' | 'requestMeter'
    >,
    RouteParts {
  /** The memory budgets. By default, those of the settings. */
  readonly memoryBudgets?: MemoryBudgets;
  readonly access: Access;
  readonly executor: Executor;
  /** The endpoints as GraphQL types and fields. */
  readonly shape: SchemaShape;
  /** The executor's permits. If omitted, no load is shed. */
  readonly permits?: LoadShedderOptions['permits'];
  /** Plans the ad-hoc queries in `sql` and `lql`. If omitted, they are refused. */
  readonly adHocQueries?: AdHocQueries;
  /** The executor's cache, for the response cache. If omitted, there is no response cache. */
  readonly memory?: CacheMemory;
  /** The documents that GraphQL clients may call by id. */
  readonly trusted?: TrustedDocuments | undefined;
  /** Live answers. If omitted, there are none. */
  readonly live?: CallParts['live'];
  readonly config: RouteSettings &
    Pick<
      Config,
      | 'liveMaxStreams'
      | 'liveMaxStreamsPerKey'
      | 'corsOrigins'
      | 'ingestMaxPendingBytes'
      | 'answerMemoryMb'
      | 'liveMemoryMb'
    >;
}

/** The server of a gateway. */
export interface Gateway extends Server {
  /** Serves these endpoints from now on. Requests that are being executed finish with the previous ones. */
  useShape(shape: SchemaShape): void;
}

/** The gateway's server with all of its handlers. */
export function createGatewayServer(options: GatewayOptions): Gateway {
  const { config, metrics, memory, clock } = options;
  const budgets = options.memoryBudgets ?? memoryBudgets(config);
  const meter = metrics?.executor ?? noMeter;
  const responses = memory && new ResponseCache({ memory, clock, meter });
  const admitting = admission(options.access, options.limits);
  const streams = new LiveStreams({
    ...{ clock, random: Math.random },
    ...{ max: config.liveMaxStreams, maxPerKey: config.liveMaxStreamsPerKey },
    meter: metrics?.live ?? noLiveMeter,
  });
  const { live, executor, adHocQueries = noAdHocQueries, ...others } = options;
  const calls = { executor, adHocQueries, isServed: servedIn(options.endpoints), live };
  const common = {
    ...others,
    memoryBudgets: budgets,
    calls,
    live: live && { streams, sharedEvents: new SharedEvents(budgets.subscriptions) },
    ...(responses && { responses }),
  };
  const documents = budgets.documents.table<CheckedDocument>();
  const served = (shape: SchemaShape) => ({
    shape,
    graphql: servedSchema(shape, { ...common, documents, settings: config }),
    graphiql: graphiqlHandler(shape),
  });
  let current = served(options.shape);
  const table = (readiness: PublicHandler) =>
    routes({
      ...common,
      shape: () => current.shape,
      graphql: () => current.graphql,
      graphiql: (call) => current.graphiql(call),
      readiness,
    });
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
  const parts = { routes: table, ...(shortcut && { shortcut }), ...(shedder && { shedder }) };
  const cors = corsPolicy(config.corsOrigins);
  const revocation = { clock, freeMs: config.requestTimeoutMs };
  const server = createServer({
    ...{ ...options, ...parts, admission: admitting, cors, revocation },
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
