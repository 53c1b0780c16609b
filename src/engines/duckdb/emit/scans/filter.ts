import type { ScanEmitter } from '../emitter.ts';
import { filter } from '../relation.ts';
import { timeBounds } from '../time-bounds.ts';

export const filterScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const condition = node.child('filter_expr');
  const { constant, sql } = emitter.expression(condition);
  if (constant === true) return source;
  return [sql, ...timeBounds(condition, source.times, emitter)].reduce(filter, source);
};
