import { nodesOf, resolvedLeaves, visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage, messages } from '../../../sql/resolved/node.ts';

const leaves: ReadonlySet<string> = new Set([...resolvedLeaves, 'with_entry_list']);

/** Whether a query reads a table in one place only. Entries of WITH that it doesn't reach read nothing. */
export function readsOnce(statement: AnyNode): boolean {
  const entries = new Map(
    nodesOf('resolved_with_scan_node', statement)
      .flatMap((scan) => messages(scan, 'with_entry_list'))
      .map((entry) => [String(entry.with_query_name), entry.with_subquery]),
  );
  const reached = new Set<string>();
  let scans = 0;
  const read = (part: unknown): void => {
    const names: string[] = [];
    visitFields(part, leaves, (field, value) => {
      if (field === 'resolved_table_scan_node') scans++;
      if (field === 'resolved_with_ref_scan_node')
        names.push(String(asMessage(value, field).with_query_name));
    });
    for (const name of names) {
      if (reached.has(name)) continue;
      reached.add(name);
      read(entries.get(name));
    }
  };
  read(statement);
  return scans === 1;
}
