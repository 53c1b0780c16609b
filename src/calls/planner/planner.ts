import type { TextPlanner } from '../../definitions/endpoints/plan-text.ts';
import type { PreparedText } from '../../engines/bigquery/sql/prepare-text.ts';
import type { TableMapping } from '../../engines/bigquery/text/table-names.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { PageToPlan } from '../pages/plan-page.ts';
import type { AdHocText, PlannedQuery } from '../sandbox/plan-ad-hoc-query.ts';

/**
 * The work that needs the analyzer or its trees before a query runs. Arguments and results are plain data, so that
 * another thread can do it. Aborting a signal ends the work at its next step. The call then fails with the signal's reason
 * when the work has ended, so that what limits the work counts it until then.
 */
export interface Planner extends TextPlanner {
  /** Plans an ad-hoc query: see `planAdHocQuery`. */
  planAdHocQuery(text: AdHocText, signal?: AbortSignal): Promise<PlannedQuery>;
  /** Plans a page of a query: see `planPage`. */
  planPage(page: PageToPlan, signal?: AbortSignal): Promise<Plan>;
  /** Prepares a plan to run on BigQuery: see `prepareText`. */
  prepareText(plan: Plan, mapping: TableMapping, signal?: AbortSignal): Promise<PreparedText>;
  /** The functions that texts can call: see `callableFunctions`. */
  listFunctions(signal?: AbortSignal): Promise<readonly CallableFunction[]>;
  /** The signatures of all functions, by upper-case name: see `functionSignatures`. */
  functionSignatures(signal?: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>>;
}
