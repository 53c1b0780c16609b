import { memoized } from '../../../base/async/memoized.ts';
import { nodesOf } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList } from '../../../sql/resolved/node.ts';

/**
 * A WITH scan without the entries that its query doesn't reach: they never run, so their errors don't count.
 */
export function referencedEntries(scan: AnyNode): AnyNode {
  const entries = asList(scan.with_entry_list, 'with_entry_list');
  const reached = reachedNames(scan);
  if (reached.size === entries.length) return scan;
  return { ...scan, with_entry_list: entries.filter((entry) => reached.has(nameOf(entry))) };
}

const reachedNames = memoized((scan: AnyNode): ReadonlySet<string> => {
  const entries = asList(scan.with_entry_list, 'with_entry_list') as readonly AnyNode[];
  const byName = new Map(entries.map((entry) => [nameOf(entry), entry]));
  const reached = new Set<string>();
  const follow = (part: unknown): void => {
    for (const { with_query_name } of nodesOf('resolved_with_ref_scan_node', part)) {
      const name = String(with_query_name);
      const entry = byName.get(name);
      if (entry === undefined || reached.has(name)) continue;
      reached.add(name);
      follow(entry.with_subquery);
    }
  };
  follow(scan.query);
  return reached;
});

function nameOf(entry: unknown): string {
  return String((entry as AnyNode).with_query_name);
}
