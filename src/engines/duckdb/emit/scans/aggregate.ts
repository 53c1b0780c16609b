import { isDeepStrictEqual } from 'node:util';
import { collatedValues } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { plain, type Sql } from '../../dialect/calls.ts';
import { comparisonKey, needsKey } from '../../functions/comparison/comparison-key.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { withOuterColumns } from '../emitter/outer-columns.ts';
import { fromItem, named, relation, unordered, withColumns } from '../emitter/relation.ts';
import { grouped, isUniqueBy, project } from '../emitter/steps.ts';
import { columnName } from '../pieces/column-name.ts';
import { functionName } from '../pieces/function-name.ts';
import { sliceField } from '../sliced/slice-statement.ts';
import { mergedAggregation } from './merged-aggregation.ts';

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

/** Aggregates that are the value itself for a single row. */
const keepsValue: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'any_value']);

/** An aggregate's value for a group of one row. Undefined if it isn't the value of its argument. */
function valueOfSingleRow(call: ResolvedNode, emitter: Emitter): Sql | undefined {
  if (call.kind !== 'resolved_aggregate_function_call_node' || !keepsValue.has(functionName(call).key))
    return undefined;
  const [value, ...others] = call.list('argument_list').map((argument) => emitter.expression(argument));
  const hasMore = ['having_modifier', 'order_by_item_list', 'limit'].some((field) => call.has(field));
  // DuckDB adds zero to -0.0.
  if (value === undefined || others.length > 0 || hasMore || value.type.kind === 'FLOAT64') return undefined;
  return isDeepStrictEqual(value.type, call.type()) ? value : undefined;
}

export const aggregateScan: ScanEmitter = (node, emitter) => {
  if (node.has(sliceField)) return mergedAggregation(node, emitter);
  const input = unordered(emitter.scan(node.child('input_scan')));
  const sets = new GroupingSets(node);
  const collated = collatedValues(node);
  const keys = node.list('group_by_list').map((key, i) => {
    const column = key.column('column');
    const name = columnName(column);
    const value = emitter.expression(key.child('expr'));
    const sql = comparisonKey(value.sql, value.type, collated[i] === true);
    if (!needsKey(value.type, collated[i] === true))
      return { by: name, name, grouped: sets.key(column), items: [named(value, name)], value };
    if (sets.clause !== undefined)
      throw node.refusal(`grouping sets of ${collated[i] ? 'texts with a collation' : 'INTERVAL'}`);
    // Any of the values that are equal stands for all.
    const by = `${name}_key`;
    const items = [named(value, name), named({ ...value, sql }, by)];
    return { by, name, grouped: `any_value(${name})`, items, value: undefined };
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
  if (select.size === 0) select.set('c0', plain('count(*)'));
  const keepsRow = keys.length === 0 && sets.clause === undefined && emitter.isCorrelated;
  const { from, copies } = withOuterColumns(
    fromItem(input),
    node.raw('aggregate_list'),
    emitter.fieldColumns,
  );
  const values = keys.flatMap(({ name, value }): [string, Sql][] =>
    value === undefined || value.constant !== undefined ? [] : [[name, value]],
  );
  const isPlain = sets.clause === undefined && copies.length === 0 && values.length === keys.length;
  const merged = isPlain
    ? grouped(input, new Map(values), new Map([...select].slice(keys.length)))
    : undefined;
  if (merged !== undefined) return { ...merged, keepsRow };
  if (isPlain && isUniqueBy(input, new Set(values.map(([, { sql }]) => sql)))) {
    const single = node.list('aggregate_list').map((item) => valueOfSingleRow(item.child('expr'), emitter));
    const names = [...select.keys()].slice(keys.length);
    if (single.every((value) => value !== undefined))
      return project(
        input,
        new Map([...values, ...names.map((name, i): [string, Sql] => [name, single[i] as Sql])]),
      );
  }
  return {
    ...relation(
      keys.length > 0
        ? withColumns(
            from,
            keys.flatMap((key) => key.items),
          )
        : from,
    ),
    select,
    others: '',
    groupBy: sets.clause === undefined ? keys.map((key) => key.by) : [sets.clause],
    keepsRow,
  };
};
