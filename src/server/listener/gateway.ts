import type { GraphQLSchema } from 'graphql';
import { formatProblem } from '../../base/errors/problem.ts';
import type { Access } from '../../calls/access/authentication/access.ts';
import { callerByHeaders } from '../../calls/access/authentication/access.ts';
import type { AdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import type { Paging } from '../../calls/call/authorised-call.ts';
import type { CallParts } from '../../calls/call.ts';
import type { Allowances } from '../../calls/executor/allowances/allowances.ts';
import type { CacheMemory } from '../../calls/executor/create-executor.ts';
import type { Executor } from '../../calls/executor/executor.ts';
import { servedIn } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { graphiqlHandlers } from '../graphql/graphiql/graphiql-handler.ts';
import type { CheckedDocument } from '../graphql/http/check-document.ts';
import { servedSchemas } from '../graphql/http/graphql-handler.ts';
import { SharedEvents } from '../graphql/http/shared-events.ts';
import type { SchemaShape } from '../graphql/shape/shape.ts';
import type { TrustedDocuments } from '../graphql/trusted/trusted-documents.ts';
import { checkTrustedDocuments } from '../graphql/trusted/trusted-documents.ts';
import { corsPolicy } from '../http/response/cors.ts';
import { LiveStreams } from '../http/response/live-streams.ts';
import { ResponseCache, requestKey } from '../http/response-cache/response-cache.ts';
import { responseShortcut } from '../http/response-cache/shortcut.ts';
import { admission } from '../limits/admission.ts';
import { LoadShedder, type LoadShedderOptions } from '../limits/load-shedder.ts';
import { askedEndpoint } from '../rest/asked-endpoint.ts';
import { type RouteParts, type RouteSettings, routes } from '../routing/routes.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

export interface GatewayOptions
  extends Omit<
      ServerOptions,
      | 'routes'
      | 'admission'
      | 'shortcut'
      | 'shedder'
      | 'cors'
      | 'revocation'
      | 'requestMeter'
      | 'memoryBudgets'
    >,
    RouteParts {
  /** The memory for what callers make the gateway keep. */
  readonly memoryBudgets: MemoryBudgets;
  readonly access: Access;
  readonly executor: Executor;
  /** The endpoints as GraphQL types and fields. */
  readonly shape: SchemaShape;
  /** What keys, tokens and endpoints may use, as the executor counts it. */
  readonly allowances: Pick<
    Allowances,
    'during' | 'admit' | 'charge' | 'countRows' | 'takeAnswered' | 'giveBack' | 'rateLimits'
  >;
  /** The executor's permits. */
  readonly permits: LoadShedderOptions['permits'];
  /** Plans the ad-hoc queries in `sql` and `lql`. */
  readonly adHocQueries: AdHocQueries;
  /** Reads results in pages. */
  readonly paging: Paging;
  /** The executor's cache, for the response cache. */
  readonly memory: CacheMemory;
  /** The documents that GraphQL clients may call by id. */
  readonly trusted: TrustedDocuments | undefined;
  /** Answers that stay up to date. */
  readonly live: CallParts['live'];
  readonly config: RouteSettings & Pick<Config, 'liveMaxStreams' | 'liveMaxStreamsPerKey' | 'corsOrigins'>;
}

/** The server of a gateway. */
export interface Gateway extends Server {
  /** Serves these endpoints from now on. Requests that are being executed finish with the previous ones. */
  useShape(shape: SchemaShape): void;
}

/** The gateway's server with all of its handlers. */
export function createGatewayServer(options: GatewayOptions): Gateway {
  const { access, config, metrics, memory, memoryBudgets, clock, permits, trusted, log, allowances } =
    options;
  const responses = new ResponseCache({ memory, clock, meter: metrics.executor, allowances });
  const streams = new LiveStreams({
    ...{ clock, random: Math.random },
    ...{ max: config.liveMaxStreams, maxPerKey: config.liveMaxStreamsPerKey },
    meter: metrics.live,
  });
  const { live, executor, adHocQueries, paging, ...others } = options;
  const common = {
    ...others,
    calls: { executor, adHocQueries, paging, isServed: servedIn(options.endpoints), live },
    live: { streams, sharedEvents: new SharedEvents(memoryBudgets.subscriptions) },
    responses,
  };
  const documents = memoryBudgets.documents.table<CheckedDocument>();
  const served = (shape: SchemaShape) => ({
    shape,
    graphql: servedSchemas(shape, { ...common, documents, settings: config }),
    graphiql: graphiqlHandlers(shape),
  });
  let current = served(options.shape);
  const warnOfDocuments = (schema: GraphQLSchema) => {
    const problems = trusted === undefined ? [] : checkTrustedDocuments(trusted, schema);
    for (const problem of problems) log.warn(formatProblem(problem));
  };
  const server = createServer({
    ...options,
    routes: (readiness) =>
      routes({
        ...common,
        shape: () => current.shape,
        graphql: () => current.graphql,
        graphiql: {
          page: (call) => current.graphiql.page(call),
          file: (call) => current.graphiql.file(call),
        },
        readiness,
      }),
    admission: admission(access, options.limits, allowances),
    shortcut: responseShortcut(access, responses),
    shedder: new LoadShedder({
      permits,
      callerOf: (request) => callerByHeaders(request, access),
      askedBy: (request, caller) => askedEndpoint(request, caller, options.endpoints),
      isCached: (request, caller) => responses.has(requestKey(request, caller)),
    }),
    cors: corsPolicy(config.corsOrigins),
    revocation: { clock, freeMs: config.requestTimeoutMs },
    requestMeter: metrics.requests,
  });
  return {
    ...server,
    close() {
      streams.end();
      return server.close();
    },
    useShape(shape) {
      current = served(shape);
      warnOfDocuments(current.graphql.complete.schema);
      responses.clear();
    },
  };
}
