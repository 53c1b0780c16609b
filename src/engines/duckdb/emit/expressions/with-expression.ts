import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { noteCall } from '../../dialect/calls.ts';
import { computed } from '../../dialect/expression.ts';
import { choiceOf } from '../chosen/choice.ts';
import { boolColumn } from '../chosen/conditions.ts';
import { ifChosen } from '../chosen/only-if-chosen.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';
import { singleRow } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';

/** `WITH(a AS ..., b AS ..., result)`, which the analyzer's rewrites create. Each name can use the previous ones. */
export const withExpression: ExpressionEmitter = (node, emitter) => {
  noteCall('subquery');
  const choice = choiceOf(node.wrapped, emitter);
  const emit = (expression: ResolvedNode) => {
    if (choice === undefined) return emitter.expression(expression).sql;
    const chosen = { column: boolColumn(choice.id, false), newColumn: () => emitter.newColumn() };
    const guarded = expression.replacedBy(ifChosen(expression.wrapped, chosen));
    return emitter.withChosen(undefined, () => emitter.expression(guarded)).sql;
  };
  const source = node
    .list('assignment_list')
    .reduce(
      (from, item) =>
        `(SELECT *, ${emit(item.child('expr'))} AS ${columnName(item.column('column'))} FROM ${from})`,
      choice?.from ?? singleRow,
    );
  return computed(`(SELECT ${emit(node.child('expr'))} FROM ${source})`, node.type(), 1);
};
