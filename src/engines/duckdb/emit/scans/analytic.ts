import { collatedValues } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { comparisonKey } from '../../functions/comparison/comparison-key.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { withOuterColumns } from '../emitter/outer-columns.ts';
import { continued, fromItem } from '../emitter/relation.ts';
import { analyticCall } from '../expressions/analytic-call.ts';
import { columnName } from '../pieces/column-name.ts';
import { orderBy, sortKeys } from '../pieces/sort-key.ts';
import { framed } from './window-frame.ts';

export const analyticScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const below: string[] = [];
  const windows = node.list('function_group_list').map((group): Window => {
    const partition = partitionKeys(group.optionalChild('partition_by'), emitter);
    const partitionBy = partition.length > 0 ? `PARTITION BY ${partition.join(', ')}` : '';
    const order = withoutRepeated(
      sortKeys(group.optionalChild('order_by')?.list('order_by_item_list') ?? []),
      ({ column }) => column,
    );
    const columns = group.list('analytic_function_list').map((item) => {
      const call = item.child('expr');
      const { keys, frame } = framed(order, call.optionalChild('window_frame'), emitter);
      const ordered = keys.length > 0 ? `ORDER BY ${orderBy(keys)}` : '';
      const over = `OVER (${[partitionBy, ordered, frame].filter((clause) => clause !== '').join(' ')})`;
      const sql = analyticCall(call, emitter, over, {
        below: (sql) => `below_${below.push(sql) - 1}`,
        sorted: ({ sql, type }, nullsFirst) =>
          `OVER (${partitionBy} ORDER BY ${orderBy([{ column: sql, type, descending: false, nullsFirst, collated: false }])}
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
      });
      return `${sql} AS ${columnName(item.column('column'))}`;
    });
    return { partition, columns };
  });
  const rows = withOuterColumns(fromItem(source), node.raw('function_group_list'), emitter.fieldColumns);
  const names = below.map((_, i) => `below_${i}`);
  const from =
    below.length === 0
      ? rows.from
      : `(SELECT *, ${below.map((sql, i) => `${sql} AS ${names[i]}`).join(', ')} FROM ${rows.from})`;
  const excluded = [...rows.copies, ...names];
  const star = excluded.length === 0 ? '*' : `* EXCLUDE (${excluded.join(', ')})`;
  const [last = [], ...others] = apart(windows).toReversed();
  const inner = others.reduceRight((from, columns) => `(SELECT *, ${columns.join(', ')} FROM ${from})`, from);
  return continued(source, `(SELECT ${star}, ${last.join(', ')} FROM ${inner})`);
};

/** The functions of one window: SQL, with the keys of its partitions. */
interface Window {
  readonly partition: readonly string[];
  readonly columns: readonly string[];
}

/**
 * The functions of the windows, by the SELECT that computes them. In one SELECT, DuckDB takes two windows with the same
 * number of keys for equal if one of them repeats a key that both have. Its optimizer may find only later that two columns
 * are the same.
 */
function apart(windows: readonly Window[]): readonly (readonly string[])[] {
  const selects: Window[][] = [];
  for (const window of windows) {
    const select = selects.find((others) => others.every((other) => isUnmistakable(window, other)));
    if (select === undefined) selects.push([window]);
    else select.push(window);
  }
  return selects.map((select) => select.flatMap(({ columns }) => columns));
}

function isUnmistakable({ partition: one }: Window, { partition: other }: Window): boolean {
  return one.length !== other.length || one.length < 2 || one.every((key) => other.includes(key));
}

function withoutRepeated<Key>(keys: readonly Key[], columnOf: (key: Key) => string): readonly Key[] {
  const columns = keys.map(columnOf);
  return keys.filter((_, i) => columns.indexOf(columns[i] ?? '') === i);
}

function partitionKeys(node: ResolvedNode | undefined, emitter: Emitter): readonly string[] {
  if (node === undefined) return [];
  const collated = collatedValues(node);
  const keys = node.list('partition_by_list').map((column, i) => {
    const { sql, type } = emitter.expression(column);
    return comparisonKey(sql, type, collated[i] === true);
  });
  return withoutRepeated(keys, (key) => key);
}
