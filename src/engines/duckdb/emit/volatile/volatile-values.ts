import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Sql } from '../../calls.ts';
import { columnName } from '../column-name.ts';
import type { Emitter } from '../emitter.ts';
import { named } from '../relation.ts';

/** The values of volatile calls in the condition of an outer join, with the names by which the condition reads them. */
export function volatileValues(node: ResolvedNode, emitter: Emitter): readonly Sql[] {
  return node
    .list('volatile_list')
    .map((item) => named(emitter.expression(item.child('expr')), columnName(item.column('column'))));
}
