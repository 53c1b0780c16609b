import type { ScanEmitter } from '../emitter.ts';
import { nested, unordered } from '../relation.ts';
import { sortKeys } from '../sort-key.ts';

export const orderByScan: ScanEmitter = (node, emitter) => {
  const source = unordered(emitter.scan(node.child('input_scan')));
  const order = sortKeys(node.list('order_by_item_list'));
  const base = source.select || source.groupBy !== '' || source.limit !== '' ? nested(source) : source;
  return { ...base, order };
};
