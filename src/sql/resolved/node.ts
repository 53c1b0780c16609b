/**
 * A node of the analyzer's resolved tree as received: a protocol buffer message. A node of an abstract type is wrapped
 * in `Any...` messages (`{node: 'resolved_literal_node', resolved_literal_node: {...}}`), and the fields of its base
 * types are under `parent`.
 */
export interface AnyNode {
  readonly [field: string]: unknown;
}

/** A message without its `Any...` wrappers, and its kind. */
interface UnwrappedNode {
  /** The name of the innermost wrapper's field, such as `resolved_literal_node`. Empty if there was no wrapper. */
  readonly kind: string;
  readonly message: AnyNode;
}

/** Removes the `Any...` wrappers. */
export function unwrap(node: AnyNode): UnwrappedNode {
  let kind = '';
  let message = node;
  while (typeof message.node === 'string') {
    kind = message.node;
    message = asMessage(message[kind], kind);
  }
  return { kind, message };
}

/** The node with another message in its wrapper. The same node if the message is unchanged. */
export function rewrap(node: AnyNode, message: AnyNode): AnyNode {
  const unwrapped = unwrap(node);
  return unwrapped.message === message ? node : { node: unwrapped.kind, [unwrapped.kind]: message };
}

/** Asserts that a part of the tree is a message. Otherwise the tree is malformed. */
export function asMessage(value: unknown, field: string): AnyNode {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`The resolved tree is malformed: ${field} is not a message`);
  }
  return value as AnyNode;
}

/** Asserts that a part of the tree is a repeated field. An absent one is empty. */
export function asList(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError(`The resolved tree is malformed: ${field} is not a list`);
  return value;
}

/** The ids of a scan's columns. */
export function columnIds(scan: AnyNode): string[] {
  return messages(fieldsOf(scan), 'column_list').map(idOf);
}

/** The id of a column. */
export function idOf(column: unknown): string {
  return String(asMessage(column, 'column').column_id);
}

/** The fields of a node and of its base types. */
export function fieldsOf(node: AnyNode): AnyNode {
  return isPresent(node.parent) ? { ...fieldsOf(asMessage(node.parent, 'parent')), ...node } : node;
}

/** The node with another value of a field, which its own type or one of its base types has. */
export function withField(node: AnyNode, field: string, value: unknown): AnyNode {
  if (isPresent(node[field]) || !isPresent(node.parent)) return { ...node, [field]: value };
  return { ...node, parent: withField(asMessage(node.parent, 'parent'), field, value) };
}

/** A field that is a message. */
export function messageOf(node: AnyNode, field: string): AnyNode {
  return asMessage(node[field], field);
}

/** A field that is a list of messages. */
export function messages(node: AnyNode, field: string): AnyNode[] {
  return asList(node[field], field).map((each) => asMessage(each, field));
}

/** Whether a field was received. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
