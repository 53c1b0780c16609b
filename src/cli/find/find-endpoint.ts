import { UsageError } from '../../base/errors/usage-error.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { bySimilarity } from '../../base/text/suggest.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';

/** The endpoint with a name or an id, if there is one. */
export function endpointNamed(endpoints: readonly Endpoint[], wanted: string): Endpoint | undefined {
  return endpoints.find(({ id, name }) => name === wanted || id === wanted.toLowerCase());
}

/**
 * Finds the endpoint with a name or an id.
 *
 * @param place where it was named, such as `--endpoint logs`
 * @throws UsageError that lists the existing ones, the most similar first
 */
export function findEndpoint(endpoints: readonly Endpoint[], wanted: string, place: string): Endpoint {
  const found = endpointNamed(endpoints, wanted);
  if (found !== undefined) return found;
  const names = endpoints.map(({ name }) => name);
  throw new UsageError(
    `${place}: unknown endpoint; available: ${visibleText(bySimilarity(wanted, names).join(', ')) || 'none'}`,
  );
}
