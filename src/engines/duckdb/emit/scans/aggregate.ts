import { collatedValues } from '../../../../sql/resolved/collation.ts';
import { plain, type Sql } from '../../dialect/calls.ts';
import { comparisonKey, needsKey } from '../../functions/comparison/comparison-key.ts';
import type { ScanEmitter } from '../emitter/emitter.ts';
import { withOuterColumns } from '../emitter/outer-columns.ts';
import { fromItem, named, relation, unordered, withColumns } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';
import { GroupingSets, referredColumn } from './grouping-sets.ts';

export const aggregateScan: ScanEmitter = (node, emitter) => {
  const input = fromItem(unordered(emitter.scan(node.child('input_scan'))));
  const source = withOuterColumns(input, node.raw('aggregate_list'), emitter.fieldColumns).from;
  const sets = new GroupingSets(node);
  const collated = collatedValues(node);
  const keys = node.list('group_by_list').map((key, i) => {
    const column = key.column('column');
    const name = columnName(column);
    const value = emitter.expression(key.child('expr'));
    const sql = comparisonKey(value.sql, value.type, collated[i] === true);
    if (!needsKey(value.type, collated[i] === true))
      return { by: name, name, grouped: sets.key(column), items: [named(value, name)] };
    if (sets.clause !== undefined)
      throw node.refusal(`grouping sets of ${collated[i] ? 'texts with a collation' : 'INTERVAL'}`);
    // Any of the values that are equal stands for all.
    const by = `${name}_key`;
    const items = [named(value, name), named({ ...value, sql }, by)];
    return { by, name, grouped: `any_value(${name})`, items };
  });
  const select = new Map(keys.map(({ name, grouped }): [string, Sql] => [name, plain(grouped)]));
  for (const item of node.list('aggregate_list')) {
    const column = item.column('column');
    select.set(columnName(column), emitter.expression(item.child('expr'), column));
  }
  for (const call of node.list('grouping_call_list')) {
    const key = sets.key(referredColumn(call.child('group_by_column')));
    select.set(columnName(call.column('output_column')), plain(`CAST(GROUPING(${key}) AS BIGINT)`));
  }
  if (select.size === 0) select.set('c0', plain('1'));
  return {
    ...relation(
      keys.length > 0
        ? withColumns(
            source,
            keys.flatMap((key) => key.items),
          )
        : source,
    ),
    select,
    groupBy: sets.clause ?? keys.map((key) => key.by).join(', '),
  };
};
