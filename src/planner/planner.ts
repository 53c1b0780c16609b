import type { PlannedText, StoredText } from '../endpoints/plan-text.ts';
import type { PreparedText } from '../engines/bigquery/sql/prepare-text.ts';
import type { TableMapping } from '../engines/bigquery/sql/table-names.ts';
import type { CallerQuery } from '../sandbox/caller-query.ts';
import type { CallerText } from '../sandbox/plan-caller-query.ts';
import type { Plan } from '../sql/plan.ts';

/**
 * Everything that is done with the analyzer and its trees before a query runs. What goes in and comes out is plain data: the work may
 * be done in another thread.
 */
export interface Planner {
  /** Plans a stored query: see `planText`. */
  planText(text: StoredText): Promise<PlannedText>;
  /** Plans a query of a caller's: see `planCallerQuery`. */
  planCallerQuery(text: CallerText): Promise<CallerQuery>;
  /** Looks through a plan that is going to run on BigQuery: see `prepareText`. */
  prepareText(plan: Plan, mapping: TableMapping): Promise<PreparedText>;
}
