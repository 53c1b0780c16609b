import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { comparisonKey, needsKey } from '../../functions/comparison/comparison-key.ts';
import type { ScanEmitter } from '../emitter/emitter.ts';
import { relation, render, unordered } from '../emitter/relation.ts';
import { rename } from '../emitter/steps.ts';
import { columnName } from '../pieces/column-name.ts';
import { selectColumns } from '../pieces/select-columns.ts';

const operators = {
  UNION_ALL: 'UNION ALL',
  UNION_DISTINCT: 'UNION',
  INTERSECT_ALL: 'INTERSECT ALL',
  INTERSECT_DISTINCT: 'INTERSECT',
  EXCEPT_ALL: 'EXCEPT ALL',
  EXCEPT_DISTINCT: 'EXCEPT',
} as const;

type Operation = keyof typeof operators;

export const setOperationScan: ScanEmitter = (node, emitter) => {
  const operation = node.choice('op_type', [
    'UNION_ALL',
    'UNION_DISTINCT',
    'INTERSECT_ALL',
    'INTERSECT_DISTINCT',
    'EXCEPT_ALL',
    'EXCEPT_DISTINCT',
  ]);
  node.choice('column_match_mode', ['BY_POSITION']);
  node.choice('column_propagation_mode', ['STRICT']);
  const targets = node.columns('column_list');
  const items = node.list('input_item_list').map((item) => {
    const source = unordered(emitter.scan(item.child('scan')));
    return `(${render(rename(source, selectColumns(item.columns('output_column_list'), targets)))})`;
  });
  return relation(
    operation !== 'UNION_ALL' && targets.some(({ type, collated }) => needsKey(type, collated))
      ? byKeys(operation, items, targets, node)
      : `(${items.join(` ${operators[operation]} `)})`,
  );
};

/** A set operation on rows with values that are compared by keys. Any of equal rows stands for all. */
function byKeys(
  operation: Operation,
  items: readonly string[],
  columns: readonly ResolvedColumn[],
  node: ResolvedNode,
): string {
  for (const { type, collated } of columns)
    if (collated && type.kind !== 'STRING')
      throw node.refusal('a comparison of records or arrays with a collation');
  const keyOf = (column: ResolvedColumn, table: string) => {
    const name = `${table}.${columnName(column)}`;
    return comparisonKey(name, column.type, column.collated);
  };
  const [first = '', ...others] = items;
  const keys = columns.map((column) => keyOf(column, 'l'));
  const selected = columns.map((column) => `any_value(l.${columnName(column)}) AS ${columnName(column)}`);
  const distinct = (rows: string) =>
    `(SELECT ${selected.join(', ')} FROM ${rows} GROUP BY ${keys.join(', ')})`;
  if (operation === 'UNION_DISTINCT') return distinct(`(${items.join(' UNION ALL ')}) AS l`);
  if (operation !== 'INTERSECT_DISTINCT' && operation !== 'EXCEPT_DISTINCT')
    throw node.refusal(`${operators[operation]} of texts with a collation or INTERVAL`);
  const join = operation === 'INTERSECT_DISTINCT' ? 'SEMI' : 'ANTI';
  const isSame = columns.map((column, i) => `${keys[i]} IS NOT DISTINCT FROM ${keyOf(column, 'r')}`);
  return others.reduce(
    (rows, other) => distinct(`${rows} AS l ${join} JOIN ${other} AS r ON ${isSame.join(' AND ')}`),
    first,
  );
}
