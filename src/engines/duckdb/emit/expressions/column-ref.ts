import { computed, wholeWeight } from '../../expression.ts';
import { columnName } from '../column-name.ts';
import type { ExpressionEmitter } from '../emitter.ts';
import { recordValue } from '../flat/flat-record.ts';
import { recordAt } from '../flat/record-at.ts';

export const columnRef: ExpressionEmitter = (node, emitter) => {
  node.type();
  const column = node.column('column');
  const record = recordAt(node, emitter);
  if (record !== undefined) return computed(recordValue(record), column.type, wholeWeight);
  return computed(emitter.lambdas.column(columnName(column)), column.type, 0);
};
