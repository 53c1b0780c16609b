import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnName } from '../column-name.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { analyticCall } from '../expressions/analytic-call.ts';
import { fromItem, relation } from '../relation.ts';
import { orderBy, type SortKey, sortKeys } from '../sort-key.ts';

export const analyticScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const columns = node.list('function_group_list').flatMap((group) => {
    const partition = partitionBy(group.optionalChild('partition_by'), emitter);
    const order = sortKeys(group.optionalChild('order_by')?.list('order_by_item_list') ?? []);
    return group.list('analytic_function_list').map((item) => {
      const call = item.child('expr');
      const clauses = [
        partition,
        order.length > 0 && `ORDER BY ${orderBy(order)}`,
        frame(call, order, emitter),
      ];
      const over = `OVER (${clauses.filter((clause) => clause !== '' && clause !== false).join(' ')})`;
      return `${analyticCall(call, emitter, over)} AS ${columnName(item.column('column'))}`;
    });
  });
  return relation(`(SELECT *, ${columns.join(', ')} FROM ${fromItem(source)})`, source.order);
};

function partitionBy(node: ResolvedNode | undefined, emitter: Emitter): string {
  const columns = node?.list('partition_by_list') ?? [];
  if (columns.length === 0) return '';
  return `PARTITION BY ${columns.map((column) => emitter.expression(column).sql).join(', ')}`;
}

function frame(call: ResolvedNode, order: readonly SortKey[], emitter: Emitter): string {
  const node = call.optionalChild('window_frame');
  if (node === undefined) return '';
  const unit = node.choice('frame_unit', ['ROWS', 'RANGE']);
  const start = boundary(node.child('start_expr'), emitter);
  const end = boundary(node.child('end_expr'), emitter);
  const measured = node.child('start_expr').has('expression') || node.child('end_expr').has('expression');
  if (unit === 'RANGE' && measured && order.some((key) => key.type.kind !== 'INT64')) {
    throw node.refusal('RANGE with a distance on a column that is not INT64');
  }
  return `${unit} BETWEEN ${start} AND ${end}`;
}

function boundary(node: ResolvedNode, emitter: Emitter): string {
  const type = node.choice('boundary_type', [
    'UNBOUNDED_PRECEDING',
    'OFFSET_PRECEDING',
    'CURRENT_ROW',
    'OFFSET_FOLLOWING',
    'UNBOUNDED_FOLLOWING',
  ]);
  switch (type) {
    case 'OFFSET_PRECEDING':
      return `${emitter.expression(node.child('expression')).sql} PRECEDING`;
    case 'OFFSET_FOLLOWING':
      return `${emitter.expression(node.child('expression')).sql} FOLLOWING`;
    default:
      return type.replace('_', ' ');
  }
}
