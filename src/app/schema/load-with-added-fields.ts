import type { Source } from '../../definitions/sources/source.ts';
import { countFields } from '../../definitions/sources/source.ts';
import { tableFields } from '../../definitions/sources/table-field.ts';
import { ProblemsError } from './load-schema.ts';

/** What was loaded, and the sources whose added fields were left out. */
interface Loaded<T> {
  readonly loaded: T;
  readonly without: readonly Source[];
  /** The errors with these fields. Undefined if none are left out. */
  readonly cause?: ProblemsError;
}

/**
 * Loads endpoints over sources. If fields that rows have added are the cause of errors, as where an endpoint reads all
 * columns, it loads them without those of one source or, if that doesn't do, of all sources: rows can't keep a gateway
 * from starting.
 *
 * @param declared the same sources as their own files have them
 * @param load rejects with ProblemsError if endpoints have errors over these sources
 * @throws ProblemsError if endpoints have errors in any case
 */
export async function loadWithAddedFields<T>(
  sources: readonly Source[],
  declared: readonly Source[],
  load: (sources: readonly Source[]) => Promise<T>,
): Promise<Loaded<T>> {
  try {
    return { loaded: await load(sources), without: [] };
  } catch (cause) {
    if (!(cause instanceof ProblemsError)) throw cause;
    const own = new Map(declared.map((source) => [source.name, source]));
    const size = ({ columns }: Source) => countFields(tableFields(columns));
    const grown = sources.filter((source) => size(source) > size(own.get(source.name) ?? source));
    const attempts = [...grown.map((source) => [source]), ...(grown.length > 1 ? [grown] : [])];
    for (const without of attempts) {
      const tried = sources.map((source) =>
        without.includes(source) ? (own.get(source.name) ?? source) : source,
      );
      try {
        return { loaded: await load(tried), without, cause };
      } catch (error) {
        if (!(error instanceof ProblemsError)) throw error;
      }
    }
    throw cause;
  }
}
