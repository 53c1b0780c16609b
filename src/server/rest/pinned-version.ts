import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { versionsOf } from '../../definitions/endpoints/versions.ts';
import { versionHeader } from '../http/request/gateway-headers.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { decodePairs } from './parameters/text-pairs.ts';

/** The key of a query string that pins a version. */
const versionKey = 'version';

/**
 * The version that a request pins by `?version=`, by the header `LF-Endpoint-Version` or in its path, as written; undefined if it
 * pins none.
 *
 * @param inPath what the path has
 * @throws GatewayError BAD_USER_INPUT if it pins several
 */
export function pinnedVersion(
  newest: Endpoint,
  { query, request: { headersDistinct } }: Pick<RequestContext, 'query' | 'request'>,
  inPath?: string,
): string | undefined {
  const inQuery = isPin(versionKey, newest)
    ? decodePairs(query).flatMap(([key, value]) => (key === versionKey ? [value] : []))
    : [];
  const pins = new Set([...inQuery, ...(headersDistinct[versionHeader] ?? [])]);
  if (inPath !== undefined) pins.add(inPath);
  if (pins.size <= 1) return [...pins][0];
  const shown = [...pins].map((pin) => JSON.stringify(pin.slice(0, 60))).join(', ');
  throw new GatewayError('BAD_USER_INPUT', `The request pins several versions: ${shown}.`, {
    parameter: versionKey,
  });
}

/**
 * Whether a key of a query string pins a version. Where any version of the endpoint declares a parameter of that name, it is that
 * parameter's, as it was before there were versions.
 */
export function isPin(key: string, newest: Endpoint): boolean {
  if (key !== versionKey) return false;
  return !versionsOf(newest).some(({ parameters }) => parameters.some(({ name }) => name === versionKey));
}
