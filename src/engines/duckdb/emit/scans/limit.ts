import type { ScanEmitter } from '../emitter/emitter.ts';
import { rowCount } from '../emitter/row-count.ts';
import { cut } from '../emitter/steps.ts';

export const limitScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const limit = rowCount(node.optionalChild('limit'), 'LIMIT', emitter);
  return cut(source, limit, rowCount(node.optionalChild('offset'), 'OFFSET', emitter));
};
