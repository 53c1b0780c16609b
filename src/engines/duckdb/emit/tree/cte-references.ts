import { type AnyNode, asList, asMessage } from '../../../../sql/resolved/node.ts';

/** Messages that can't contain a scan. Skipping them shortens the walk. */
const leaves = new Set(['type', 'column', 'column_list', 'signature', 'value', 'table', 'function']);

/**
 * Counts the references to each CTE in emitted text: in the main query, or in a CTE that is itself referenced. A CTE
 * without a count is not emitted.
 */
export function countCteReferences(statement: AnyNode): ReadonlyMap<string, number> {
  const bodies = new Map<string, AnyNode>();
  const counts = new Map<string, number>();
  const pending: unknown[] = [statement];

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      visitMessage(value as AnyNode);
    }
  };
  const visitMessage = (message: AnyNode): void => {
    for (const field in message) {
      if (field === 'with_entry_list') {
        for (const entry of asList(message[field], field)) {
          const { with_query_name, with_subquery } = asMessage(entry, field);
          bodies.set(String(with_query_name), asMessage(with_subquery, 'with_subquery'));
        }
      } else if (field === 'resolved_with_ref_scan_node') {
        count(String(asMessage(message[field], field).with_query_name));
      } else if (!leaves.has(field)) {
        visit(message[field]);
      }
    }
  };
  const count = (name: string): void => {
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    if (before === 0) pending.push(name);
  };

  // References are below their WITH clause, so its entries are known when a reference is found.
  for (const item of pending) visit(typeof item === 'string' ? bodies.get(item) : item);
  return counts;
}
