import { ignoresCase } from './collated-type.ts';
import { type AnyNode, asList, asMessage } from './node.ts';
import { isPopulated } from './populated.ts';
import type { ResolvedNode } from './resolved-node.ts';
import { unsupported } from './unsupported.ts';

function isCollated(collation: AnyNode): boolean {
  if (asList(collation.child_list, 'child_list').some(isPopulated))
    throw unsupported('a comparison of records or arrays with a collation');
  return ignoresCase(String(collation.collation_name ?? ''));
}

/** For each value that a node compares: whether it does so without regard to letter case. Empty if for none. */
export function collatedValues(node: ResolvedNode): readonly boolean[] {
  const field = 'collation_list';
  return asList(node.raw(field), field).map((collation) => isCollated(asMessage(collation, field)));
}

/** Whether a node compares texts without regard to letter case. */
export function isCollatedBy(node: ResolvedNode, field: string): boolean {
  return node.has(field) && isCollated(node.message(field));
}
