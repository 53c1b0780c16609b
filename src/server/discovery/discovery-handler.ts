import { GatewayError } from '../../base/errors/errors.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import { version } from '../../base/version.ts';
import { type Bounds, type Caller, isBounded, isRestricted } from '../../calls/access/caller/caller.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { versionOf } from '../../definitions/endpoints/versions.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { callableShapes } from '../graphql/shape/callable-shapes.ts';
import { allVersions, type EndpointShape, type SchemaShape } from '../graphql/shape/shape.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { documentAnswer } from '../http/response/document-answer.ts';
import type { KeyedCall, KeyedHandler } from '../http/route.ts';
import { endpointOfSegment } from '../rest/endpoint-of-segment.ts';
import { pinnedVersion } from '../rest/pinned-version.ts';
import { describeEndpoint, describeFully, type EndpointActivity } from './describe-endpoint.ts';
import { endpointPaths, OperationIds } from './openapi/endpoint-paths.ts';
import { callFailures, errorResponses, errorSchema, routeFailures } from './openapi/error-responses.ts';
import { gatewayPaths } from './openapi/gateway-paths.ts';

export interface DiscoveryOptions {
  /** What endpoints have done in this process. */
  readonly activities: () => (endpoint: Endpoint) => EndpointActivity;
  /** Why an endpoint's calls fail at present. Undefined if they don't. */
  readonly unavailable?: ((endpoint: Endpoint) => string | undefined) | undefined;
  readonly config: Pick<Config, 'engines'>;
}

/**
 * Describes the endpoints that the caller may call, with the values that its key allows: `GET /api/endpoints`, `GET
 * /api/endpoints/<name or id>`, and `GET /api/openapi.json`.
 *
 * `activity=true` adds their activity in this process. Without it, an answer is the same until endpoints change.
 *
 * @param current the endpoints that are served now
 */
export function discoveryHandlers(
  current: () => SchemaShape,
  { activities, unavailable = () => undefined, config }: DiscoveryOptions,
): Readonly<Record<'list' | 'one' | 'openApi', KeyedHandler>> {
  const document =
    (describe: (call: KeyedCall) => object): KeyedHandler =>
    async (call) =>
      documentAnswer(call.context.request, describe(call));
  return {
    list: document(({ context, caller }) => {
      const activityOf = wantedActivities(context, caller, activities);
      const shape = current();
      const describe = (one: EndpointShape) =>
        describeEndpoint(one, {
          activity: activityOf(one.endpoint),
          unavailable: unavailable(one.endpoint),
          stale: errorsOf(one.endpoint, shape, caller),
        });
      return {
        endpoints: callableShapes(caller, shape).map(describe),
        ...(!isBounded(caller) && unavailableIn(shape)),
      };
    }),
    one: document(({ context, caller, segment }) => {
      const shape = current();
      const endpoints = endpointCatalog(
        [...shape.endpoints, ...(shape.ofSources ? [shape.ofSources] : [])].map(({ endpoint }) => endpoint),
        shape.unavailable,
      );
      const newest = endpointOfSegment(segment, endpoints, { caller });
      const { id, name, number } = versionOf(newest, pinnedVersion(newest, context));
      const own = callableShapes(caller, shape).filter(({ endpoint }) => endpoint.id === id);
      const described = allVersions({ endpoints: own }).find(({ endpoint }) => endpoint.number === number);
      if (described !== undefined) {
        const activity = wantedActivities(context, caller, activities)(described.endpoint);
        const stale = errorsOf(described.endpoint, shape, caller);
        return describeFully(described, {
          ...{ activity, stale, unavailable: unavailable(described.endpoint) },
          showsDefinition: !isBounded(caller),
        });
      }
      throw new GatewayError('FORBIDDEN', `This key may not call the endpoint ${JSON.stringify(name)}.`);
    }),
    openApi: document(({ caller }) => openApiDocument(caller, current(), config.engines)),
  };
}

/**
 * The errors in an endpoint's file, if it is served as it was before them. They may show the stored query: callers who may not
 * see it learn that there are errors.
 */
