import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Emitter } from '../emitter.ts';
import { rename, render, unordered } from '../relation.ts';
import { selectColumns } from '../select-columns.ts';

/** The text of a recursive CTE. */
export function recursiveUnion(node: ResolvedNode, emitter: Emitter): string {
  const operator = node.choice('op_type', ['UNION_ALL', 'UNION_DISTINCT']);
  const term = (field: string): string => {
    const item = node.child(field);
    const source = unordered(emitter.scan(item.child('scan')));
    return render(rename(source, selectColumns(item.columns('output_column_list'))));
  };
  const all = operator === 'UNION_ALL' ? ' ALL' : '';
  return `${term('non_recursive_term')} UNION${all} ${term('recursive_term')}`;
}
