import { GatewayError } from '../../base/errors/errors.ts';
import { authoriseEndpoint } from '../../calls/access/authorise.ts';
import type { Bounds, Caller } from '../../calls/access/caller/caller.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface SegmentReader {
  readonly caller: Bounds & Partial<Pick<Caller, 'scopes'>>;
  /** Whether a segment in the form of a UUID is a name instead of an id. */
  readonly byNameOnly?: boolean;
}

/**
 * The endpoint that a path segment identifies, if the caller may call it. A segment in the form of a UUID is an id,
 * unless `byNameOnly` is set.
 *
 * @throws GatewayError FORBIDDEN, NOT_FOUND; BACKEND_UNAVAILABLE if its file has errors
 */
export function endpointOfSegment(
  segment: string,
  endpoints: EndpointCatalog,
  { caller, byNameOnly = false }: SegmentReader,
): Endpoint {
  const isId = !byNameOnly && uuid.test(segment);
  const endpoint = isId ? endpoints.byId(segment.toLowerCase()) : endpoints.byName(segment);
  const shown = segment.length > 100 ? `${segment.slice(0, 100)}…` : segment;
  authoriseEndpoint(caller, endpoint, shown);
  if (endpoint !== undefined) return endpoint;
  const why = endpoints.whyMissing(segment);
  if (why !== undefined)
    throw new GatewayError(
      'BACKEND_UNAVAILABLE',
      `The endpoint ${JSON.stringify(shown)} can't be served: ${why}`,
    );
  throw new GatewayError('NOT_FOUND', `There is no endpoint ${JSON.stringify(shown)}.`);
}
