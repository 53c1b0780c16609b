import { collatedValues } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { collationKey } from '../../macros/collation.ts';
import { columnName } from '../column-name.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { analyticCall } from '../expressions/analytic-call.ts';
import { withOuterColumns } from '../outer-columns.ts';
import { continued, fromItem } from '../relation.ts';
import { orderBy, sortKeys } from '../sort-key.ts';
import { framed } from './window-frame.ts';

export const analyticScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const below: string[] = [];
  const columns = node.list('function_group_list').flatMap((group) => {
    const partition = partitionBy(group.optionalChild('partition_by'), emitter);
    const order = sortKeys(group.optionalChild('order_by')?.list('order_by_item_list') ?? []);
    return group.list('analytic_function_list').map((item) => {
      const call = item.child('expr');
      const { keys, frame } = framed(order, call.optionalChild('window_frame'), emitter);
      const ordered = keys.length > 0 ? `ORDER BY ${orderBy(keys)}` : '';
      const over = `OVER (${[partition, ordered, frame].filter((clause) => clause !== '').join(' ')})`;
      const sql = analyticCall(call, emitter, over, {
        below: (sql) => `below_${below.push(sql) - 1}`,
        sorted: ({ sql, type }, nullsFirst) =>
          `OVER (${partition} ORDER BY ${orderBy([{ column: sql, type, descending: false, nullsFirst, collated: false }])}
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
      });
      return `${sql} AS ${columnName(item.column('column'))}`;
    });
  });
  const rows = withOuterColumns(fromItem(source), node.raw('function_group_list'), emitter.fieldColumns);
  const names = below.map((_, i) => `below_${i}`);
  const from =
    below.length === 0
      ? rows.from
      : `(SELECT *, ${below.map((sql, i) => `${sql} AS ${names[i]}`).join(', ')} FROM ${rows.from})`;
  const excluded = [...rows.copies, ...names];
  const star = excluded.length === 0 ? '*' : `* EXCLUDE (${excluded.join(', ')})`;
  return continued(source, `(SELECT ${star}, ${columns.join(', ')} FROM ${from})`);
};

function partitionBy(node: ResolvedNode | undefined, emitter: Emitter): string {
  if (node === undefined) return '';
  const collated = collatedValues(node, 'collation_list');
  const columns = node.list('partition_by_list').map((column, i) => {
    const { sql } = emitter.expression(column);
    return collated[i] === true ? collationKey.call([sql]) : sql;
  });
  return `PARTITION BY ${columns.join(', ')}`;
}
