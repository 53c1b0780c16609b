import { plain, type Sql } from '../../dialect/calls.ts';
import type { ScanEmitter } from '../emitter/emitter.ts';
import { project } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';

export const projectScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const computed = new Map<number, Sql>();
  for (const item of node.list('expr_list')) {
    const column = item.column('column');
    computed.set(column.id, emitter.expression(item.child('expr')));
  }
  const columns = node.columns('column_list');
  const select = columns.map((column): [string, Sql] => [
    columnName(column),
    computed.get(column.id) ?? plain(columnName(column)),
  ]);
  return project(source, new Map(select));
};
