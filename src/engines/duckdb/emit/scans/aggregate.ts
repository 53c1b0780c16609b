import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { plain, type Sql } from '../../calls.ts';
import { columnName } from '../column-name.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { withOuterColumns } from '../outer-columns.ts';
import { fromItem, named, relation, unordered, withColumns } from '../relation.ts';

export const aggregateScan: ScanEmitter = (node, emitter) => {
  const input = fromItem(unordered(emitter.scan(node.child('input_scan'))));
  const source = withOuterColumns(input, node.raw('aggregate_list'), emitter.fieldColumns).from;
  const keys = node.list('group_by_list').map((key) => {
    const name = columnName(key.column('column'));
    return { name, item: named(emitter.expression(key.child('expr')), name) };
  });
  const select = new Map(keys.map(({ name }): [string, Sql] => [name, plain(name)]));
  for (const item of node.list('aggregate_list')) {
    const column = item.column('column');
    select.set(columnName(column), emitter.expression(item.child('expr'), column));
  }
  for (const call of node.list('grouping_call_list')) {
    const key = emitter.expression(call.child('group_by_column')).sql;
    select.set(columnName(call.column('output_column')), plain(`CAST(GROUPING(${key}) AS BIGINT)`));
  }
  if (select.size === 0) select.set('c0', plain('1'));
  return {
    ...relation(
      keys.length > 0
        ? withColumns(
            source,
            keys.map((key) => key.item),
          )
        : source,
    ),
    select,
    groupBy: groupingSets(node, emitter) ?? keys.map((key) => key.name).join(', '),
  };
};

/** The GROUP BY clause of a query with ROLLUP, CUBE or GROUPING SETS. */
function groupingSets(node: ResolvedNode, emitter: Emitter): string | undefined {
  const sets = node.list('grouping_set_list');
  if (sets.length === 0) return undefined;
  // ROLLUP as written. The grouping sets are equivalent.
  node.skip('rollup_column_list');
  return `GROUPING SETS (${sets.map((set) => groupingSet(set, emitter)).join(', ')})`;
}

function groupingSet(set: ResolvedNode, emitter: Emitter): string {
  switch (set.kind) {
    case 'resolved_rollup_node':
      return `ROLLUP (${set
        .list('rollup_column_list')
        .map((item) => columnGroup(item, 'column_list', emitter))
        .join(', ')})`;
    case 'resolved_cube_node':
      return `CUBE (${set
        .list('cube_column_list')
        .map((item) => columnGroup(item, 'column_list', emitter))
        .join(', ')})`;
    default:
      return columnGroup(set, 'group_by_column_list', emitter);
  }
}

function columnGroup(node: ResolvedNode, field: string, emitter: Emitter): string {
  return `(${node
    .list(field)
    .map((column) => emitter.expression(column).sql)
    .join(', ')})`;
}
