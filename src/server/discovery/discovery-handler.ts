import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { type Bounds, isBounded } from '../../calls/access/caller/caller.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { EndpointShape, SchemaShape } from '../graphql/shape/shape.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { answerDocument } from '../http/response/answer-document.ts';
import type { Admission } from '../limits/admission.ts';
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
  readonly admission: Admission;
  /** What endpoints have done in this process. If omitted, none has done anything. */
  readonly activities?: (() => (endpoint: Endpoint) => EndpointActivity) | undefined;
  readonly log: Log;
  readonly config: Pick<Config, 'engines'>;
}

const list = /^\/api\/endpoints\/?$/;
const one = /^\/api\/endpoints\/([^/]+)\/?$/;
const openApi = '/api/openapi.json';

/** Makes the document that a path asks for. */
type Describe = (context: RequestContext) => Promise<object>;

/**
 * What the caller may call: `GET /api/endpoints`, `GET /api/endpoints/<name or id>`, and `GET /api/openapi.json`. Keys see
 * only what they may call, with the values that they may give.
 *
 * `activity=true` adds what they have done in this process. Without it, an answer is the same until endpoints change.
 *
 * @param current the endpoints that are served now: they may be replaced while a caller is admitted
 */
export function discoveryHandler(
  current: () => SchemaShape,
  { admission, activities, log, config }: DiscoveryOptions,
): RouteHandler {
  function describeOf(path: string): Describe | undefined {
    if (list.test(path)) {
      return async (context) => {
        const caller = await admission.admit(context, 'query');
        const activityOf = wantedActivities(context, caller, activities);
        const describe = (one: EndpointShape) => describeEndpoint(one, activityOf(one.endpoint));
        return { endpoints: callableShapes(caller, current()).map(describe) };
      };
    }
    // Its callers may have other scopes: the document says what they may do.
    if (path === openApi) {
      return async (context) => {
        const caller = await admission.admit(context);
        return openApiDocument(caller, current(), config.engines);
      };
    }
    const segment = one.exec(path)?.[1];
    if (segment === undefined) return undefined;
    return async (context) => {
      const caller = await admission.admit(context, 'query');
      const shape = current();
      const endpoints = endpointCatalog(shape.endpoints.map(({ endpoint }) => endpoint));
      const { id, name } = endpointOfSegment(segment, endpoints, { caller });
      const described = callableShapes(caller, shape).find(({ endpoint }) => endpoint.id === id);
      if (described !== undefined) {
        const activity = wantedActivities(context, caller, activities)(described.endpoint);
        return describeFully(described, { activity, showsDefinition: !isBounded(caller) });
      }
      throw new GatewayError('FORBIDDEN', `This key may not call the endpoint ${JSON.stringify(name)}.`);
    };
  }

  return routeHandler(['/api/endpoints', '/api/endpoints/{endpoint}', openApi], (context) => {
    const describe = describeOf(context.path);
    if (describe === undefined) return undefined;
    return answerDocument(context, log, async () => documentAnswer(context.request, await describe(context)));
  });
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
