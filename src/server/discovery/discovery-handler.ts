import { GatewayError } from '../../base/errors/errors.ts';
import { type Bounds, isBounded } from '../../calls/access/caller/caller.ts';
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
import { openApiDocument } from './openapi/document.ts';

export interface DiscoveryOptions {
  /** What endpoints have done in this process. If omitted, none has done anything. */
  readonly activities?: (() => (endpoint: Endpoint) => EndpointActivity) | undefined;
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
    return (isBoundToValues ? undefined : activities?.()) ?? (() => undefined);
  }
  const message = `Parameter "activity" must be true or false, not ${JSON.stringify(wanted.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'activity' });
}
