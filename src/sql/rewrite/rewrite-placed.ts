import type { Analyzer } from '../analyzer/analyzer.ts';
import type { Catalog } from '../analyzer/catalog.ts';
import { resultColumns } from '../resolved/result-columns.ts';
import type { PlacedText } from '../text/place.ts';
import type { SqlType } from '../values/type.ts';
import { rewriteText } from './rewrite-text.ts';

/** What analyzing a text requires. */
interface Analysis {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly catalog: Catalog;
  readonly parameters: ReadonlyMap<string, SqlType>;
}

/**
 * Rewrites a text into syntax that the analyzer knows. Its places still lead to the original.
 *
 * @throws AnalyzerError with a position in the text as written, AnalyzerUnavailableError
 */
export async function rewritePlaced(
  text: PlacedText,
  { analyzer, catalog, parameters }: Analysis,
): Promise<PlacedText> {
  const paths = new Set(catalog.tables.map(({ path }) => path.join('.').toLowerCase()));
  const { sql, rewriting } = await rewriteText(text.sql, {
    isTable: (path) => paths.has(path),
    columnsOf: async (query) =>
      resultColumns(await analyzer.analyze(query, { catalog, parameters })).map(({ name }) => name),
  });
  if (rewriting === undefined || text.origin === undefined) return { ...text, sql };
  return { sql, origin: { ...text.origin, rewriting } };
}
