import { computed, wholeWeight } from '../../dialect/expression.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';
import { recordValue } from '../emitter/flat-record.ts';
import { recordAt } from '../flat/record-at.ts';
import { columnName } from '../pieces/column-name.ts';

export const columnRef: ExpressionEmitter = (node, emitter) => {
  node.type();
  const column = node.column('column');
  const record = recordAt(node, emitter);
  if (record !== undefined) return computed(recordValue(record), column.type, wholeWeight);
  return computed(emitter.lambdas.column(columnName(column)), column.type, 0);
};
