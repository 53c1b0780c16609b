import type { AnyNode } from '../../resolved/node.ts';

/** Fields below which no expression or scan is. */
const leaves: ReadonlySet<string> = new Set([
  'type',
  'column',
  'column_list',
  'output_column_list',
  'outputs',
  'value',
  'function',
  'table',
  'parse_location_range',
  'node',
]);

/**
 * A copy of a part of a resolved tree in which each message is replaced, those within it first. Wrappers around wrappers are removed:
 * each node has only the one that shows its kind.
 *
 * @param prepare what becomes of a message before what is within it is replaced
 */
export function rebuilt<Part>(
  part: Part,
  replace: (message: AnyNode) => AnyNode,
  prepare: (message: AnyNode) => AnyNode = (message) => message,
): Part {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isMessage(value)) return value;
    const copy: Record<string, unknown> = { ...prepare(value) };
    for (const field of Object.keys(copy))
      if (!leaves.has(field) && typeof copy[field] === 'object') copy[field] = visit(copy[field]);
    return replace(withoutOuterWrapper(copy));
  };
  return visit(part) as Part;
}

/** Whether a value of a tree is a message. */
export function isMessage(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function withoutOuterWrapper(message: AnyNode): AnyNode {
  if (typeof message.node !== 'string') return message;
  const inner = message[message.node];
  return isMessage(inner) && typeof inner.node === 'string' ? inner : message;
}
