import { noteCall } from '../../calls.ts';
import { computed } from '../../expression.ts';
import { columnName } from '../column-name.ts';
import type { ExpressionEmitter } from '../emitter.ts';

/** `WITH(a AS ..., b AS ..., result)`, which the analyzer's rewrites create. Each name can use the previous ones. */
export const withExpression: ExpressionEmitter = (node, emitter) => {
  noteCall('subquery');
  const source = node
    .list('assignment_list')
    .reduce(
      (from, item) =>
        `(SELECT *, ${emitter.expression(item.child('expr')).sql} AS ${columnName(item.column('column'))} FROM ${from})`,
      '(SELECT 1 AS c0)',
    );
  return computed(`(SELECT ${emitter.expression(node.child('expr')).sql} FROM ${source})`, node.type(), 1);
};
