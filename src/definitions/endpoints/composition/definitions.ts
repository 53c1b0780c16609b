import type { CatalogFunction } from '../../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../../sql/analyzer/error.ts';
import { functionDefinitions } from '../../../sql/text/function-definitions.ts';
import type { PlacedText } from '../../../sql/text/place.ts';
import type { ReadableQuery } from './readable-query.ts';

type Text = Pick<PlacedText, 'sql' | 'functionsEnd'>;

/**
 * The definitions of the functions of all queries that a text reads, each once, in an order in which each can call those before
 * it. Empty if there are none.
 *
 * @param read the queries by their paths
 * @throws AnalyzerError for two different functions of one name
 */
export function definitionsIn(read: ReadonlyMap<string, ReadableQuery>, text: Text): string {
  const own = new Set(functionDefinitions(text).map(({ name }) => name));
  const all = new Map<string, { readonly text: string; readonly path: string }>();
  for (const [path, query] of read) {
    for (const definition of functionDefinitions(query)) {
      const { name } = definition;
      const known = all.get(name);
      if (known?.text === definition.text) continue;
      const other = known?.path ?? (own.has(name) ? 'this query' : undefined);
      if (other !== undefined)
        throw new AnalyzerError(
          `${path} and ${other} define different functions "${name}". Choose another name for one`,
        );
      all.set(name, { text: definition.text, path });
    }
  }
  return [...all.values()].map((each) => `${each.text};\n`).join('');
}

/** The functions without those of which there are several: of one name, all are the same. */
export function distinctFunctions(functions: readonly CatalogFunction[]): readonly CatalogFunction[] {
  return [...new Map(functions.map((each) => [each.path.join('.').toLowerCase(), each])).values()];
}
