import { columnName } from '../column-name.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed } from '../expression.ts';

export const columnRef: ExpressionEmitter = (node, emitter) => {
  node.type();
  const column = node.column('column');
  return computed(emitter.lambdas.column(columnName(column)), column.type, 0);
};
