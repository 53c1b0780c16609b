import { GatewayError } from '../../base/errors/errors.ts';
import { authoriseEndpoint } from '../../calls/access/authorise.ts';
import type { Bounds } from '../../calls/access/caller/caller.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { percentDecode } from '../http/request/percent-decoding.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface SegmentReader {
  readonly caller: Bounds;
  /** Whether a segment in the form of a UUID is a name as well. */
  readonly byNameOnly?: boolean;
}

/**
 * The endpoint that a path segment identifies, if the caller may call it. A segment in the form of a UUID is an id,
 * unless `byNameOnly` is set.
 *
 * @param segment still percent-encoded
 * @throws GatewayError BAD_USER_INPUT, FORBIDDEN, NOT_FOUND
 */
export function endpointOfSegment(
  segment: string,
  endpoints: EndpointCatalog,
  { caller, byNameOnly = false }: SegmentReader,
): Endpoint {
  const reference = percentDecode(segment);
  if (reference === undefined) {
    throw new GatewayError('BAD_USER_INPUT', 'The percent-encoding of the path is not valid UTF-8.');
  }
  const isId = !byNameOnly && uuid.test(reference);
  const endpoint = isId ? endpoints.byId(reference.toLowerCase()) : endpoints.byName(reference);
  const shown = reference.length > 100 ? `${reference.slice(0, 100)}…` : reference;
  authoriseEndpoint(caller, endpoint, shown);
  if (endpoint !== undefined) return endpoint;
  throw new GatewayError('NOT_FOUND', `There is no endpoint ${JSON.stringify(shown)}.`);
}
