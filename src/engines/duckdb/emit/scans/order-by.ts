import type { ScanEmitter } from '../emitter/emitter.ts';
import { nested } from '../emitter/relation.ts';
import { sortKeys } from '../pieces/sort-key.ts';

export const orderByScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const keys = sortKeys(node.list('order_by_item_list'));
  const order = keys.map((key) => ({ ...key, column: source.times.get(key.column) ?? key.column }));
  const base = source.select || source.groupBy !== '' || source.limit !== '' ? nested(source) : source;
  return { ...base, order };
};
