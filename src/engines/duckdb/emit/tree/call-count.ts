import type { AnyNode } from '../../../../sql/resolved/node.ts';

/** Counting takes as long as a small query: each statement is counted once. */
const known = new WeakMap<AnyNode, number>();

/** The number of calls of functions in a statement. */
export function callCount(statement: AnyNode): number {
  const before = known.get(statement);
  if (before !== undefined) return before;
  const count = countCalls(statement);
  known.set(statement, count);
  return count;
}

function countCalls(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + countCalls(part), 0);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  let count = 0;
  for (const [field, part] of Object.entries(value))
    count += (field === 'resolved_function_call_node' ? 1 : 0) + countCalls(part);
  return count;
}
