import { didYouMean } from '../../../base/text/suggest.ts';
import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import { type Catalog, withFunctions } from '../../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../../sql/analyzer/error.ts';
import { parametersOfAllRows } from '../../../sql/bound-rows/bound-rows.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { queryOnly } from '../../../sql/text/query-only.ts';
import type { ReadableQuery } from './readable-query.ts';
import { StoredWith } from './stored-with.ts';

/** All rows of a WITH entry of a stored query. */
interface EntryRows {
  /** A query for them. */
  readonly sql: string;
  /** The parameters that restrict each of them, in lower case. */
  readonly boundBy: ReadonlySet<string>;
}

/**
 * @param parsed the parse tree of the query
 * @throws AnalyzerError if it has no such entry
 */
export async function entryOf(
  query: ReadableQuery,
  parsed: AnyNode,
  name: string,
  { catalog, analyzer }: { readonly catalog: Catalog; readonly analyzer: Pick<Analyzer, 'analyze'> },
): Promise<EntryRows> {
  const stored = new StoredWith(query, parsed);
  const known = stored.names.find((each) => each.toLowerCase() === name.toLowerCase());
  if (known === undefined)
    throw new AnalyzerError(`its WITH clause has no entry "${name}"${didYouMean(name, stored.names)}`);
  const { sql: clause, ...functions } = stored.clauseFor([known]);
  const text = { sql: `${clause}\nSELECT * FROM ${identifier(known)}`, ...functions };
  const parameters = new Map(query.parameters.map(({ name: one, type }) => [one.toLowerCase(), type]));
  const statement = await analyzer.analyze(text.sql, {
    catalog: withFunctions(catalog, query.functions),
    parameters,
    ...functions,
  });
  return { sql: queryOnly(text).trim(), boundBy: parametersOfAllRows(statement, parameters) };
}
