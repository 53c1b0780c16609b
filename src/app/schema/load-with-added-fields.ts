import type { Source } from '../../definitions/sources/source.ts';
import { countFields } from '../../definitions/sources/source.ts';
import { tableFields } from '../../definitions/sources/table-field.ts';
import type { LoadedSchema } from './load-schema.ts';

/** What was loaded, and the sources whose added fields were left out. */
interface Loaded<T> {
  readonly loaded: T;
  readonly without: readonly Source[];
  /** The errors with these fields. Empty if none are left out. */
  readonly causes: LoadedSchema['problems'];
}

/**
 * Loads endpoints over sources. If fields that rows have added are the cause of errors, as where an endpoint reads all
 * columns, it loads them without those of one source or, if that doesn't do, of all sources: rows can't take an endpoint
 * away.
 *
 * @param declared the same sources as their own files have them
 */
export async function loadWithAddedFields<T extends Pick<LoadedSchema, 'problems'>>(
  sources: readonly Source[],
  declared: readonly Source[],
  load: (sources: readonly Source[]) => Promise<T>,
): Promise<Loaded<T>> {
  const all = await load(sources);
  let best: Loaded<T> = { loaded: all, without: [], causes: [] };
  if (all.problems.length === 0) return best;
  const own = new Map(declared.map((source) => [source.name, source]));
  const size = ({ columns }: Source) => countFields(tableFields(columns));
  const grown = sources.filter((source) => size(source) > size(own.get(source.name) ?? source));
  for (const without of [...grown.map((source) => [source]), ...(grown.length > 1 ? [grown] : [])]) {
    const tried = sources.map((source) =>
      without.includes(source) ? (own.get(source.name) ?? source) : source,
    );
    const loaded = await load(tried);
    if (loaded.problems.length < best.loaded.problems.length)
      best = { loaded, without, causes: all.problems };
  }
  return best;
}
