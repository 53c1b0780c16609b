import { formatProblem } from '../../base/errors/problem.ts';
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
  const attempt = async (without: readonly Source[]) => {
    const tried = sources.map((source) =>
      without.includes(source) ? (own.get(source.name) ?? source) : source,
    );
    const loaded = await load(tried);
    return { loaded, without, causes: all.problems };
  };
  if (grown.length === 0) return best;
  const withoutAll = await attempt(grown);
  const left = new Set(withoutAll.loaded.problems.map(formatProblem));
  const isCause = all.problems.some((problem) => !left.has(formatProblem(problem)));
  if (!isCause) return best;
  if (grown.length > 1) for (const source of grown) best = better(best, await attempt([source]));
  return better(best, withoutAll);
}

/** That with fewer errors, or the first. */
function better<T extends Pick<LoadedSchema, 'problems'>>(a: Loaded<T>, b: Loaded<T>): Loaded<T> {
  return b.loaded.problems.length < a.loaded.problems.length ? b : a;
}
