import { nodesOf, resolvedLeaves, visitFields } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage, columnIds, messages, unwrap } from '../../../../sql/resolved/node.ts';

/** What a scan passes on is no use of it. */
const passing: ReadonlySet<string> = new Set([
  ...[...resolvedLeaves].filter((field) => field !== 'column'),
  'table',
]);

/**
 * The ids of the columns that a query uses anywhere: BigQuery reads no other column of a table, also where a subquery selects all of
 * them.
 */
export function usedColumnIds(statement: AnyNode): ReadonlySet<string> {
  const used = new Set<string>();
  visitFields(statement, passing, (field, value) => {
    if (field === 'column_id') used.add(String(value));
  });
  // The rows of these are read by position, or as they are.
  const whole = [
    ...nodesOf('resolved_with_scan_node', statement).flatMap((scan) =>
      messages(scan, 'with_entry_list').map((entry) => asMessage(entry.with_subquery, 'with_subquery')),
    ),
    ...nodesOf('resolved_subquery_expr_node', statement).map((node) => asMessage(node.subquery, 'subquery')),
  ];
  for (const scan of whole) for (const id of columnIds(unwrap(scan).message)) used.add(id);
  return used;
}
