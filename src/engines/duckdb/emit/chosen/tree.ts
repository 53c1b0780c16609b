import { type AnyNode, asMessage, constantNode, unwrap } from '../../../../sql/resolved/node.ts';
import { scanColumns } from '../scan-columns.ts';

const bool: AnyNode = { type_kind: 'TYPE_BOOL' };
const yes = constantNode({ kind: 'BOOL' }, true);
const no = constantNode({ kind: 'BOOL' }, false);

/** A call in the resolved tree. */
export function callOf(name: string, args: readonly AnyNode[], typed: AnyNode = { type: bool }): AnyNode {
  const parent = { parent: typed, function: { name: `ZetaSQL:${name}` }, argument_list: args };
  return { node: 'resolved_function_call_node', resolved_function_call_node: { parent } };
}

/** A condition that is true unless one of `stops` is. They are evaluated one after the other. */
export function unlessAny(stops: readonly AnyNode[]): AnyNode {
  return callOf('$case_no_value', [...stops.flatMap((stop) => [stop, no]), yes]);
}

/** A condition that is true where both are. The second one is evaluated only where the first one is true. */
export function both(first: AnyNode, second: AnyNode): AnyNode {
  return callOf('$case_no_value', [first, second, no]);
}

/** An expression that is NULL, and not evaluated, unless a condition is true. */
export function onlyWhen(condition: AnyNode, expression: AnyNode): AnyNode {
  return callOf('$case_no_value', [condition, expression], typedLevel(expression));
}

/** The part of an expression with its type and collation. */
function typedLevel(expression: AnyNode): AnyNode {
  let { message } = unwrap(expression);
  while (message.type === undefined) message = asMessage(message.parent, 'type');
  const { type, type_annotation_map } = message;
  return { type, type_annotation_map };
}

function columnOf(id: number): AnyNode {
  return { column_id: id, name: '$chosen', table_name: '$chosen', type: bool };
}

/** A reference to a BOOL column. */
export function boolColumn(id: number, isCorrelated: boolean): AnyNode {
  const reference = { parent: { type: bool }, column: columnOf(id), is_correlated: isCorrelated };
  return { node: 'resolved_column_ref_node', resolved_column_ref_node: reference };
}

/** A scan of the rows of another for which a condition is true. */
export function filtered(scan: AnyNode, condition: AnyNode): AnyNode {
  const message = { parent: { column_list: scanColumns(scan) }, input_scan: scan, filter_expr: condition };
  return { node: 'resolved_filter_scan_node', resolved_filter_scan_node: message };
}

/** A scan of the rows of another with one more column, of type BOOL. */
export function withColumn(scan: AnyNode, id: number, value: AnyNode): AnyNode {
  const column = columnOf(id);
  const parent = { column_list: [...scanColumns(scan), column] };
  const message = { parent, expr_list: [{ column, expr: value }], input_scan: scan };
  return { node: 'resolved_project_scan_node', resolved_project_scan_node: message };
}
