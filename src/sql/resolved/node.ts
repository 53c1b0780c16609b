import type { SqlType } from '../type.ts';
import type { Value } from '../value.ts';

/**
 * A node of the analyzer's resolved tree as it arrives: a protocol buffer message, in which a node of an
 * abstract type is wrapped in `Any...` messages (`{node: 'resolved_literal_node', resolved_literal_node: {...}}`)
 * and the fields of its base types stand under `parent`.
 */
export interface AnyNode {
  readonly [field: string]: unknown;
}

/** The kind of the one node that the analyzer doesn't know: see {@link constantNode}. */
export const constantKind = 'gateway_constant_node';

/**
 * An expression node with a value that was computed beforehand. It stands wherever an expression of the
 * analyzer may stand.
 */
export function constantNode(type: SqlType, value: Value): AnyNode {
  return { node: constantKind, [constantKind]: { type, value } };
}

/** A message with its kind, after every `Any...` wrapper around it was taken off. */
interface UnwrappedNode {
  /** The name of the wrapper's field, as `resolved_literal_node`; empty for a message that had no wrapper. */
  readonly kind: string;
  readonly message: AnyNode;
}

/** Takes the `Any...` wrappers off. */
export function unwrap(node: AnyNode): UnwrappedNode {
  let kind = '';
  let message = node;
  while (typeof message.node === 'string') {
    kind = message.node;
    message = asMessage(message[kind], kind);
  }
  return { kind, message };
}

/** The node with another message in its wrapper; the very same node when the message is its own. */
export function rewrap(node: AnyNode, message: AnyNode): AnyNode {
  const unwrapped = unwrap(node);
  return unwrapped.message === message ? node : { node: unwrapped.kind, [unwrapped.kind]: message };
}

/** Believes that a part of the tree is a message; anything else means that the tree is malformed. */
export function asMessage(value: unknown, field: string): AnyNode {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`The resolved tree is malformed: ${field} is no message`);
  }
  return value as AnyNode;
}

/** Believes that a part of the tree is a repeated field; an absent one is empty. */
export function asList(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError(`The resolved tree is malformed: ${field} is no list`);
  return value;
}