function errorsOf({ id }: Endpoint, { stale }: SchemaShape, caller: Bounds): readonly string[] | undefined {
  const problems = stale?.get(id);
  return problems?.map((problem) =>
    isBounded(caller) ? 'The file of this endpoint has errors.' : formatProblem(problem),
  );
}

/** The endpoints that can't be served, with the errors in their files. Absent if there are none. */
function unavailableIn({ unavailable = [] }: SchemaShape): object {
  if (unavailable.length === 0) return {};
  const described = unavailable.map(({ id, name, problems }) => ({
    id,
    name,
    errors: problems.map(formatProblem),
  }));
  return { unavailable: described };
}

/**
 * The activity of endpoints, if it is requested. It covers the calls of all callers, so keys that are bound to values
 * don't get it.
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
 * The OpenAPI document for the caller: its endpoints with their parameters and rows, and the routes of the gateway that
 * it may use. The server is relative, so that the document works behind any proxy.
 *
 * @param engines the names that an engine can have
 *
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 */
function openApiDocument(caller: Caller, shape: SchemaShape, engines: readonly string[]): object {
  const endpoints = caller.scopes.has('query') ? callableShapes(caller, shape) : [];
  const versions = allVersions({ endpoints });
  const ids = new OperationIds(versions);
  const described = versions.map((version) => endpointPaths(version, ids));
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

/**
 * `GET /api/functions`: the SQL functions that ad-hoc queries can call, for editors that complete their names.
 *
 * @param functions lists them
 */
export function functionsHandler(functions: () => Promise<readonly CallableFunction[]>): KeyedHandler {
  return async ({ context }) => documentAnswer(context.request, { functions: await functions() });
}

interface CallerOptions {
  /** Whether queries cost money. */
  readonly isBilled: boolean;
  /** Undefined if the gateway writes no files of endpoints. */
  readonly writeEndpoint: unknown;
  /** Undefined if the gateway helps with no texts of endpoints. */
  readonly editing: unknown;
  /** Undefined if the gateway pushes no branches. */
  readonly pushEndpoint: unknown;
  readonly config: Pick<Config, 'engine'>;
}

/** The answer of `GET /api/caller`. */
interface CallerDescription {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whether it may call only some endpoints, or only with some values. */
  readonly restricted: boolean;
  readonly redact: boolean;
  /** When the key or token stops being valid, in RFC 3339; null if it does not. */
  readonly expires: string | null;
  readonly engine: Config['engine'];
  /** Whether queries cost money. */
  readonly billed: boolean;
  /** Whether it may make files of endpoints, as in `dev`. */
  readonly writesEndpoints: boolean;
  /** Whether it gets help with the texts of endpoints, and may try them. */
  readonly editsEndpoints: boolean;
  /** Whether it may push them to branches of their repository. */
  readonly pushesEndpoints: boolean;
  /** Of the gateway. */
  readonly version: string;
}

/** `GET /api/caller`: the name and the permissions of the key. */
export function callerHandler(options: CallerOptions): KeyedHandler {
  return async ({ caller }) => {
    const body = JSON.stringify(describe(caller, options));
    return jsonAnswer(200, body, { 'Cache-Control': 'private, no-store' });
  };
}

function describe(
  caller: Caller,
  { config, isBilled, writeEndpoint, editing, pushEndpoint }: CallerOptions,
): CallerDescription {
  const { name, scopes, redact, expires } = caller;
  const isOperator = scopes.has('admin') && !isRestricted(caller);
  return {
    ...{ name, scopes: [...scopes], restricted: isRestricted(caller), redact },
    expires: expires === undefined ? null : new Date(expires).toISOString(),
    engine: config.engine,
    billed: isBilled,
    writesEndpoints: writeEndpoint !== undefined && isOperator,
    editsEndpoints: editing !== undefined && isOperator,
    pushesEndpoints: editing !== undefined && pushEndpoint !== undefined && isOperator,
    version,
  };
}
