import { GatewayError } from '../../../errors.ts';
import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import { AnalyzerUnavailableError } from '../../../sql/analyzer/error.ts';
import { type ParameterUse, parameterUses, queryRange } from '../../../sql/parse-tree.ts';
import { type Plan, statementOf } from '../../../sql/plan.ts';
import { type AnyNode, unwrap } from '../../../sql/resolved/node.ts';
import { checkPlan } from '../check-plan.ts';
import { type LimitPlace, limitPlace } from './row-limit.ts';
import { type TableEdits, tableEdits } from './table-edits.ts';
import type { TableNames } from './table-names.ts';
import type { TextEdit } from './text-edits.ts';

/** What is known of a plan before it runs. It is plain data, for it is made in another thread. */
export interface PreparedText {
  /** By source. */
  readonly tables: TableEdits['tables'];
  /** What every run's text has. At one place those of `after` come last. */
  readonly edits: readonly TextEdit[];
  readonly after: readonly TextEdit[];
  readonly limit: LimitPlace;
  readonly uses: readonly ParameterUse[];
}

/**
 * Looks through a plan that is going to run on BigQuery.
 *
 * @throws GatewayError QUERY_FAILED for a query that BigQuery may not or can't be asked, BACKEND_UNAVAILABLE without the analyzer
 */
export async function prepareText(
  plan: Plan,
  analyzer: Pick<Analyzer, 'parse'>,
  names: TableNames,
): Promise<PreparedText> {
  await checkPlan(plan);
  const parsed = await analyzer.parse(plan.sql).catch((error: unknown) => {
    if (!(error instanceof AnalyzerUnavailableError)) throw error;
    throw new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error });
  });
  const statement = statementOf(plan);
  const { edits, tables } = tableEdits(statement, parsed, names);
  const record = valueTableEdits(statement, parsed);
  return {
    tables,
    edits: record === undefined ? edits : [record.before, ...edits],
    after: record === undefined ? [] : [record.after],
    limit: limitPlace(parsed),
    uses: parameterUses(parsed),
  };
}

/**
 * What keeps the records of a SELECT AS STRUCT or AS VALUE in the one column that the analyzer gives them: BigQuery
 * would answer their fields as columns. Undefined for every other query.
 */
function valueTableEdits(
  statement: AnyNode,
  parsed: AnyNode,
): { readonly before: TextEdit; readonly after: TextEdit } | undefined {
  const range = queryRange(parsed);
  if (unwrap(statement).message.is_value_table !== true || range === undefined) return undefined;
  return {
    before: { start: range.start, end: range.start, text: 'SELECT record FROM (\n' },
    after: { start: range.end, end: range.end, text: '\n) AS record' },
  };
}
