import type { ResolvedColumn } from '../../../../sql/resolved/column.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnName } from '../pieces/column-name.ts';

/** The key of a reference to a key. */
export function referredColumn(reference: ResolvedNode): ResolvedColumn {
  // The column has the same type.
  reference.skip('type');
  return reference.column('column');
}

/** The grouping sets of an aggregate scan, with equal keys as one. */
export class GroupingSets {
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
