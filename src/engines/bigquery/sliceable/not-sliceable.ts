import { textRange } from '../../../sql/plan/parse-tree.ts';
import {
  calledFunction,
  changingFunctions,
  nodesOf,
  resolvedLeaves,
  visitFields,
} from '../../../sql/plan/tree-nodes.ts';
import { asMessage, fieldsOf } from '../../../sql/resolved/node.ts';

/** Why an aggregation isn't sliced: what in it can't be proved to be the same in slices. */
export class NotSliceable extends Error {
  /** The start of its text, in UTF-8 bytes of the query, if it is known. */
  readonly byteOffset: number | undefined;

  /** @param node where it is in a tree */
  constructor(construct: string, node?: unknown) {
    super(construct);
    this.byteOffset = textRange(node)?.start;
  }
}

/** @throws NotSliceable for a part of a tree whose value may be another one each time, or depends on other rows */
export function refuseOthers(part: unknown): void {
  refuseReads(part);
  visitFields(part, resolvedLeaves, (field, value) => {
    // A source can have more columns than the gateway knows.
    if (field === 'resolved_make_struct_node') throw new NotSliceable('STRUCT', value);
    if (field !== 'resolved_function_call_node') return;
    const call = asMessage(value, field);
    const { function: called } = fieldsOf(call);
    const name = String(asMessage(called, 'function').name);
    const isOther = !name.startsWith('ZetaSQL:') || changingFunctions.has(calledFunction(call));
    if (isOther) throw new NotSliceable(calledFunction(call).toUpperCase(), call);
  });
}

/** @throws NotSliceable for a part of a tree that reads a table */
export function refuseReads(part: unknown): void {
  for (const kind of ['resolved_table_scan_node', 'resolved_with_ref_scan_node'])
    for (const scan of nodesOf(kind, part)) throw new NotSliceable('a subquery that reads rows', scan);
}
