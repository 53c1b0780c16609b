import {
  calledFunction,
  changingFunctions,
  nodesOf,
  resolvedLeaves,
  visitFields,
} from '../../../sql/plan/tree-nodes.ts';
import { asMessage, fieldsOf } from '../../../sql/resolved/node.ts';

/** An aggregation isn't sliced, because something in it can't be proved to be the same in slices. */
export class NotSliceable extends Error {}

/** @throws NotSliceable for a part of a tree whose value may be another one each time, or depends on other rows */
export function refuseOthers(part: unknown): void {
  refuseReads(part);
  visitFields(part, resolvedLeaves, (field, value) => {
    if (field !== 'resolved_function_call_node') return;
    const call = asMessage(value, field);
    const { function: called } = fieldsOf(call);
    const name = String(asMessage(called, 'function').name);
    if (!name.startsWith('ZetaSQL:') || changingFunctions.has(calledFunction(call)))
      throw new NotSliceable(name);
  });
}

/** @throws NotSliceable for a part of a tree that reads a table */
export function refuseReads(part: unknown): void {
  for (const kind of ['resolved_table_scan_node', 'resolved_with_ref_scan_node'])
    if (nodesOf(kind, part).length > 0) throw new NotSliceable('a subquery that reads rows');
}
