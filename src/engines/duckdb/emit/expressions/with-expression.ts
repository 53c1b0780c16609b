import { noteCall } from '../../calls.ts';
import { computed } from '../../expression.ts';
import { columnName } from '../column-name.ts';
import type { ExpressionEmitter } from '../emitter.ts';

/** Where no name is needed. */
const noNames = '(SELECT 1 AS c0)';

/** `WITH(a AS ..., b AS ..., result)`, which the analyzer's rewrites create. Each name can use the previous ones. */
export const withExpression: ExpressionEmitter = (node, emitter) => {
  const { lambdas } = emitter;
  const renamed = new Map<string, string>();
  let from = noNames;
  for (const item of node.list('assignment_list')) {
    const value = lambdas.renamed(renamed, () => emitter.expression(item.child('expr')));
    const name = columnName(item.column('column'));
    // Columns and constants need no name. A subquery for each row takes three times as long (measured, PIVOT).
    if (value.weight === 0) renamed.set(name, value.sql);
    else from = `(SELECT *, ${value.sql} AS ${name} FROM ${from})`;
  }
  const result = lambdas.renamed(renamed, () => emitter.expression(node.child('expr')));
  const type = node.type();
  if (from === noNames) return result;
  noteCall('subquery');
  return computed(`(SELECT ${result.sql} FROM ${from})`, type, 1);
};
