import { type AnyNode, fieldsOf, unwrap } from '../../../../sql/resolved/node.ts';
import { noteCall } from '../../dialect/calls.ts';
import { computed } from '../../dialect/expression.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';

/** The value of a column that is computed once for each row. The node has the fields `type` and `expr`. */
export const onceKind = 'gateway_once_node';

/** An expression as a node of {@link onceKind}. */
export function once(expr: AnyNode): AnyNode {
  const { type } = fieldsOf(unwrap(expr).message);
  return { node: onceKind, [onceKind]: { type, expr } };
}

/**
 * DuckDB would put the expression in place of the column in every condition that reads it. It leaves a random one where it
 * is.
 */
export const onceExpression: ExpressionEmitter = (node, emitter) => {
  noteCall('volatile');
  const { sql } = emitter.expression(node.child('expr'));
  return computed(`CASE WHEN random() >= 0 THEN ${sql} END`, node.type(), 2);
};
