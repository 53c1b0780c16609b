import type { Access } from '../access/access.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { EndpointCatalog } from '../endpoints/endpoint-catalog.ts';
import type { CacheMemory } from '../executor/create-executor.ts';
import type { Executor } from '../executor/executor.ts';
import { noMeter } from '../executor/meter.ts';
import { graphiqlFace } from '../graphql/graphiql/graphiql-face.ts';
import { type GraphqlSettings, graphqlFace } from '../graphql/http/graphql-face.ts';
import { ReadyAnswers } from '../graphql/http/ready-answers.ts';
import { buildSchema } from '../graphql/schema/build-schema.ts';
import { callingFields, type SchemaShape } from '../graphql/shape/shape.ts';
import type { Face } from '../http/exchange.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { type FaceName, noRequestMeter } from '../metrics/request-meter.ts';
import { KnownTargets } from '../rest/answers/known-targets.ts';
import { endpointFace } from '../rest/endpoint-face.ts';
import { hitShortcut } from '../rest/shortcut.ts';
import { meteredFace } from './metered-face.ts';
import { metricsFace } from './metrics-face.ts';
import { type ReceiveRows, rowsFace } from './rows-face.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

export interface GatewayOptions extends Omit<ServerOptions, 'faces' | 'shortcut'> {
  readonly access: Access;
  readonly endpoints: EndpointCatalog;
  /** What the endpoints are in GraphQL. */
  readonly shape: SchemaShape;
  readonly executor: Executor;
  /** What the executor holds; without it, only the executor answers from the cache. */
  readonly memory?: CacheMemory;
  readonly clock: Clock;
  /** What `/metrics` shows; without it there is no such path. */
  readonly metrics?: GatewayMetrics;
  readonly receiveRows: ReceiveRows;
  /** How long an upload may pause, in milliseconds. */
  readonly uploadPauseTimeoutMs?: number;
  readonly config: Pick<Config, 'requestTimeoutMs' | 'queryErrorsAs200' | 'graphiql' | 'metricsPublic'> &
    GraphqlSettings;
}

/** The gateway's server with all of its faces. */
export function createGateway(options: GatewayOptions): Server {
  const { shape, config, metrics, memory, clock } = options;
  const meter = metrics?.executor ?? noMeter;
  const requests = metrics?.requests ?? noRequestMeter;
  const metered = (name: FaceName, face: Face) => meteredFace(name, face, requests, clock);
  const readyAnswers = memory && new ReadyAnswers({ memory, clock, meter });
  const targets = memory && new KnownTargets(memory.budget);
  const shortcut =
    memory && targets && hitShortcut({ ...options, targets, table: memory.table, meter, requests });
  const faces = [
    metered('rest', endpointFace({ ...options, ...config, ...(targets && { targets }) })),
    ...(config.graphiql ? [graphiqlFace(shape)] : []),
    metered(
      'graphql',
      graphqlFace({
        ...options,
        schema: buildSchema(shape),
        calling: callingFields(shape),
        settings: config,
        ...(readyAnswers && { readyAnswers }),
      }),
    ),
    metered('other', rowsFace(options)),
    ...(metrics === undefined ? [] : [metricsFace({ ...options, metrics, isPublic: config.metricsPublic })]),
  ];
  return createServer({ ...options, faces, ...(shortcut && { shortcut }) });
}
