import { columnName } from '../column-name.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { computed } from '../expression.ts';

export const columnRef: ExpressionEmitter = (node) => {
  node.type();
  const column = node.column('column');
  return computed(columnName(column), column.type, 0);
};
