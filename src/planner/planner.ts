import type { PlannedText, StoredText } from '../endpoints/plan-text.ts';
import type { PreparedText } from '../engines/bigquery/sql/prepare-text.ts';
import type { TableMapping } from '../engines/bigquery/sql/table-names.ts';
import type { AdHocText } from '../sandbox/plan-ad-hoc-query.ts';
import type { PlannedQuery } from '../sandbox/planned-query.ts';
import type { Plan } from '../sql/plan.ts';

/**
 * Everything that is done with the analyzer and its trees before a query runs. What goes in and comes out is plain data: the work may
 * be done in another thread. Aborting a signal ends the wait at once, with its reason, and the work at its next step.
 */
export interface Planner {
  /** Plans a stored query: see `planText`. */
  planText(text: StoredText, signal?: AbortSignal): Promise<PlannedText>;
  /** Plans a query of a caller's: see `planAdHocQuery`. */
  planAdHocQuery(text: AdHocText, signal?: AbortSignal): Promise<PlannedQuery>;
  /** Looks through a plan that is going to run on BigQuery: see `prepareText`. */
  prepareText(plan: Plan, mapping: TableMapping, signal?: AbortSignal): Promise<PreparedText>;
}
