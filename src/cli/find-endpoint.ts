import type { Output } from '../app/output.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { bySimilarity } from '../text/suggest.ts';

/**
 * Finds the endpoint with a name or an id. If there is none, returns undefined and lists the existing ones on standard
 * error.
 *
 * @param place where it was named, such as `--endpoint logs`
 */
export function findEndpoint(
  endpoints: readonly Endpoint[],
  wanted: string,
  place: string,
  { err }: Pick<Output, 'err'>,
): Endpoint | undefined {
  const found = endpoints.find(({ id, name }) => name === wanted || id === wanted.toLowerCase());
  if (found !== undefined) return found;
  const names = endpoints.map(({ name }) => name);
  err(`${place}: unknown endpoint; available: ${bySimilarity(wanted, names).join(', ')}\n`);
  return undefined;
}
