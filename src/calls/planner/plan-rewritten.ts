import { type Composed, compose } from '../../definitions/endpoints/composition/compose.ts';
import type { Composing } from '../../definitions/endpoints/composition/composing.ts';
import { distinctFunctions } from '../../definitions/endpoints/composition/definitions.ts';
import { type PlannedText, planText, type StoredText } from '../../definitions/endpoints/plan-text.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { type Catalog, type CatalogFunction, withFunctions } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../sql/analyzer/error.ts';
import { readFunctions } from '../../sql/analyzer/stored-functions.ts';
import type { ParameterUse } from '../../sql/plan/parse-tree.ts';
import { inOriginal, rewritePlaced } from '../../sql/rewrite/rewrite-text.ts';
import { functionsText } from '../../sql/text/function-definitions.ts';
import { tokens } from '../../sql/text/lexer.ts';
import { type PlacedText, wholeText } from '../../sql/text/place.ts';
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
  { queries = new Map(), ...text }: Omit<StoredText, 'catalog' | 'account'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze' | 'parse' | 'readDefinition'>,
): Promise<PlannedText> {
  try {
    const named = functionsNamedIn(text.sql, catalog.functions ?? []);
    const stored = await readFunctions(text.sql, named, analyzer);
    const functions = [...named, ...stored.functions];
    const known = withFunctions(catalog, functions);
    const written = stored.end === 0 ? text : { ...text, functionsEnd: stored.end };
    const parameters = parametersOf({ ...written, sql: queryOnly(written) });
    const composing = { queries, catalog: known, parameters, analyzer };
    const composed = await composeRewritten(await rewriteQuery(written, composing), composing);
    const { sql, origin, functionsEnd } = composed.text;
    const all = distinctFunctions([...functions, ...composed.functions]);
    const planned = {
      ...(await planText(
        { ...written, sql, ...(functionsEnd && { functionsEnd }), ...(origin && { origin }) },
        withFunctions(catalog, all),
        analyzer,
      )),
      ...(all.length > 0 && { functions: all }),
      ...(composed.composition.reads.length > 0 && { composition: composed.composition }),
    };
    const rewriting = origin?.rewriting;
    if (rewriting === undefined) return planned;
    const original = (byteOffset: number) => originalByte(rewriting, byteOffset) ?? 0;
    const { uses, mistake } = planned;
    return {
      ...planned,
      uses: uses && usesAt(uses.map((use) => ({ ...use, byteOffset: original(use.byteOffset) }))),
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

/** The uses without those that rewriting has repeated. */
function usesAt(uses: readonly ParameterUse[]): readonly ParameterUse[] {
  const places = new Map(uses.map((use) => [`${use.name} ${use.byteOffset}`, use]));
  return [...places.values()].sort((a, b) => a.byteOffset - b.byteOffset);
}

/** Rewrites the query after the functions, which stay as they are. */
async function rewriteQuery(text: PlacedText, composing: Composing): Promise<PlacedText> {
  const { functionsEnd = 0 } = text;
  const query = queryOnly(text);
  const rewritten = await rewritePlaced(
    { ...text, sql: query },
    { ...composing, analyzer: composer(composing) },
  );
  if (rewritten.sql === query) return text;
  const functions = `${functionsText(text)}\n`;
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

/** Composes a text. Positions in errors are those of its original. */
async function composeRewritten(text: PlacedText, composing: Composing): Promise<Composed> {
  const rewriting = text.origin?.rewriting;
  return compose(text, composing).catch((error: unknown) => {
    throw rewriting !== undefined && error instanceof AnalyzerError
      ? inOriginal(error, text.sql, rewriting)
      : error;
  });
}

/** Analyzes queries with those that they read. Positions in errors are those of the queries alone. */
function composer(composing: Composing): Pick<Analyzer, 'analyze'> {
  return {
    async analyze(sql, { parameters }) {
      const { text, functions } = await compose({ sql, origin: wholeText }, composing);
      const rewriting = text.origin?.rewriting;
      const catalog = withFunctions(composing.catalog, [
        ...(composing.catalog.functions ?? []),
        ...functions,
      ]);
      const context = { catalog, parameters, functionsEnd: text.functionsEnd ?? 0 };
      return composing.analyzer.analyze(text.sql, context).catch((error: unknown) => {
        throw rewriting !== undefined && error instanceof AnalyzerError
          ? inOriginal(error, text.sql, rewriting)
          : error;
      });
    },
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
