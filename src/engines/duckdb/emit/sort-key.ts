import type { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { SqlType } from '../../../sql/type.ts';
import { columnName } from './column-name.ts';

/** A column of an ORDER BY clause. */
export interface SortKey {
  readonly column: string;
  readonly type: SqlType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** The keys of a node's ORDER BY items. NULL is the lowest value by default. */
export function sortKeys(items: readonly ResolvedNode[]): readonly SortKey[] {
  return items.map((item) => {
    if (item.has('collation_name')) throw item.refusal('COLLATE');
    const column = item.child('column_ref').column('column');
    const descending = item.flag('is_descending');
    const nulls = item.choice('null_order', ['ORDER_UNSPECIFIED', 'NULLS_FIRST', 'NULLS_LAST']);
    const nullsFirst = nulls === 'ORDER_UNSPECIFIED' ? !descending : nulls === 'NULLS_FIRST';
    item.child('column_ref').type();
    return { column: columnName(column), type: column.type, descending, nullsFirst };
  });
}

/** The keys as the list of an ORDER BY clause. With `alike`, no key mixes NaN with other numbers. */
export function orderBy(keys: readonly SortKey[], alike = false): string {
  return keys.map((key) => item(key, alike)).join(', ');
}

function item({ column, type, descending, nullsFirst }: SortKey, alike: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = nullsFirst ? 'FIRST' : 'LAST';
  const value = `${column} ${direction} NULLS ${nulls}`;
  if (type.kind !== 'FLOAT64' || alike) return value;
  // NaN is the lowest number in GoogleSQL and the highest in DuckDB.
  return `isnan(${column}) ${descending ? 'ASC' : 'DESC'} NULLS ${nulls}, ${value}`;
}
