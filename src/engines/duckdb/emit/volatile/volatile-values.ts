import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Sql } from '../../dialect/calls.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { named } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';

/** The values of volatile calls in the condition of an outer join, with the names by which the condition reads them. */
export function volatileValues(node: ResolvedNode, emitter: Emitter): readonly Sql[] {
  return node
    .list('volatile_list')
    .map((item) => named(emitter.expression(item.child('expr')), columnName(item.column('column'))));
}
