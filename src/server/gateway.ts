import type { IncomingMessage } from 'node:http';
import type { Access } from '../access/access.ts';
import { cachePartition } from '../access/caller.ts';
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
import { noAnswers, ReadyAnswers } from '../graphql/http/ready-answers.ts';
import { readyShortcut } from '../graphql/http/ready-shortcut.ts';
import { buildSchema } from '../graphql/schema/build-schema.ts';
import { callingFields, type SchemaShape } from '../graphql/shape/shape.ts';
import type { Exchange, Face } from '../http/exchange.ts';
import type { Shortcut } from '../http/shortcut.ts';
import { admission } from '../limits/admission.ts';
import { LoadShedder } from '../limits/load-shedder.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { GatewayMetrics } from '../observability/metrics/gateway-metrics.ts';
import { KnownTargets } from '../rest/answers/known-targets.ts';
import { endpointFace } from '../rest/endpoint-face.ts';
import { hitShortcut } from '../rest/shortcut.ts';
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

/** What is made anew when the endpoints change. */
interface PartsOfShape {
  readonly faces: readonly Face[];
  readonly shortcut: Shortcut;
}

/** The gateway's server with all of its faces. */
export function createGateway(options: GatewayOptions): Gateway {
  const { config, metrics, memory, clock, dropEntries } = options;
  const admitting = { ...options, admission: admission(options.access, options.limits) };
  const meter = metrics?.executor ?? noMeter;
  const readyAnswers = memory && new ReadyAnswers({ memory, clock, meter });
  const targets = memory && new KnownTargets(memory.budget);
  const restShortcut = memory && targets && hitShortcut({ ...options, targets, table: memory.table, meter });
  const partsOf = (shape: SchemaShape): PartsOfShape => {
    const schema = buildSchema(shape);
    const ready = readyAnswers?.of(schema) ?? noAnswers;
    const calling = callingFields(shape);
    return {
      faces: [
        ...(config.graphiql ? [graphiqlFace(shape)] : []),
        graphqlFace({ ...admitting, schema, calling, ready, settings: config }),
      ],
      shortcut: readyShortcut({ ...options, ready }),
    };
  };
  let ofShape = partsOf(options.shape);
  const faces: readonly Face[] = [
    endpointFace({ ...admitting, ...config, ...(targets && { targets }) }),
    (exchange) => firstAnswer(ofShape.faces, exchange),
    ...(dropEntries === undefined ? [] : [cacheFace({ ...admitting, dropEntries })]),
    rowsFace({ ...admitting, ...config }),
    ...(metrics === undefined
      ? []
      : [metricsFace({ ...admitting, metrics, isPublic: config.metricsPublic })]),
  ];
  const shortcut: Shortcut = (...asked) => restShortcut?.(...asked) || ofShape.shortcut(...asked);
  const isAtHand = (request: IncomingMessage) => {
    const caller = callerByHeaders(request, options.access);
    return caller !== undefined && targets?.get(request.url ?? '', cachePartition(caller)) !== undefined;
  };
  const { refusal } = options;
  const shedder = refusal && new LoadShedder({ refusal, isAtHand });
  const parts = { faces, shortcut, ...(shedder && { shedder }) };
  const server = createServer({ ...options, ...parts, requestMeter: metrics?.requests });
  return {
    ...server,
    useShape(shape) {
      ofShape = partsOf(shape);
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
