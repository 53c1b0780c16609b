import type { Caller } from '../../../calls/access/caller/caller.ts';
import type { SchemaShape } from '../../graphql/shape/shape.ts';
import { callableShapes } from '../endpoints/describe-endpoint.ts';
import { endpointPaths } from './endpoint-paths.ts';
import { callFailures, errorResponses, errorSchema, routeFailures } from './error-responses.ts';
import { gatewayPaths } from './gateway-paths.ts';
import { OperationIds } from './operation-ids.ts';

/**
 * The OpenAPI document of what the caller may call: its endpoints with their parameters and rows, and the routes about
 * them. The server is relative, so that the document is right behind any proxy.
 *
 * @param engines the names that an engine can have
 *
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument(caller: Caller, shape: SchemaShape, engines: readonly string[]): object {
  const endpoints = caller.scopes.has('query') ? callableShapes(caller, shape) : [];
  const ids = new OperationIds(endpoints);
  const described = endpoints.map((endpoint) => endpointPaths(endpoint, ids));
  return {
    openapi: '3.1.1',
    info: {
      title: 'endpoint-gateway',
      version: '1',
      description:
        'Stored, parameterised SQL queries as HTTP endpoints. The document lists what the key of its request may call.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      ...(described.length === 0 ? [] : [{ name: 'Endpoints', description: 'The stored queries.' }]),
      { name: 'Gateway', description: 'What the gateway serves, and its management.' },
    ],
    paths: Object.assign({}, ...described.map(({ paths }) => paths), gatewayPaths(caller, ids, engines)),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: {
        GatewayError: errorSchema,
        ...Object.assign({}, ...described.map(({ schemas }) => schemas)),
      },
      responses: errorResponses(described.length === 0 ? routeFailures : callFailures),
    },
  };
}
