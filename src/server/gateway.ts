import type { Access } from '../access/access.ts';
import type { Config } from '../config.ts';
import type { EndpointCatalog } from '../endpoints/endpoint-catalog.ts';
import type { Executor } from '../executor/executor.ts';
import { endpointFace } from '../rest/endpoint-face.ts';
import { type ReceiveRows, rowsFace } from './rows-face.ts';
import { createServer, type Server, type ServerOptions } from './server.ts';

export interface GatewayOptions extends Omit<ServerOptions, 'faces'> {
  readonly access: Access;
  readonly endpoints: EndpointCatalog;
  readonly executor: Executor;
  readonly receiveRows: ReceiveRows;
  /** How long an upload may pause, in milliseconds. */
  readonly uploadPauseTimeoutMs?: number;
  readonly config: Pick<Config, 'requestTimeoutMs' | 'queryErrorsAs200'>;
}

/** The gateway's server with all of its faces. GraphQL takes its place in the list. */
export function createGateway(options: GatewayOptions): Server {
  const faces = [endpointFace({ ...options, ...options.config }), rowsFace(options)];
  return createServer({ ...options, faces });
}
