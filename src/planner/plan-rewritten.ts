import { type PlannedText, planText, type StoredText } from '../endpoints/plan-text.ts';
import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../sql/analyzer/error.ts';
import { tokens } from '../sql/lexer.ts';
import { originalByte } from '../sql/rewrite/pieces.ts';
import { rewritePlaced } from '../sql/rewrite/rewrite-placed.ts';
import { byteOffsetAt, positionAt } from '../sql/text-position.ts';
import type { SqlType } from '../sql/type.ts';

/**
 * Plans a stored query in syntax that the analyzer may not know. Positions in the result are those of the text as
 * written.
 *
 * @throws AnalyzerUnavailableError
 */
export async function planRewritten(
  text: Omit<StoredText, 'catalog'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze' | 'parse'>,
): Promise<PlannedText> {
  try {
    const parameters = parametersOf(text);
    const { sql, origin } = await rewritePlaced(text, { analyzer, catalog, parameters });
    const planned = await planText({ ...text, sql, ...(origin && { origin }) }, catalog, analyzer);
    const rewriting = origin?.rewriting;
    if (rewriting === undefined) return planned;
    const original = (byteOffset: number) => originalByte(rewriting, byteOffset) ?? 0;
    const { uses, mistake } = planned;
    return {
      ...planned,
      uses: uses?.map((use) => ({ ...use, byteOffset: original(use.byteOffset) })),
      ...(mistake?.position && {
        mistake: {
          ...mistake,
          position: positionAt(text.sql, original(byteOffsetAt(sql, mistake.position))),
        },
      }),
    };
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    return { uses: undefined, tables: [], mistake: { message: error.message, position: error.position } };
  }
}

/** The declared parameters, and as texts those that the query uses without a declaration. */
function parametersOf({ sql, declared }: Pick<StoredText, 'sql' | 'declared'>): Map<string, SqlType> {
  const parameters = new Map<string, SqlType>();
  for (const { kind, text } of tokens(sql)) {
    if (kind === 'parameter') parameters.set(text.slice(1).toLowerCase(), { kind: 'STRING' });
  }
  for (const [name, type] of declared) parameters.set(name.toLowerCase(), type);
  return parameters;
}
