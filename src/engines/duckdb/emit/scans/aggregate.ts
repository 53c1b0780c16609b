import { collatedValues } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { plain, type Sql } from '../../dialect/calls.ts';
import { comparisonKey, needsKey } from '../../functions/comparison/comparison-key.ts';
import type { ScanEmitter } from '../emitter/emitter.ts';
import { withOuterColumns } from '../emitter/outer-columns.ts';
import { fromItem, named, relation, unordered, withColumns } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';

/** The key of a reference to a key. */
function referredColumn(reference: ResolvedNode): ResolvedColumn {
  // The column has the same type.
  reference.skip('type');
  return reference.column('column');
}

/** The grouping sets of an aggregate scan, with equal keys as one. */
class GroupingSets {
  readonly #sets: readonly ResolvedNode[];
  readonly #firstKeys: ReadonlyMap<number, number>;

  constructor(node: ResolvedNode) {
    this.#sets = node.list('grouping_set_list');
    // ROLLUP as written. The grouping sets are equivalent.
    node.skip('rollup_column_list');
    this.#firstKeys = new Map(
      node.list('equal_keys').map((equal) => [equal.column('key').id, equal.column('first').id]),
    );
    if (node.flag('confused_position')) throw node.refusal('a number that grouping sets list twice');
    this.clause = this.#sets.length === 0 ? undefined : `GROUPING SETS (${this.#all()})`;
  }

  /** The GROUP BY clause of a query with ROLLUP, CUBE or GROUPING SETS. */
  readonly clause: string | undefined;

  /** The name of the key that stands for this one. */
  key({ id }: ResolvedColumn): string {
    return columnName({ id: this.#firstKeys.get(id) ?? id });
  }

  #all(): string {
    return this.#sets.map((set) => this.#set(set)).join(', ');
  }

  #set(set: ResolvedNode): string {
    switch (set.kind) {
      case 'resolved_rollup_node':
        return `ROLLUP (${this.#groups(set, 'rollup_column_list')})`;
      case 'resolved_cube_node':
        return `CUBE (${this.#groups(set, 'cube_column_list')})`;
      default:
        return this.#group(set, 'group_by_column_list');
    }
  }

  #groups(set: ResolvedNode, field: string): string {
    return set
      .list(field)
      .map((item) => this.#group(item, 'column_list'))
      .join(', ');
  }

  #group(node: ResolvedNode, field: string): string {
    const columns = node.list(field).map(referredColumn);
    return `(${columns.map((column) => this.key(column)).join(', ')})`;
  }
}

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
