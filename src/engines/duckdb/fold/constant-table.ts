import type { AnyNode } from '../../../sql/resolved/node.ts';
import { formatType, type SqlType } from '../../../sql/type.ts';
import type { Value } from '../../../sql/value.ts';
import { typeOf } from './expression.ts';
import { isLong } from './is-long.ts';

/** What evaluating a constant expression gave. */
export type Known = { readonly value: Value } | Failing;

export interface Failing {
  readonly error: string;
  /** Whether the moment is to blame: another run may have no such error. */
  readonly isTransient?: boolean;
}

export interface ConstantQuestion {
  /** DuckDB SQL of the expression: no columns, parameters or clock in it, so it says all there is to know. */
  readonly sql: string;
  readonly type: SqlType;
}

/** Outcomes that are worth keeping beyond one run, by the type and the SQL text of the expression. */
export type KnownConstants = Map<string, Known>;

/** Longer texts, and those of longer values, are evaluated again each time rather than kept. */
const maxKeptLength = 2_000;
const maxKept = 2_000;

interface ConstantTableOptions {
  /** The DuckDB SQL of an expression without columns. */
  readonly emit: (expression: AnyNode) => string;
  /** The parameters' values, by name as declared. */
  readonly parameters: ReadonlyMap<string, { readonly value: Value }>;
  /** Outcomes of earlier runs; this one adds its own. */
  readonly kept: KnownConstants;
}

/** The constant expressions of one run: what is known of them, and what has to be found out. */
export class ConstantTable {
  readonly #emit: (expression: AnyNode) => string;
  readonly #parameters: ReadonlyMap<string, { readonly name: string; readonly value: Value }>;
  readonly #kept: KnownConstants;
  readonly #known: KnownConstants = new Map();
  readonly #wanted = new Map<string, ConstantQuestion>();

  constructor({ emit, parameters, kept }: ConstantTableOptions) {
    this.#emit = emit;
    // The tree has them in lower case.
    this.#parameters = new Map(
      [...parameters].map(([name, { value }]) => [name.toLowerCase(), { name, value }]),
    );
    this.#kept = kept;
  }

  /** What an expression comes to; undefined, and one question more, when that isn't known yet. */
  lookup(expression: AnyNode): Known | undefined {
    const question = { sql: this.#emit(expression), type: typeOf(expression) };
    const key = keyOf(question);
    const known = this.#known.get(key) ?? this.#recall(key);
    if (known === undefined) this.#wanted.set(key, question);
    return known;
  }

  /** A parameter's name as declared, for its name in the tree. */
  declaredName(name: string): string {
    return this.#parameters.get(name.toLowerCase())?.name ?? name;
  }

  parameterValue(name: string): Value | undefined {
    return this.#parameters.get(name.toLowerCase())?.value;
  }

  /** Hands out the open questions. */
  takeQuestions(): ConstantQuestion[] {
    const questions = [...this.#wanted.values()];
    this.#wanted.clear();
    return questions;
  }

  learn(question: ConstantQuestion, known: Known): void {
    const key = keyOf(question);
    this.#known.set(key, known);
    if ('error' in known && known.isTransient) return;
    if (key.length > maxKeptLength || ('value' in known && isLong(known.value))) return;
    // The one unused for longest goes: a map iterates in the order of insertion.
    if (this.#kept.size >= maxKept) this.#kept.delete(this.#kept.keys().next().value as string);
    this.#kept.set(key, known);
  }

  #recall(key: string): Known | undefined {
    const known = this.#kept.get(key);
    if (known === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    this.#known.set(key, known);
    return known;
  }
}

/** A TIMESTAMP and a DATETIME may have the same SQL, and have values of other forms. */
function keyOf({ sql, type }: ConstantQuestion): string {
  return `${formatType(type)} ${sql}`;
}
