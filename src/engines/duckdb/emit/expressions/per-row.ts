import { computed } from '../../dialect/expression.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';

/** A volatile call in a correlated subquery. It seems to depend on a column, which is never NULL. */
export const perRow: ExpressionEmitter = (node, emitter) => {
  const type = node.type();
  const row = emitter.expression(node.child('row'));
  const call = emitter.expression(node.child('call'));
  return computed(`CASE WHEN ${row.sql} IS NULL THEN NULL ELSE ${call.sql} END`, type, 2);
};
