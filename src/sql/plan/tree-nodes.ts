import { type AnyNode, asList, asMessage } from '../resolved/node.ts';

/** Fields of resolved trees that contain no expression, scan or table. Skipping them shortens a walk. */
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

/** The nodes of one kind in a part of a resolved tree, such as `resolved_table_scan_node`, in no particular order. */
export function nodesOf(kind: string, root: unknown): AnyNode[] {
  return fieldsCalled(kind, root, resolvedLeaves);
}

/** As {@link nodesOf} for many kinds, in one walk. */
export function nodesByKind(root: unknown): (kind: string) => readonly AnyNode[] {
  const nodes = new Map<string, AnyNode[]>();
  visitFields(root, resolvedLeaves, (field, value) => {
    if (!field.endsWith('_node') || typeof value !== 'object' || value === null) return;
    const known = nodes.get(field);
    if (known === undefined) nodes.set(field, [value as AnyNode]);
    else known.push(value as AnyNode);
  });
  return (kind) => nodes.get(kind) ?? [];
}

/**
 * The nodes of one kind in a part of a parse tree, such as `ast_table_path_expression_node`, in no particular order.
 */
export function syntaxNodesOf(kind: string, root: unknown): AnyNode[] {
  return fieldsCalled(kind, root, new Set());
}

function fieldsCalled(kind: string, root: unknown, leaves: ReadonlySet<string>): AnyNode[] {
  const nodes: AnyNode[] = [];
  visitFields(root, leaves, (field, value) => {
    if (field === kind) nodes.push(asMessage(value, field));
  });
  return nodes;
}

/**
 * Visits every field in a part of a tree, in no particular order, but none below `leaves`. Trees have some ten thousand
 * fields, and planning a query walks them several times: a generator took twenty times as long (measured).
 */
export function visitFields(
  root: unknown,
  leaves: ReadonlySet<string>,
  visit: (field: string, value: unknown) => void,
): void {
  // Not recursive: callers can make trees arbitrarily deep.
  const pending = [root];
  while (pending.length > 0) {
    const part = pending.pop();
    if (Array.isArray(part)) for (const element of part) pending.push(element);
    else if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) {
      const message = part as AnyNode;
      for (const field in message) {
        const value = message[field];
        visit(field, value);
        if (typeof value === 'object' && !leaves.has(field)) pending.push(value);
      }
    }
  }
}

const entryList = 'with_entry_list';
const leavesOfRead: ReadonlySet<string> = new Set([...resolvedLeaves, entryList]);

/** Visits every field of a resolved statement, but not of entries of WITH clauses that are never read. */
export function visitReadParts(statement: AnyNode, visit: (field: string, value: unknown) => void): void {
  const entries = new Map(
    nodesOf('resolved_with_scan_node', statement)
      .flatMap((scan) => asList(scan[entryList], entryList))
      .map((entry) => asMessage(entry, entryList))
      .map((entry) => [String(entry.with_query_name), entry.with_subquery]),
  );
  const read = new Set<string>();
  const pending: unknown[] = [statement];
  while (pending.length > 0) {
    visitFields(pending.pop(), leavesOfRead, (field, value) => {
      visit(field, value);
      if (field !== 'resolved_with_ref_scan_node') return;
      const name = String(asMessage(value, field).with_query_name);
      if (!read.has(name)) pending.push(entries.get(name));
      read.add(name);
    });
  }
}

/** The greatest id of a column in a statement. */
export function lastColumnId(statement: AnyNode): bigint {
  let last = 0n;
  visitFields(statement, new Set(), (field, value) => {
    if (field === 'column_id' && BigInt(value as string) > last) last = BigInt(value as string);
  });
  return last;
}

/** The function of a call, `resolved_function_call_node`: its name in lower case, without its group. */
export function calledFunction(call: AnyNode): string {
  const { function: called } = asMessage(call.parent, 'parent');
  return String(asMessage(called, 'function').name).replace(/^.*:/, '').toLowerCase();
}

/** The functions that return another value at each call, in lower case. */
export const volatileFunctions: ReadonlySet<string> = new Set(['rand', 'generate_uuid']);

/** The functions whose value can change although no row does: with the time, or by chance. */
export const changingFunctions: ReadonlySet<string> = new Set([
  'current_timestamp',
  'current_datetime',
  'current_date',
  'current_time',
  ...volatileFunctions,
  'session_user',
]);
