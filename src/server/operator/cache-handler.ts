import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { authorise, requireUnrestricted } from '../../calls/access/authorise.ts';
import type { InvalidationFilter } from '../../calls/executor/entries/entry-store.ts';
import { canonicalValue } from '../../calls/executor/entries/query-key.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type { GivenParameters, GivenValue } from '../../definitions/endpoints/parameters/given.ts';
import { keyParameter } from '../http/request/key-in-query.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/response/answer.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import type { Admission } from '../limits/admission.ts';
import { endpointOfSegment } from '../rest/endpoint-of-segment.ts';
import { decodePairs, pickWanted } from '../rest/parameters/text-pairs.ts';
import { wantedKeys } from '../rest/parameters/wanted-keys.ts';

/** Purges matching entries here and in all replicas. Returns their number. */
export type PurgeEntries = (filter: InvalidationFilter) => Promise<number>;

interface CacheHandlerOptions {
  readonly admission: Admission;
  readonly endpoints: EndpointCatalog;
  readonly purgeEntries: PurgeEntries;
  readonly log: Log;
}

const ofAll = /^\/api\/endpoints\/cache\/?$/;
const ofOne = /^\/api\/endpoints\/cache\/([^/]+)\/?$/;

/**
 * `DELETE /api/endpoints/cache/<name or id>[?<parameter>=<value>...]`: purges the cached results of an endpoint, or those
 * with these values. `DELETE /api/endpoints/cache` purges those of all endpoints.
 */
export function cacheHandler(options: CacheHandlerOptions): RouteHandler {
  return routeHandler(['/api/endpoints/cache', '/api/endpoints/cache/{endpoint}'], (context) => {
    // With other methods, the path is that of an endpoint named "cache".
    if (ofAll.test(context.path) && context.request.method === 'DELETE') {
      return answerPurge(context, () => purgeAll(context, options), options);
    }
    const segment = ofOne.exec(context.path)?.[1];
    return segment === undefined
      ? undefined
      : answerPurge(context, () => purge(context, segment, options), options);
  });
}

async function answerPurge(
  context: RequestContext,
  purging: () => Promise<Answer>,
  { log }: CacheHandlerOptions,
): Promise<void> {
  try {
    sendAnswer(context, await purging());
  } catch (thrown) {
    const error = disclose(thrown, context, log);
    sendAnswer(context, errorAnswer(error));
  }
}

async function purgeAll(
  context: RequestContext,
  { admission, purgeEntries }: CacheHandlerOptions,
): Promise<Answer> {
  requireUnrestricted(await admission.admit(context, 'admin'));
  const parameter = decodePairs(context.query).find(([name]) => name !== keyParameter)?.[0];
  if (parameter !== undefined) {
    const message = `Parameters restrict the purge of one endpoint: name it in the path, or leave out ${JSON.stringify(parameter)}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter });
  }
  return jsonAnswer(200, JSON.stringify({ dropped: await purgeEntries({}) }));
}

async function purge(
  context: RequestContext,
  segment: string,
  { admission, endpoints, purgeEntries }: CacheHandlerOptions,
): Promise<Answer> {
  const { request, query } = context;
  const caller = await admission.admit(context, 'admin');
  if (request.method !== 'DELETE') throw methodNotAllowed('DELETE');
  const endpoint = endpointOfSegment(segment, endpoints, { caller });
  const pairs = decodePairs(query).filter(([name]) => name !== keyParameter);
  const wanted = wantedKeys(endpoint.parameters);
  const others = pairs.filter(([name]) => !wanted.has(name));
  const given = authorise(
    caller,
    endpoint,
    new Map<string, GivenValue>([...others, ...pickWanted(pairs, wanted)]),
  );
  const parameters = readFilter(endpoint, given);
  const dropped = await purgeEntries({
    endpointId: endpoint.id,
    ...(parameters.size > 0 && { parameters }),
  });
  return jsonAnswer(200, JSON.stringify({ dropped }));
}

/** The given parameters in the form that query keys use, by position. */
function readFilter(endpoint: Endpoint, given: GivenParameters): ReadonlyMap<number, unknown> {
  const names = endpoint.parameters.map(({ name }) => name);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const has = names.length === 0 ? 'no parameters' : `only ${names.join(', ')}`;
    const message = `There is no parameter ${unknown.map((name) => JSON.stringify(name)).join(', ')}: the endpoint has ${has}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: unknown[0] ?? '' });
  }
  const parameters = endpoint.parameters.filter(({ name }) => given.has(name));
  const values = coerceParameters({ parameters }, given);
  return new Map([...values].map(([name, value]) => [names.indexOf(name), canonicalValue(value)]));
}
