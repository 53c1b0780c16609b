import { GatewayError } from '../../base/errors/errors.ts';
import { authorise } from '../../calls/access/authorise.ts';
import type { InvalidationFilter } from '../../calls/executor/entries/entry-store.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import type {
  GivenParameters,
  GivenValue,
} from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { versionsOf } from '../../definitions/endpoints/versions.ts';
import { canonicalValue } from '../../sql/values/canonical-value.ts';
import { keyParameter } from '../http/request/query-parameters.ts';
import { type Answer, jsonAnswer } from '../http/response/answer.ts';
import type { KeyedCall, KeyedHandler, RouteCall } from '../http/route.ts';
import { endpointOfSegment } from '../rest/endpoint-of-segment.ts';
import { decodePairs, pickWanted, wantedKeys } from '../rest/parameters/text-pairs.ts';

/** Purges matching entries here and in all replicas. Returns their number. */
export type PurgeEntries = (filter: InvalidationFilter) => Promise<number>;

interface CacheHandlerOptions {
  readonly endpoints: EndpointCatalog;
  readonly purgeEntries: PurgeEntries;
}

/**
 * `DELETE /api/endpoints/cache/<name or id>[?<parameter>=<value>...]`: purges the cached results of an endpoint, or those
 * with these values, of all of its versions. `DELETE /api/endpoints/cache` purges those of all endpoints.
 */
export function cacheHandlers(options: CacheHandlerOptions): Readonly<Record<'all' | 'one', KeyedHandler>> {
  return { all: (call) => purgeAll(call, options), one: (call) => purge(call, options) };
}

async function purgeAll({ context }: RouteCall, { purgeEntries }: CacheHandlerOptions): Promise<Answer> {
  context.logFields.changes = [{ action: 'cache.purged' }];
  const parameter = decodePairs(context.query).find(([name]) => name !== keyParameter)?.[0];
  if (parameter !== undefined) {
    const message = `Parameters restrict the purge of one endpoint: name it in the path, or leave out ${JSON.stringify(parameter)}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter });
  }
  return jsonAnswer(200, JSON.stringify({ dropped: await purgeEntries({}) }));
}

async function purge(
  { context: { query, logFields }, caller, segment }: KeyedCall,
  { endpoints, purgeEntries }: CacheHandlerOptions,
): Promise<Answer> {
  const newest = endpointOfSegment(segment, endpoints, { caller });
  logFields.changes = [{ action: 'cache.purged', target: newest.name }];
  const pairs = decodePairs(query).filter(([name]) => name !== keyParameter);
  const filterOf = (endpoint: Endpoint) => {
    const wanted = wantedKeys(endpoint.parameters);
    const others = pairs.filter(([name]) => !wanted.has(name));
    const given = new Map<string, GivenValue>([...others, ...pickWanted(pairs, wanted)]);
    return readFilter(endpoint, authorise(caller, endpoint, given));
  };
  const parameters = filterOf(newest);
  if (parameters.size === 0)
    return jsonAnswer(200, JSON.stringify({ dropped: await purgeEntries({ endpointId: newest.id }) }));
  // Versions declare their parameters in orders of their own. One that lacks some of them has no results with these values.
  const names = new Set([...parameters.keys()].map((index) => newest.parameters[index]?.name ?? ''));
  const versions = versionsOf(newest).filter(({ parameters: own }) =>
    [...names].every((name) => own.some((parameter) => parameter.name === name)),
  );
  let dropped = 0;
  for (const endpoint of versions) {
    const version = newest.older === undefined ? undefined : { only: endpoint.version };
    dropped += await purgeEntries({
      ...{ endpointId: endpoint.id, parameters: filterOf(endpoint) },
      ...(version && { version }),
    });
  }
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
