import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import { type AnyNode, unwrap } from '../../../../sql/resolved/node.ts';
import { functionCall } from '../../fold/expression.ts';
import type { ColumnUses } from './column-uses.ts';
import { elementPosition } from './element-calls.ts';
import { columnId } from './scan-columns.ts';

/**
 * The used elements of arrays of which a statement uses nothing else, as in `APPROX_QUANTILES(x, 100)[OFFSET(95)]`.
 *
 * @param uses the statement's column uses
 * @returns the positions of elements, starting at zero, by the id of the array's column
 */
export function usedElements(statement: AnyNode, uses: ColumnUses): ReadonlyMap<number, ReadonlySet<number>> {
  const elements = new Map<number, number[]>();
  for (const message of nodesOf('resolved_function_call_node', statement)) {
    const use = elementUse({ node: 'resolved_function_call_node', resolved_function_call_node: message });
    if (use !== undefined) elements.set(use.column, [...(elements.get(use.column) ?? []), use.position]);
  }
  return new Map(
    [...elements]
      .filter(([column, positions]) => positions.length === uses.whole.get(column))
      .map(([column, positions]) => [column, new Set(positions)]),
  );
}

function elementUse(node: AnyNode): { readonly column: number; readonly position: number } | undefined {
  const call = functionCall(node);
  const [array] = call?.arguments ?? [];
  const position = call && elementPosition(call);
  if (array === undefined || position === undefined) return undefined;
  const { kind, message } = unwrap(array);
  if (kind !== 'resolved_column_ref_node') return undefined;
  return { column: columnId(message.column), position };
}
