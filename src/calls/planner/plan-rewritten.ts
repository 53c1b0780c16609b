import { type PlannedText, planText, type StoredText } from '../../definitions/endpoints/plan-text.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { type Catalog, type CatalogFunction, withFunctions } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../sql/analyzer/error.ts';
import { readFunctions } from '../../sql/analyzer/stored-functions.ts';
import { rewritePlaced } from '../../sql/rewrite/rewrite-text.ts';
import { tokens } from '../../sql/text/lexer.ts';
import type { PlacedText } from '../../sql/text/place.ts';
import { queryOnly } from '../../sql/text/query-only.ts';
import { originalByte, shifted } from '../../sql/text/rewriting.ts';
import { byteOffsetAt, positionAt } from '../../sql/text/text-position.ts';
import type { SqlType } from '../../sql/values/type.ts';

/**
 * Plans a stored query in syntax that the analyzer may not know. Positions in the result are those of the text as
 * written.
 *
 * @throws AnalyzerUnavailableError
 */
export async function planRewritten(
  text: Omit<StoredText, 'catalog' | 'account'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze' | 'parse' | 'readDefinition'>,
): Promise<PlannedText> {
  try {
    const named = functionsNamedIn(text.sql, catalog.functions ?? []);
    const stored = await readFunctions(text.sql, named, analyzer);
    const functions = [...named, ...stored.functions];
    const known = withFunctions(catalog, functions);
    const written = stored.end === 0 ? text : { ...text, functionsEnd: stored.end };
    const { sql, origin } = await rewriteQuery(written, known, analyzer);
    const planned = {
      ...(await planText({ ...written, sql, ...(origin && { origin }) }, known, analyzer)),
      ...(functions.length > 0 && { functions }),
    };
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

/** Rewrites the query after the functions, which stay as they are. */
async function rewriteQuery(
  text: Omit<StoredText, 'catalog' | 'account'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze'>,
): Promise<PlacedText> {
  const { functionsEnd = 0 } = text;
  const query = queryOnly(text);
  const parameters = parametersOf({ ...text, sql: query });
  const rewritten = await rewritePlaced({ ...text, sql: query }, { analyzer, catalog, parameters });
  if (rewritten.sql === query) return text;
  const functions = `${Buffer.from(text.sql).subarray(0, functionsEnd).toString()}\n`;
  if (functionsEnd === 0) return rewritten;
  const sql = `${functions}${rewritten.sql}`;
  const { origin } = rewritten;
  if (origin?.rewriting === undefined) return { sql };
  const { segments } = shifted(origin.rewriting, Buffer.byteLength(functions));
  const unchanged = { at: 0, length: functionsEnd, from: 0, isCopy: true };
  return {
    sql,
    origin: { ...origin, rewriting: { original: text.sql, segments: [unchanged, ...segments] } },
  };
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

/** The functions that a text may call: those whose name occurs in it. Others would make its plan and analyses larger. */
function functionsNamedIn(sql: string, functions: readonly CatalogFunction[]): readonly CatalogFunction[] {
  const text = sql.toLowerCase();
  return functions.filter(({ path }) => text.includes((path.at(-1) ?? '').toLowerCase()));
}
