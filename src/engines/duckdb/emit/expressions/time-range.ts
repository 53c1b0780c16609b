import { computed } from '../../dialect/expression.ts';
import type { ExpressionEmitter } from '../emitter/emitter.ts';
import { timeInRanges } from '../sliced/slice-marks.ts';

/** That a time is in the ranges that a run reads. */
export const timeRange: ExpressionEmitter = (node, emitter) => {
  const { sql } = emitter.expression(node.child('time'));
  return computed(timeInRanges(node.integer('number'), sql), { kind: 'BOOL' }, 1);
};
