import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { scanColumns } from './scan-columns.ts';

/** An item of a SELECT list: a column and its expression. */
export interface Computed {
  readonly column: AnyNode;
  readonly expr: AnyNode;
}

/** A reference to a column. */
export function columnRef(column: AnyNode, isCorrelated: boolean): AnyNode {
  const message = { parent: { type: column.type }, column, is_correlated: isCorrelated };
  return { node: 'resolved_column_ref_node', resolved_column_ref_node: message };
}

/**
 * A call of a function.
 *
 * @param typed the fields of the result: its type, and its collation if it has one
 * @param collations by which it compares values: the `collation_list` of another call
 */
export function makeCall(
  name: string,
  args: readonly AnyNode[],
  typed: AnyNode,
  collations?: unknown,
): AnyNode {
  const parent = {
    parent: typed,
    function: { name: `ZetaSQL:${name}` },
    argument_list: args,
    collation_list: collations,
  };
  return { node: 'resolved_function_call_node', resolved_function_call_node: { parent } };
}

export const bool: AnyNode = { type_kind: 'TYPE_BOOL' };

/** A call of a function whose result is BOOL. */
export function predicate(name: string, args: readonly AnyNode[], collations?: unknown): AnyNode {
  return makeCall(name, args, { type: bool }, collations);
}

/** The rows of a scan with more columns. */
export function withComputed(input: AnyNode, items: readonly Computed[]): AnyNode {
  return items.length === 0 ? input : projected(input, scanColumns(input), items);
}

/** The field of a project scan whose columns are all read, though the tree doesn't show it. */
export const keepsColumnsField = 'keeps_columns';

/**
 * The rows of a scan with some of its columns, and others.
 *
 * @param fields further fields of the scan
 */
export function projected(
  input: AnyNode,
  passed: readonly AnyNode[],
  items: readonly Computed[],
  fields: AnyNode = {},
): AnyNode {
  const parent = { column_list: [...passed, ...items.map(({ column }) => column)] };
  const message = { parent, expr_list: items, input_scan: input, ...fields };
  return { node: 'resolved_project_scan_node', resolved_project_scan_node: message };
}

/** The rows of a scan that satisfy a condition. */
export function filtered(input: AnyNode, condition: AnyNode): AnyNode {
  const message = { parent: { column_list: scanColumns(input) }, input_scan: input, filter_expr: condition };
  return { node: 'resolved_filter_scan_node', resolved_filter_scan_node: message };
}
