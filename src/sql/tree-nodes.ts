import { type AnyNode, asMessage } from './resolved/node.ts';

/** Fields of resolved trees below which no expression, scan or table stands; leaving them out makes a walk short. */
export const resolvedLeaves: ReadonlySet<string> = new Set([
  'type',
  'column',
  'column_list',
  'signature',
  'value',
  'function',
  'table_name',
  'parse_location_range',
]);

/** The nodes of one kind in a part of a resolved tree, such as `resolved_table_scan_node`. */
export function nodesOf(kind: string, root: unknown): Generator<AnyNode> {
  return fieldsCalled(kind, root, resolvedLeaves);
}

/** The nodes of one kind in a part of a parse tree, such as `ast_table_path_expression_node`. */
export function syntaxNodesOf(kind: string, root: unknown): Generator<AnyNode> {
  return fieldsCalled(kind, root, new Set());
}

function* fieldsCalled(kind: string, root: unknown, leaves: ReadonlySet<string>): Generator<AnyNode> {
  for (const [field, value] of fieldsBelow(root, leaves)) if (field === kind) yield asMessage(value, field);
}

/** Every field in a part of a tree, with its value, in no particular order; below `leaves` no further ones. */
export function* fieldsBelow(root: unknown, leaves: ReadonlySet<string>): Generator<[string, unknown]> {
  // Not by recursion: trees are as deep as callers make them.
  const pending = [root];
  while (pending.length > 0) {
    const part = pending.pop();
    if (Array.isArray(part)) for (const element of part) pending.push(element);
    else if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) {
      const message = part as AnyNode;
      for (const field in message) {
        yield [field, message[field]];
        if (!leaves.has(field)) pending.push(message[field]);
      }
    }
  }
}
