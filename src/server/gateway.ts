import type { Access } from '../access/access.ts';
import type { Config } from '../config.ts';
import type { EndpointCatalog } from '../endpoints/endpoint-catalog.ts';
import type { Executor } from '../executor/executor.ts';
import { graphiqlFace } from '../graphql/graphiql/graphiql-face.ts';
import { type GraphqlSettings, graphqlFace } from '../graphql/http/graphql-face.ts';
import { buildSchema } from '../graphql/schema/build-schema.ts';
import { callingFields, type SchemaShape } from '../graphql/shape/shape.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { endpointFace } from '../rest/endpoint-face.ts';
import { metricsFace } from './metrics-face.ts';
import { type ReceiveRows, rowsFace } from './rows-face.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

export interface GatewayOptions extends Omit<ServerOptions, 'faces'> {
  readonly access: Access;
  readonly endpoints: EndpointCatalog;
  /** What the endpoints are in GraphQL. */
  readonly shape: SchemaShape;
  readonly executor: Executor;
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
  const { shape, config, metrics } = options;
  const faces = [
    endpointFace({ ...options, ...config }),
    ...(config.graphiql ? [graphiqlFace(shape)] : []),
    graphqlFace({
      ...options,
      schema: buildSchema(shape),
      calling: callingFields(shape),
      settings: config,
    }),
    rowsFace(options),
    ...(metrics === undefined ? [] : [metricsFace({ ...options, metrics, isPublic: config.metricsPublic })]),
  ];
  return createServer({ ...options, faces });
}
