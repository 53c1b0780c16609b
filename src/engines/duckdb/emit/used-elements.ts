import { type AnyNode, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { nodesOf } from '../../../sql/tree-nodes.ts';
import { functionCall, literalValue } from '../fold/expression.ts';
import type { ColumnUses } from './flat/column-uses.ts';

/** Functions that take one element of an array, and the position of the first one. */
const firstPosition: Readonly<Record<string, number>> = {
  $array_at_offset: 0,
  $array_at_ordinal: 1,
  $safe_array_at_offset: 0,
  $safe_array_at_ordinal: 1,
};

/**
 * Which elements of arrays a statement uses, where it uses nothing else of them, as in `APPROX_QUANTILES(x, 100)[OFFSET(95)]`.
 *
 * @param uses what the statement uses
 * @returns the positions of elements, counted from zero, by the id of the column that holds the array
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

function elementUse(call: AnyNode): { readonly column: number; readonly position: number } | undefined {
  const { name = '', arguments: [array, position] = [] } = functionCall(call) ?? {};
  if (!Object.hasOwn(firstPosition, name) || array === undefined || position === undefined) return undefined;
  const { kind, message } = unwrap(array);
  const value = literalValue(position);
  if (kind !== 'resolved_column_ref_node' || typeof value !== 'bigint') return undefined;
  const column = asMessage(message.column, 'column');
  return { column: Number(column.column_id), position: Number(value) - (firstPosition[name] ?? 0) };
}
