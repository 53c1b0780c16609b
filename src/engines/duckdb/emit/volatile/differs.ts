import { nodesOf } from '../../../../sql/plan/tree-nodes.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { isVolatile } from './is-volatile.ts';

/** Whether rows or values differ each time they are computed, by themselves or through an inlined entry. */
export function differs(part: AnyNode, emitter: Emitter): boolean {
  if (!emitter.context.isVolatile) return false;
  if (isVolatile(part)) return true;
  return nodesOf('resolved_with_ref_scan_node', part).some((reference) => {
    const entry = emitter.ctes.findDefined(String(reference.with_query_name));
    return entry !== undefined && 'subquery' in entry && differs(entry.subquery.arrived, emitter);
  });
}
