import type { ScanEmitter } from '../emitter/emitter.ts';
import { ordered } from '../emitter/steps.ts';
import { sortKeys } from '../pieces/sort-key.ts';

export const orderByScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const keys = sortKeys(node.list('order_by_item_list'));
  return ordered(
    source,
    keys.map((key) => ({ ...key, column: source.times.get(key.column) ?? key.column })),
  );
};
