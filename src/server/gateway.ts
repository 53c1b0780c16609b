import type { IncomingMessage } from 'node:http';
import type { Access } from '../access/access.ts';
import { callerByHeaders } from '../access/querying-caller.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { EndpointCatalog } from '../endpoints/endpoint-catalog.ts';
import type { GatewayError } from '../errors.ts';
import type { CacheMemory } from '../executor/create-executor.ts';
import type { Executor } from '../executor/executor.ts';
import { noMeter } from '../executor/meter.ts';
import { graphiqlHandler } from '../graphql/graphiql/graphiql-handler.ts';
import { type GraphqlSettings, graphqlHandler } from '../graphql/http/graphql-handler.ts';
import { buildSchema } from '../graphql/schema/build-schema.ts';
import { callingFields, type SchemaShape } from '../graphql/shape/shape.ts';
import type { RequestContext, RouteHandler } from '../http/request-context.ts';
import { requestKey } from '../http/response-cache/request-key.ts';
import { ResponseCache } from '../http/response-cache/response-cache.ts';
import { responseShortcut } from '../http/response-cache/shortcut.ts';
import { admission } from '../limits/admission.ts';
import { LoadShedder } from '../limits/load-shedder.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';
import { restHandler } from '../rest/rest-handler.ts';
import type { AdHocQueries } from '../sandbox/ad-hoc-query.ts';
import { cacheHandler, type DropEntries } from './cache-handler.ts';
import { metricsHandler } from './metrics-handler.ts';
import { type ReceiveRows, rowsHandler } from './rows-handler.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

interface GatewayOptions extends Omit<ServerOptions, 'handlers' | 'shortcut'> {
  readonly access: Access;
  /** Without it, callers are held to nothing but what their keys allow. */
  readonly limits?: RequestLimits;
  readonly endpoints: EndpointCatalog;
  /** What the endpoints are in GraphQL. */
  readonly shape: SchemaShape;
  readonly executor: Executor;
  /** Why a query that has to run would be refused now; undefined when it would not be. */
  readonly refusal?: () => GatewayError | undefined;
  /** Plans what callers bring along in `sql` and `lql`; without it, that is refused. */
  readonly adHocQueries?: AdHocQueries;
  /** Without it there is no path to drop results by. */
  readonly purgeEntries?: DropEntries;
  /** What the executor holds; without it, only the executor answers from the cache. */
  readonly memory?: CacheMemory;
  readonly clock: Clock;
  /** What `/metrics` shows; without it there is no such path. */
  readonly metrics?: GatewayMetrics;
  readonly receiveRows: ReceiveRows;
  /** Milliseconds of waiting after which the pace of an upload is looked at. */
  readonly uploadWindowMs?: number;
  readonly config: Pick<
    Config,
    | 'requestTimeoutMs'
    | 'queryErrorsAs200'
    | 'graphiql'
    | 'metricsPublic'
    | 'uploadTimeoutMs'
    | 'uploadMinBytesPerSecond'
  > &
    GraphqlSettings;
}

/** The server of a gateway. */
export interface Gateway extends Server {
  /** From now on this is what the endpoints are in GraphQL. What has begun ends with what it began with. */
  useShape(shape: SchemaShape): void;
}

/** The gateway's server with all of its handlers. */
export function createGateway(options: GatewayOptions): Gateway {
  const { config, metrics, memory, clock, purgeEntries } = options;
  const meter = metrics?.executor ?? noMeter;
  const responses = memory && new ResponseCache({ memory, clock, meter });
  const common = {
    ...options,
    admission: admission(options.access, options.limits),
    ...(responses && { responses }),
  };
  const facesOf = (shape: SchemaShape): readonly RouteHandler[] => [
    ...(config.graphiql ? [graphiqlHandler(shape)] : []),
    graphqlHandler({
      ...common,
      schema: buildSchema(shape),
      calling: callingFields(shape),
      settings: config,
    }),
  ];
  let ofShape = facesOf(options.shape);
  const handlers: readonly RouteHandler[] = [
    restHandler({ ...common, ...config }),
    (context) => firstAnswer(ofShape, context),
    ...(purgeEntries === undefined ? [] : [cacheHandler({ ...common, purgeEntries })]),
    rowsHandler({ ...common, ...config }),
    ...(metrics === undefined
      ? []
      : [metricsHandler({ ...common, metrics, isPublic: config.metricsPublic })]),
  ];
  const isAtHand = (request: IncomingMessage) => {
    const caller = responses && callerByHeaders(request, options.access);
    return caller !== undefined && responses?.has(requestKey(request, caller)) === true;
  };
  const { refusal } = options;
  const shedder = refusal && new LoadShedder({ refusal, isAtHand });
  const shortcut = responses && responseShortcut(options.access, responses);
  const parts = { handlers, ...(shortcut && { shortcut }), ...(shedder && { shedder }) };
  const server = createServer({ ...options, ...parts, requestMeter: metrics?.requests });
  return {
    ...server,
    useShape(shape) {
      ofShape = facesOf(shape);
      responses?.clear();
    },
  };
}

function firstAnswer(handlers: readonly RouteHandler[], context: RequestContext): Promise<void> | undefined {
  for (const handler of handlers) {
    const answered = handler(context);
    if (answered !== undefined) return answered;
  }
  return undefined;
}
