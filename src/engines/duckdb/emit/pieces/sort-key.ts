import { isCollatedBy } from '../../../../sql/resolved/collation.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { type OrderKey, orderList } from '../../functions/call/order-key.ts';
import { comparisonKey } from '../../functions/comparison/comparison-key.ts';
import { columnName } from './column-name.ts';

/** A column of an ORDER BY clause. */
export interface SortKey {
  readonly column: string;
  readonly type: SqlType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** Whether texts are compared without regard to letter case. */
  readonly collated: boolean;
}

/** The keys of a node's ORDER BY items. NULL is the lowest value by default. */
export function sortKeys(items: readonly ResolvedNode[]): readonly SortKey[] {
  return items.map((item) => {
    // The name is in `collation` as well, unless it is a parameter.
    if (item.has('collation_name') && item.raw('collation') === undefined)
      throw item.refusal('COLLATE with a parameter');
    if (item.has('collation_name') && !item.has('collation')) throw item.refusal("COLLATE ''");
    const collated = isCollatedBy(item, 'collation');
    const column = item.child('column_ref').column('column');
    const descending = item.flag('is_descending');
    const nulls = item.choice('null_order', ['ORDER_UNSPECIFIED', 'NULLS_FIRST', 'NULLS_LAST']);
    const nullsFirst = nulls === 'ORDER_UNSPECIFIED' ? !descending : nulls === 'NULLS_FIRST';
    item.child('column_ref').type();
    return { column: columnName(column), type: column.type, descending, nullsFirst, collated };
  });
}

/** The keys as the list of an ORDER BY clause. */
export function orderBy(keys: readonly SortKey[]): string {
  return orderList(orderKeys(keys));
}

/** Whether DuckDB sorts by the column itself. */
export function isByName(key: SortKey): boolean {
  const [first, ...others] = orderKeys([key]);
  return others.length === 0 && first?.sql === key.column;
}

/** The keys by which DuckDB sorts in their order. */
export function orderKeys(keys: readonly SortKey[]): readonly OrderKey[] {
  return keys.flatMap(({ column, type, descending, nullsFirst, collated }) => {
    const nulls = nullsFirst ? 'FIRST' : 'LAST';
    const value: OrderKey = {
      sql: comparisonKey(column, type, collated),
      direction: descending ? 'DESC' : 'ASC',
      nulls,
    };
    if (type.kind !== 'FLOAT64') return [value];
    // NaN is the lowest number in GoogleSQL and the highest in DuckDB.
    return [{ sql: `isnan(${column})`, direction: descending ? 'ASC' : 'DESC', nulls }, value];
  });
}
