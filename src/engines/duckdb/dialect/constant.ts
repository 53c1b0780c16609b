import type { AnyNode } from '../../../sql/resolved/node.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { literalSql } from './literal.ts';

/** A value that is known when SQL is emitted. */
export interface Constant {
  readonly value: Value;
  readonly isNull: boolean;
  /** Whether it should be computed where it is needed: `REPEAT('a', 1000000)` is shorter than its value. */
  readonly isLong: boolean;
  /** Its SQL, of exactly the DuckDB type of `type`. */
  sqlAs(type: SqlType): string;
}

/** The maximum length of a text to cache or repeat, in characters. */
const maxLength = 2_000;

/** A value that is the same in every run. */
class FixedConstant implements Constant {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  get isNull(): boolean {
    return this.#value === null;
  }

  get isLong(): boolean {
    return typeof this.#value === 'string' && this.#value.length > maxLength;
  }

  sqlAs(type: SqlType): string {
    return literalSql(type, this.#value);
  }
}

export function fixed(value: Value): Constant {
  return new FixedConstant(value);
}

/** The kind of the only node that the analyzer doesn't produce: see {@link constantNode}. */
export const constantKind = 'gateway_constant_node';

/**
 * An expression node with a known value. It can replace any expression of the analyzer. Code that walks through trees
 * copies objects, but not what a function returns.
 */
export function constantNode(type: SqlType, constant: Constant): AnyNode {
  return { node: constantKind, [constantKind]: { type, constant: () => constant } };
}

/** The constant of such a node. */
export function constantOf(message: AnyNode): Constant {
  return (message.constant as () => Constant)();
}

export function fixedNode(type: SqlType, value: Value): AnyNode {
  return constantNode(type, fixed(value));
}
