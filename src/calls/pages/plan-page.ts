import type { Account } from '../../base/fairness/account.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { type Catalog, type CatalogFunction, withFunctions } from '../../sql/analyzer/catalog.ts';
import type { PlaceKinds } from '../../sql/paging/after-condition.ts';
import { pageText } from '../../sql/paging/page-text.ts';
import type { PageOrder } from '../../sql/plan/paging.ts';
import { newPlan, type Plan } from '../../sql/plan/plan.ts';
import { resultColumns } from '../../sql/resolved/result-columns.ts';
import { queryOnly } from '../../sql/text/query-only.ts';
import { uniquelyNamed } from '../../sql/values/column-names.ts';
import type { Packed } from '../../sql/values/packed.ts';

/** A page to be planned, as plain data. */
export interface PageToPlan
  extends Pick<Plan, 'sql' | 'functionsEnd' | 'columns' | 'parameters' | 'isCallers'> {
  readonly order: PageOrder;
  /** The kinds of the place's values; undefined for the first page. */
  readonly kinds: PlaceKinds | undefined;
  /** The functions that the query may call besides the built-in ones. */
  readonly functions: readonly CatalogFunction[];
  /** The tables of stored queries. */
  readonly catalog: Packed<Catalog>;
  /** Whose turn it is at the analyzer. */
  readonly account: Account;
}

/**
 * Plans a page of a query that was planned before. The page's rows have the same columns.
 *
 * @throws AnalyzerError if the catalog has changed since
 * @throws AnalyzerUnavailableError
 */
export async function planPage(
  { order, kinds, functions, isCallers, ...query }: Omit<PageToPlan, 'catalog' | 'account'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze' | 'parse'>,
): Promise<Plan> {
  const text = pageText(query, await analyzer.parse(queryOnly(query)), order, kinds);
  const { sql, functionsEnd, parameters } = text;
  const statement = await analyzer.analyze(sql, {
    catalog: withFunctions(catalog, functions),
    parameters,
    ...(functionsEnd !== undefined && { functionsEnd }),
  });
  return newPlan({ ...text, statement, columns: uniquelyNamed(resultColumns(statement)), isCallers });
}
