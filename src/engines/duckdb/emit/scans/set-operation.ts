import type { ScanEmitter } from '../emitter.ts';
import { relation, rename, render, unordered } from '../relation.ts';
import { selectColumns } from '../select-columns.ts';

const operators = {
  UNION_ALL: 'UNION ALL',
  UNION_DISTINCT: 'UNION',
  INTERSECT_ALL: 'INTERSECT ALL',
  INTERSECT_DISTINCT: 'INTERSECT',
  EXCEPT_ALL: 'EXCEPT ALL',
  EXCEPT_DISTINCT: 'EXCEPT',
} as const;

export const setOperationScan: ScanEmitter = (node, emitter) => {
  const operator =
    operators[
      node.choice('op_type', [
        'UNION_ALL',
        'UNION_DISTINCT',
        'INTERSECT_ALL',
        'INTERSECT_DISTINCT',
        'EXCEPT_ALL',
        'EXCEPT_DISTINCT',
      ])
    ];
  node.choice('column_match_mode', ['BY_POSITION']);
  node.choice('column_propagation_mode', ['STRICT']);
  const targets = node.columns('column_list');
  const items = node.list('input_item_list').map((item) => {
    const source = unordered(emitter.scan(item.child('scan')));
    return `(${render(rename(source, selectColumns(item.columns('output_column_list'), targets)))})`;
  });
  return relation(`(${items.join(` ${operator} `)})`);
};
