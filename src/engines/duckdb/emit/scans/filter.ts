import { plain } from '../../calls.ts';
import type { ScanEmitter } from '../emitter.ts';
import { filter, type Relation } from '../relation.ts';
import { timeBounds } from '../time-bounds.ts';

export const filterScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const condition = node.child('filter_expr');
  const emitted = emitter.expression(condition);
  if (emitted.constant === true) return source;
  const bounds = timeBounds(condition, source.times, emitter).map(plain);
  return [emitted, ...bounds].reduce<Relation>(filter, source);
};
