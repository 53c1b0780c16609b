import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { plain, type Sql } from '../../dialect/calls.ts';
import type { ScanEmitter } from '../emitter/emitter.ts';
import { project } from '../emitter/steps.ts';
import { columnName } from '../pieces/column-name.ts';
import { columnUses, usesOutside } from '../tree/column-uses.ts';
import { keepsColumnsField } from '../tree/make-nodes.ts';

export const projectScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const computed = new Map<number, Sql>();
  for (const item of node.list('expr_list')) {
    const column = item.column('column');
    computed.set(column.id, emitter.expression(item.child('expr')));
  }
  // Those that the expressions here have used up: without them, an aggregate can be put into such an expression.
  const keepsAll = node.flag(keepsColumnsField);
  const outside = keepsAll
    ? undefined
    : source.groupBy && usesOutside(emitter.uses, columnUses(node.arrived));
  const isUsed = ({ id }: ResolvedColumn) =>
    outside === undefined ||
    !emitter.uses.whole.has(id) ||
    outside.whole.has(id) ||
    (outside.fields.get(id)?.size ?? 0) > 0;
  const columns = node.columns('column_list').filter(isUsed);
  const select = columns.map((column): [string, Sql] => [
    columnName(column),
    computed.get(column.id) ?? plain(columnName(column)),
  ]);
  return project(source, new Map(select));
};
