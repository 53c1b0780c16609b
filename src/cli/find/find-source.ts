import { UsageError } from '../../base/errors/usage-error.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceByName } from '../../definitions/sources/source-by-name.ts';

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

/** What is said of a source that does not exist: which one may be meant, and which ones there are, by name. */
export function unknownSourceText(sources: readonly Source[], wanted: string): string {
  const names = sources.map(({ name }) => name).sort();
  const spellings = [...names, ...sources.flatMap(({ aliases }) => aliases)];
  const meant = didYouMean(wanted, spellings) || '.';
  return `Unknown source ${JSON.stringify(wanted)}${meant} Available: ${names.join(', ') || 'none'}`;
}
