import { memoized } from '../../../../base/async/memoized.ts';
import { calledFunction, resolvedLeaves, volatileFunctions } from '../../../../sql/plan/tree-nodes.ts';
import { asMessage } from '../../../../sql/resolved/node.ts';

const isVolatilePart: (part: object) => boolean = memoized((part) =>
  Object.entries(part).some(
    ([field, value]) => isVolatileField(field, value) || (!resolvedLeaves.has(field) && isVolatile(value)),
  ),
);

/** Whether a part of a resolved tree gives other values each time it is evaluated. References to CTEs are not followed. */
export function isVolatile(part: unknown): boolean {
  return typeof part === 'object' && part !== null && !ArrayBuffer.isView(part) && isVolatilePart(part);
}

function isVolatileField(field: string, value: unknown): boolean {
  if (field === 'resolved_sample_scan_node') return true;
  return field === 'resolved_function_call_node' && isVolatileCall(field, value);
}

/** Whether a node is a call of a volatile function. */
export function isVolatileCall(kind: string, message: unknown): boolean {
  return (
    kind === 'resolved_function_call_node' && volatileFunctions.has(calledFunction(asMessage(message, kind)))
  );
}
