import { nodesOf, resolvedLeaves } from '../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../../sql/resolved/node.ts';

/** The size of a resolved query, in the terms that make an engine's planner slow. */
interface TreeSize {
  /** Nested subqueries in expressions. */
  readonly subqueries: number;
  /** Reads of tables and CTEs, where those in a CTE count for each use. */
  readonly reads: number;
}

const withScan = 'resolved_with_scan_node';
const withReference = 'resolved_with_ref_scan_node';
const subquery = 'resolved_subquery_expr_node';

/**
 * Measures a resolved statement with every CTE inlined, as planners do: ten CTEs that each read the previous one twice
 * are a thousand reads.
 */
export function treeSize(statement: AnyNode): TreeSize {
  const bodies = new Map<string, unknown>();
  for (const scan of nodesOf(withScan, statement)) {
    for (const entry of asList(scan.with_entry_list, 'with_entry_list')) {
      const { with_query_name, with_subquery } = asMessage(entry, 'with_entry_list');
      bodies.set(String(with_query_name), with_subquery);
    }
  }
  const sizes = new Map<string, TreeSize>();
  const sizeOfCte = (name: string): TreeSize => {
    let size = sizes.get(name);
    if (size === undefined) {
      // A recursive CTE reads itself by another kind of node. This only guards against an endless recursion.
      sizes.set(name, { subqueries: 0, reads: 0 });
      size = measure(bodies.get(name));
      sizes.set(name, size);
    }
    return size;
  };
  const measure = (root: unknown): TreeSize => {
    const size = { subqueries: 0, reads: 0 };
    const add = (depth: number, { subqueries, reads }: TreeSize) => {
      size.subqueries = Math.max(size.subqueries, depth + subqueries);
      size.reads += reads;
    };
    for (const { kind, node, depth } of relevantNodes(root)) {
      if (kind === withReference) add(depth, sizeOfCte(String(node.with_query_name)));
      else add(depth, { subqueries: 0, reads: kind === subquery ? 0 : 1 });
    }
    return size;
  };
  return measure(asMessage(statement, 'statement'));
}

const reading = new Set(['resolved_table_scan_node', 'resolved_recursive_ref_scan_node', withReference]);

/** Yields the relevant nodes with their number of enclosing subqueries, including themselves. */
function* relevantNodes(root: unknown): Generator<{ kind: string; node: AnyNode; depth: number }> {
  const pending = [{ part: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, depth } = next;
    if (Array.isArray(part)) for (const element of part) pending.push({ part: element, depth });
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
    const message = part as AnyNode;
    for (const field in message) {
      const value = message[field];
      if (typeof value !== 'object') continue;
      // CTEs count where they are read.
      if (field === 'with_entry_list' || resolvedLeaves.has(field)) continue;
      const inner = field === subquery ? depth + 1 : depth;
      if (field === subquery || reading.has(field)) {
        yield { kind: field, node: asMessage(value, field), depth: inner };
      }
      pending.push({ part: value, depth: inner });
    }
  }
}
