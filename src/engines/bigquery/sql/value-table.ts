import { queryRange } from '../../../sql/parse-tree.ts';
import { type AnyNode, unwrap } from '../../../sql/resolved/node.ts';
import type { TextEdit } from './text-edits.ts';

/**
 * What keeps the records of a SELECT AS STRUCT or AS VALUE in the one column that the analyzer gives them: BigQuery
 * would answer their fields as columns. Undefined for every other query.
 */
export function valueTableEdits(
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
