import { UsageError } from '../command-failures/usage-error.ts';
import type { Source } from '../sources/source.ts';
import { sourceByName } from '../sources/source-by-name.ts';
import { bySimilarity } from '../text/suggest.ts';

/**
 * Finds the source with a name or an alias.
 *
 * @throws UsageError that lists the existing ones, the most similar first
 */
export function findSource(sources: readonly Source[], wanted: string): Source {
  const found = sourceByName(sources, wanted);
  if (found !== undefined) return found;
  const names = bySimilarity(
    wanted,
    sources.map(({ name }) => name),
  );
  throw new UsageError(`Unknown source ${JSON.stringify(wanted)}. Available: ${names.join(', ') || 'none'}`);
}
