import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { GivenParameters } from '../../endpoints/parameters/given.ts';
import { keyParameter } from '../../http/key-in-query.ts';
import { isJson, readMediaType, unsupportedMediaType } from '../../http/media-type.ts';
import { hasBody, readBody } from '../../http/read-body.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { formKeys } from '../answers/answer-form.ts';
import { liveKeys } from '../live/live-parameters.ts';
import { dryRunKey } from './asks-for-estimate.ts';
import { parseJsonBody } from './json-body.ts';
import { bodyLimits, maxFormFields } from './limits.ts';
import { parseMultipartBody } from './multipart-body.ts';
import { nothingRead, type ReadParameters } from './read-keys.ts';
import { checkFieldCount, decodePairs, pickWanted } from './text-pairs.ts';
import { type WantedKeys, wantedKeys } from './wanted-keys.ts';

const callerQueryKeys = ['sql', 'lql'];

/**
 * Reads the endpoint's parameters, a possible ad-hoc query under `sql` or `lql`, and whether an estimate is requested.
 * They come from the query string and the body, which takes precedence. Source: contract section (c).
 *
 * @param current the endpoint as it is now: endpoints may be replaced while a body arrives
 * @returns also the endpoint whose parameters were read
 * @throws GatewayError naming what is malformed, too large or not supported; the signal's reason when it is aborted
 */
export async function readParameters(
  context: RequestContext,
  current: () => Endpoint,
  signal: AbortSignal,
): Promise<ReadParameters & { readonly endpoint: Endpoint }> {
  const wanted = () =>
    wantedKeys(current().parameters, [...callerQueryKeys, dryRunKey, ...formKeys, ...liveKeys]);
  const pairs = decodePairs(context.query);
  const body =
    context.request.method === 'POST'
      ? await readPostBody(context, wanted, signal)
      : hasBody(context.request)
        ? await readGetBody(context, current(), keysOfPairs(pairs, wanted()).given, signal)
        : nothingRead;
  const query = keysOfPairs(pairs, wanted());
  return {
    endpoint: current(),
    given: new Map([...withoutEmptyQueries(query.given), ...withoutEmptyQueries(body.given)]),
    ignored: new Set([...query.ignored, ...body.ignored]),
  };
}

function keysOfPairs(pairs: readonly (readonly [string, string])[], wanted: WantedKeys): ReadParameters {
  const others = pairs.map(([key]) => key).filter((key) => !wanted.has(key) && key !== keyParameter);
  return { given: pickWanted(pairs, wanted), ignored: new Set(others) };
}

async function readPostBody(
  context: RequestContext,
  wanted: () => WantedKeys,
  signal: AbortSignal,
): Promise<ReadParameters> {
  const type = readMediaType(context.request.headers['content-type']);
  if (type === undefined) return nothingRead;
  if (isJson(type)) {
    const body = await readBody(context, bodyLimits.json, signal);
    return parseJsonBody(body, wanted());
  }
  switch (type.essence) {
    case 'application/x-www-form-urlencoded': {
      const body = (await readBody(context, bodyLimits.form, signal)).toString('latin1');
      checkFieldCount(body.split('&', maxFormFields + 1).length);
      return keysOfPairs(decodePairs(body), wanted());
    }
    case 'multipart/form-data': {
      const body = await readBody(context, bodyLimits.multipart, signal);
      const pairs = await parseMultipartBody(body, type.header);
      return keysOfPairs(pairs, wanted());
    }
    default:
      throw unsupportedMediaType(type.header);
  }
}

/** Reads the body of a GET, which can contain an ad-hoc query and nothing else. */
async function readGetBody(
  context: RequestContext,
  endpoint: Endpoint,
  fromQuery: GivenParameters,
  signal: AbortSignal,
): Promise<ReadParameters> {
  const inQuery = callerQueryKeys.some((key) => withoutEmptyQueries(fromQuery).has(key));
  if (!endpoint.sandbox || inQuery) return nothingRead;
  const type = readMediaType(context.request.headers['content-type']);
  if (type === undefined) return nothingRead;
  if (!isJson(type)) throw unsupportedMediaType(type.header);
  return parseJsonBody(
    await readBody(context, bodyLimits.jsonOfGet, signal),
    wantedKeys([], callerQueryKeys),
  );
}

/** Removes empty queries, which count as absent: they don't override one given elsewhere. Contract, section (d). */
function withoutEmptyQueries(given: GivenParameters): GivenParameters {
  return new Map([...given].filter(([key, text]) => !callerQueryKeys.includes(key) || text));
}
