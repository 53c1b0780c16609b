import { GatewayError } from '../../base/errors/errors.ts';
import { type Bounds, type Caller, isBounded } from '../../calls/access/caller/caller.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { EndpointShape, SchemaShape } from '../graphql/shape/shape.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { KeyedCall, KeyedHandler } from '../http/route.ts';
import { endpointOfSegment } from '../rest/endpoint-of-segment.ts';
import { documentAnswer } from './document-answer.ts';
import {
  callableShapes,
  describeEndpoint,
  describeFully,
  type EndpointActivity,
} from './endpoints/describe-endpoint.ts';
import { endpointPaths } from './openapi/endpoint-paths.ts';
import { callFailures, errorResponses, errorSchema, routeFailures } from './openapi/error-responses.ts';
import { gatewayPaths } from './openapi/gateway-paths.ts';
import { OperationIds } from './openapi/operation-ids.ts';

export interface DiscoveryOptions {
  /** What endpoints have done in this process. */
  readonly activities: () => (endpoint: Endpoint) => EndpointActivity;
  readonly config: Pick<Config, 'engines'>;
}

/**
 * What the caller may call: `GET /api/endpoints`, `GET /api/endpoints/<name or id>`, and `GET /api/openapi.json`. Keys see
 * only what they may call, with the values that they may give.
 *
 * `activity=true` adds what they have done in this process. Without it, an answer is the same until endpoints change.
 *
 * @param current the endpoints that are served now
 */
export function discoveryHandlers(
  current: () => SchemaShape,
  { activities, config }: DiscoveryOptions,
): Readonly<Record<'list' | 'one' | 'openApi', KeyedHandler>> {
  const document =
    (describe: (call: KeyedCall) => object): KeyedHandler =>
    async (call) =>
      documentAnswer(call.context.request, describe(call));
  return {
    list: document(({ context, caller }) => {
      const activityOf = wantedActivities(context, caller, activities);
      const describe = (one: EndpointShape) => describeEndpoint(one, activityOf(one.endpoint));
      return { endpoints: callableShapes(caller, current()).map(describe) };
    }),
    one: document(({ context, caller, segment }) => {
      const shape = current();
      const endpoints = endpointCatalog(shape.endpoints.map(({ endpoint }) => endpoint));
      const { id, name } = endpointOfSegment(segment, endpoints, { caller });
      const described = callableShapes(caller, shape).find(({ endpoint }) => endpoint.id === id);
      if (described !== undefined) {
        const activity = wantedActivities(context, caller, activities)(described.endpoint);
        return describeFully(described, { activity, showsDefinition: !isBounded(caller) });
      }
      throw new GatewayError('FORBIDDEN', `This key may not call the endpoint ${JSON.stringify(name)}.`);
    }),
    openApi: document(({ caller }) => openApiDocument(caller, current(), config.engines)),
  };
}

/**
 * What endpoints have done is about the calls of everybody. A key that is bound to values would see those of others.
 *
 * @throws GatewayError if `activity` is neither true nor false
 */
function wantedActivities(
  { query }: RequestContext,
  { projects, pins }: Bounds,
  activities: DiscoveryOptions['activities'],
): (endpoint: Endpoint) => EndpointActivity | undefined {
  const wanted = new URLSearchParams(query).get('activity') ?? 'false';
  if (wanted === 'false') return () => undefined;
  if (wanted === 'true') {
    const isBoundToValues = projects !== undefined || pins !== undefined;
    return isBoundToValues ? () => undefined : activities();
  }
  const message = `Parameter "activity" must be true or false, not ${JSON.stringify(wanted.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'activity' });
}

/**
 * The OpenAPI document of what the caller may call: its endpoints with their parameters and rows, and the routes about
 * them. The server is relative, so that the document is right behind any proxy.
 *
 * @param engines the names that an engine can have
 *
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 */
function openApiDocument(caller: Caller, shape: SchemaShape, engines: readonly string[]): object {
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
