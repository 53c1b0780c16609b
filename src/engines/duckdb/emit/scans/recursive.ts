import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { needsKey } from '../../functions/comparison/comparison-key.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { rename, render, unordered } from '../emitter/relation.ts';
import { selectColumns } from '../pieces/select-columns.ts';

/** The text of a recursive CTE. Each term is in brackets: it can have a WITH clause or a limit. */
export function recursiveUnion(node: ResolvedNode, emitter: Emitter): string {
  const operator = node.choice('op_type', ['UNION_ALL', 'UNION_DISTINCT']);
  const targets = node.columns('column_list');
  if (operator === 'UNION_DISTINCT' && targets.some(({ type, collated }) => needsKey(type, collated)))
    throw node.refusal('UNION DISTINCT of texts with a collation or INTERVAL');
  const term = (field: string): string => {
    const item = node.child(field);
    const source = unordered(emitter.scan(item.child('scan')));
    const columns = selectColumns(item.columns('output_column_list'), targets);
    return `SELECT * FROM (${render(rename(source, columns))})`;
  };
  const all = operator === 'UNION_ALL' ? ' ALL' : '';
  return `${term('non_recursive_term')} UNION${all} ${term('recursive_term')}`;
}
