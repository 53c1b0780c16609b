import { type AnyNode, asMessage, unwrap } from '../../../../sql/resolved/node.ts';
import { fixedNode } from '../../dialect/constant.ts';
import { bool, columnRef, makeCall, predicate, withComputed } from '../tree/make-nodes.ts';

const yes = fixedNode({ kind: 'BOOL' }, true);
const no = fixedNode({ kind: 'BOOL' }, false);

/** A condition that is true unless one of `stops` is. They are evaluated one after the other. */
export function unlessAny(stops: readonly AnyNode[]): AnyNode {
  return predicate('$case_no_value', [...stops.flatMap((stop) => [stop, no]), yes]);
}

/** A condition that is true where both are. The second one is evaluated only where the first one is true. */
export function both(first: AnyNode, second: AnyNode): AnyNode {
  return predicate('$case_no_value', [first, second, no]);
}

/** An expression that is NULL, and not evaluated, unless a condition is true. */
export function onlyWhen(condition: AnyNode, expression: AnyNode): AnyNode {
  return makeCall('$case_no_value', [condition, expression], typedLevel(expression));
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
  return columnRef(columnOf(id), isCorrelated);
}

/** A scan of the rows of another with one more column, of type BOOL. */
export function withColumn(scan: AnyNode, id: number, value: AnyNode): AnyNode {
  return withComputed(scan, [{ column: columnOf(id), expr: value }]);
}
