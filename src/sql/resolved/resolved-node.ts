import type { SqlType } from '../values/type.ts';
import { type AnyNode, asList, asMessage, unwrap } from './node.ts';
import { isPopulated, meaninglessFields } from './populated.ts';
import { columnFromProto, type ResolvedColumn } from './result-columns.ts';
import { unsupported } from './unsupported.ts';
import { typeFromProto } from './value-from-proto.ts';

/**
 * Reads one node of the resolved tree. It removes wrappers, finds fields in base types too, and records which fields
 * were read: {@link assertRead} then refuses a node with content that was not read. A reader serves one pass over the
 * tree.
 */
export class ResolvedNode {
  /** Such as `resolved_literal_node`. Empty if the node is in a field of its own concrete type. */
  readonly kind: string;
  /** The message and those of its base types, most derived first. */
  readonly #levels: readonly AnyNode[];
  readonly #read = new Set<string>();
  #replacement: ResolvedNode | undefined;
  readonly #children = new Map<string, readonly ResolvedNode[]>();

  constructor(node: AnyNode) {
    const { kind, message } = unwrap(node);
    this.kind = kind;
    const levels = [message];
    for (let parent = message.parent; parent !== undefined && parent !== null; ) {
      const level = asMessage(parent, 'parent');
      levels.push(level);
      parent = level.parent;
    }
    this.#levels = levels;
  }

  /** The node as received, without wrappers. */
  get arrived(): AnyNode {
    return this.#levels[0] ?? {};
  }

  /** The node as received, in a wrapper that shows its kind. */
  get wrapped(): AnyNode {
    return { node: this.kind, [this.kind]: this.arrived };
  }

  /** The node's kind in plain words: `table scan`. Empty for a message within another node. */
  get label(): string {
    return this.kind.replace(/^resolved_|_node$/g, '').replaceAll('_', ' ');
  }

  /** The start of the node's text, in UTF-8 bytes of the query. Undefined for nodes that a rewrite created. */
  get byteOffset(): number | undefined {
    for (const { parse_location_range } of this.#levels) {
      if (parse_location_range) return Number(asMessage(parse_location_range, 'parse_location_range').start);
    }
    return undefined;
  }

  /** Another node that is read in place of this one. */
  replacedBy(node: AnyNode): ResolvedNode {
    this.#replacement = new ResolvedNode(node);
    return this.#replacement;
  }

  /** A field as received. Undefined if it is absent. */
  raw(field: string): unknown {
    this.#read.add(field);
    for (const level of this.#levels) {
      const value = level[field];
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  /** Marks a field as read whose content doesn't matter. Callers give the reason in a comment. */
  skip(field: string): void {
    this.#read.add(field);
  }

  has(field: string): boolean {
    return isPopulated(this.raw(field));
  }

  /** A required node. */
  child(field: string): ResolvedNode {
    const child = this.optionalChild(field);
    if (child === undefined)
      throw new TypeError(`The resolved tree is malformed: no ${field} in a ${this.label}`);
    return child;
  }

  optionalChild(field: string): ResolvedNode | undefined {
    return this.#nodes(field, () => {
      const value = this.raw(field);
      return value === undefined ? [] : [value];
    })[0];
  }

  /** The nodes of a repeated field. */
  list(field: string): readonly ResolvedNode[] {
    return this.#nodes(field, () => asList(this.raw(field), field));
  }

  #nodes(field: string, read: () => readonly unknown[]): readonly ResolvedNode[] {
    let nodes = this.#children.get(field);
    if (nodes === undefined) {
      nodes = read().map((value) => new ResolvedNode(asMessage(value, field)));
      this.#children.set(field, nodes);
    }
    return nodes;
  }

  flag(field: string): boolean {
    return this.raw(field) === true;
  }

  text(field: string): string {
    return String(this.raw(field) ?? '');
  }

  integer(field: string): number {
    return Number(this.raw(field) ?? 0);
  }

  /**
   * The value of an enumeration, which must be one of `allowed`; an absent field means the first. Any other value is
   * refused by name.
   */
  choice<Allowed extends string>(field: string, allowed: readonly [Allowed, ...Allowed[]]): Allowed {
    const value = this.raw(field) ?? allowed[0];
    const choice = allowed.find((name) => name === value);
    if (choice === undefined) throw this.refusal(`${field} ${String(value)}`);
    return choice;
  }

  column(field: string): ResolvedColumn {
    return columnFromProto(asMessage(this.raw(field), field));
  }

  columns(field: string): readonly ResolvedColumn[] {
    return asList(this.raw(field), field).map((column) => columnFromProto(asMessage(column, field)));
  }

  /** The type of an expression. */
  type(): SqlType {
    return typeFromProto(this.message('type'));
  }

  /** A plain message that is not a node. */
  message(field: string): AnyNode {
    return asMessage(this.raw(field), field);
  }

  /** The error for an unsupported construct in this node. */
  refusal(what: string): Error {
    return unsupported(this.label === '' ? what : `${what} in a ${this.label}`, this.byteOffset);
  }

  /** Refuses this node, or a visited node below it, if it has content that was not read. */
  assertRead(): void {
    if (this.#replacement !== undefined) {
      this.#replacement.assertRead();
      return;
    }
    for (const level of this.#levels) {
      for (const field in level) {
        if (field === 'parent' || this.#read.has(field) || meaninglessFields.has(field)) continue;
        if (isPopulated(level[field])) throw this.refusal(field);
      }
    }
    for (const children of this.#children.values()) for (const child of children) child.assertRead();
  }
}
