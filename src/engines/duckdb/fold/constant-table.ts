import type { AnyNode } from '../../../sql/resolved/node.ts';
import { formatType, type SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { typeOf } from './expression.ts';
import { isLong } from './is-long.ts';

/** The outcome of evaluating a constant expression. */
export type Known = { readonly value: Value } | Failing;

export interface Failing {
  readonly error: string;
  /** Whether the error is transient. */
  readonly isTransient?: boolean;
}

export interface ConstantQuestion {
  /** DuckDB SQL of the expression, without columns, parameters or clock: it is a complete key. */
  readonly sql: string;
  readonly type: SqlType;
}

/** Outcomes cached between runs, by the type and the SQL text of the expression. */
export type KnownConstants = Map<string, Known>;

/** Longer texts, and texts with longer values, are not cached. */
const maxCachedLength = 2_000;
const maxCached = 2_000;

interface ConstantTableOptions {
  /** Emits DuckDB SQL for an expression without columns. */
  readonly emit: (expression: AnyNode) => string;
  /** The parameters' values, by declared name. */
  readonly parameters: ReadonlyMap<string, { readonly value: Value }>;
  /** Outcomes of earlier runs, to which this one adds its own. */
  readonly kept: KnownConstants;
}

/** The constant expressions of one run: the known outcomes and the open ones. */
export class ConstantTable {
  readonly #emit: (expression: AnyNode) => string;
  readonly #parameters: ReadonlyMap<string, { readonly name: string; readonly value: Value }>;
  readonly #cached: KnownConstants;
  readonly #known: KnownConstants = new Map();
  readonly #wanted = new Map<string, ConstantQuestion>();

  constructor({ emit, parameters, kept }: ConstantTableOptions) {
    this.#emit = emit;
    // The tree contains them in lower case.
    this.#parameters = new Map(
      [...parameters].map(([name, { value }]) => [name.toLowerCase(), { name, value }]),
    );
    this.#cached = kept;
  }

  /** The outcome of an expression. If it isn't known yet, returns undefined and requests its evaluation. */
  lookup(expression: AnyNode): Known | undefined {
    const question = { sql: this.#emit(expression), type: typeOf(expression) };
    const key = keyOf(question);
    const known = this.#known.get(key) ?? this.#recall(key);
    if (known === undefined) this.#wanted.set(key, question);
    return known;
  }

  /** The declared name of a parameter in the tree. */
  declaredName(name: string): string {
    return this.#parameters.get(name.toLowerCase())?.name ?? name;
  }

  parameterValue(name: string): Value | undefined {
    return this.#parameters.get(name.toLowerCase())?.value;
  }

  /** Takes the requested evaluations. */
  takeQuestions(): ConstantQuestion[] {
    const questions = [...this.#wanted.values()];
    this.#wanted.clear();
    return questions;
  }

  learn(question: ConstantQuestion, known: Known): void {
    const key = keyOf(question);
    this.#known.set(key, known);
    if ('error' in known && known.isTransient) return;
    if (key.length > maxCachedLength || ('value' in known && isLong(known.value))) return;
    // Evicts the least recently used: a map iterates in insertion order.
    if (this.#cached.size >= maxCached) this.#cached.delete(this.#cached.keys().next().value as string);
    this.#cached.set(key, known);
  }

  #recall(key: string): Known | undefined {
    const known = this.#cached.get(key);
    if (known === undefined) return undefined;
    this.#cached.delete(key);
    this.#cached.set(key, known);
    this.#known.set(key, known);
    return known;
  }
}

/** A TIMESTAMP and a DATETIME can have the same SQL, but values in different forms. */
function keyOf({ sql, type }: ConstantQuestion): string {
  return `${formatType(type)} ${sql}`;
}
