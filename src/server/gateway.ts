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
import { graphiqlFace } from '../graphql/graphiql/graphiql-face.ts';
import { type GraphqlSettings, graphqlFace } from '../graphql/http/graphql-face.ts';
import { buildSchema } from '../graphql/schema/build-schema.ts';
import { callingFields, type SchemaShape } from '../graphql/shape/shape.ts';
import type { Exchange, Face } from '../http/exchange.ts';
import { requestKey } from '../http/response-cache/request-key.ts';
import { ResponseCache } from '../http/response-cache/response-cache.ts';
import { responseShortcut } from '../http/response-cache/shortcut.ts';
import { admission } from '../limits/admission.ts';
import { LoadShedder } from '../limits/load-shedder.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';
import { endpointFace } from '../rest/endpoint-face.ts';
import type { AdHocQueries } from '../sandbox/ad-hoc-query.ts';
import { cacheFace, type DropEntries } from './cache-face.ts';
import { metricsFace } from './metrics-face.ts';
import { type ReceiveRows, rowsFace } from './rows-face.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

interface GatewayOptions extends Omit<ServerOptions, 'faces' | 'shortcut'> {
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
  readonly ownQueries?: AdHocQueries;
  /** Without it there is no path to drop results by. */
  readonly dropEntries?: DropEntries;
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

/** The gateway's server with all of its faces. */
export function createGateway(options: GatewayOptions): Gateway {
  const { config, metrics, memory, clock, dropEntries } = options;
  const meter = metrics?.executor ?? noMeter;
  const responses = memory && new ResponseCache({ memory, clock, meter });
  const common = {
    ...options,
    admission: admission(options.access, options.limits),
    ...(responses && { responses }),
  };
  const facesOf = (shape: SchemaShape): readonly Face[] => [
    ...(config.graphiql ? [graphiqlFace(shape)] : []),
    graphqlFace({ ...common, schema: buildSchema(shape), calling: callingFields(shape), settings: config }),
  ];
  let ofShape = facesOf(options.shape);
  const faces: readonly Face[] = [
    endpointFace({ ...common, ...config }),
    (exchange) => firstAnswer(ofShape, exchange),
    ...(dropEntries === undefined ? [] : [cacheFace({ ...common, dropEntries })]),
    rowsFace({ ...common, ...config }),
    ...(metrics === undefined ? [] : [metricsFace({ ...common, metrics, isPublic: config.metricsPublic })]),
  ];
  const isAtHand = (request: IncomingMessage) => {
    const caller = responses && callerByHeaders(request, options.access);
    return caller !== undefined && responses?.has(requestKey(request, caller)) === true;
  };
  const { refusal } = options;
  const shedder = refusal && new LoadShedder({ refusal, isAtHand });
  const shortcut = responses && responseShortcut(options.access, responses);
  const parts = { faces, ...(shortcut && { shortcut }), ...(shedder && { shedder }) };
  const server = createServer({ ...options, ...parts, requestMeter: metrics?.requests });
  return {
    ...server,
    useShape(shape) {
      ofShape = facesOf(shape);
      responses?.clear();
    },
  };
}

function firstAnswer(faces: readonly Face[], exchange: Exchange): Promise<void> | undefined {
  for (const face of faces) {
    const answered = face(exchange);
    if (answered !== undefined) return answered;
  }
  return undefined;
}
