import type { ScanEmitter } from '../emitter.ts';
import { filter } from '../relation.ts';

export const filterScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const condition = emitter.expression(node.child('filter_expr'));
  return condition.constant === true ? source : filter(source, condition.sql);
};
