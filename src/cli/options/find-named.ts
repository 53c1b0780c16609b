import { ProblemsError } from '../../app/schema/load-schema.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { bySimilarity, didYouMean } from '../../base/text/suggest.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { LoadedSources } from '../../definitions/sources/load-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceByName } from '../../definitions/sources/source.ts';

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
  const names = [...new Set(endpoints.map(({ name }) => name))].sort();
  throw new UsageError(
    `${place}: unknown endpoint; available: ${visibleText(bySimilarity(wanted, names).join(', ')) || 'none'}`,
  );
}

/**
 * Finds the source with a name or an alias.
 *
 * @throws UsageError that names the one that may be meant, and lists the existing ones
 */
export function findSource(sources: readonly Source[], wanted: string): Source {
  const found = sourceByName(sources, wanted);
  if (found !== undefined) return found;
  throw new UsageError(unknownSourceText(sources, wanted));
}

/**
 * The same, where only sources without errors are used.
 *
 * @throws ProblemsError with all errors in the files if it may be among them
 */
export function findServedSource({ sources, problems }: LoadedSources, wanted: string): Source {
  if (problems.length > 0 && sourceByName(sources, wanted) === undefined) throw new ProblemsError(problems);
  return findSource(sources, wanted);
}

/** What is said of a source that does not exist: which one may be meant, and which ones there are, by name. */
export function unknownSourceText(sources: readonly Source[], wanted: string): string {
  const names = sources.map(({ name }) => name).sort();
  const spellings = [...names, ...sources.flatMap(({ aliases }) => aliases)];
  const meant = didYouMean(wanted, spellings) || '.';
  return `Unknown source ${JSON.stringify(wanted)}${meant} Available: ${names.join(', ') || 'none'}`;
}
