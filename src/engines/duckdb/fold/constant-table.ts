import type { AnyNode } from '../../../sql/resolved/node.ts';
import { formatType, type SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { type Constant, fixed } from '../dialect/constant.ts';
import { typeOf } from './expression.ts';

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

/** What folding asks about the constant expressions of a run. */
export interface Constants {
  /** The outcome of an expression. Undefined if it isn't known yet. */
  lookup(expression: AnyNode): { readonly constant: Constant } | Failing | undefined;
  readonly parameters: TreeParameters;
}

/** Parameters by their names in the tree, which are in lower case. */
export class TreeParameters {
  readonly #parameters: ReadonlyMap<string, { readonly name: string; readonly constant: Constant }>;

  /** @param parameters by declared name */
  constructor(parameters: ReadonlyMap<string, Constant>) {
    this.#parameters = new Map(
      [...parameters].map(([name, constant]) => [name.toLowerCase(), { name, constant }]),
    );
  }

  value(name: string): Value | undefined {
    return this.#parameters.get(name.toLowerCase())?.constant.value;
  }

  /** Whether a parameter is NULL. The rest of its value makes no difference then. */
  isNull(name: string): boolean {
    return this.#parameters.get(name.toLowerCase())?.constant.isNull === true;
  }

  declaredName(name: string): string {
    return this.#parameters.get(name.toLowerCase())?.name ?? name;
  }
}

/** Longer texts, and texts with longer values, are not cached. */
const maxCachedLength = 2_000;
const maxCached = 2_000;

/** Outcomes of constant expressions that are kept between runs. */
export class KnownConstants {
  readonly #outcomes = new Map<string, Known>();

  recall(question: ConstantQuestion): Known | undefined {
    const key = keyOf(question);
    const known = this.#outcomes.get(key);
    if (known === undefined) return undefined;
    this.#outcomes.delete(key);
    this.#outcomes.set(key, known);
    return known;
  }

  learn(question: ConstantQuestion, known: Known): void {
    const key = keyOf(question);
    if ('error' in known && known.isTransient) return;
    if (key.length > maxCachedLength || ('value' in known && fixed(known.value).isLong)) return;
    // Evicts the least recently used: a map iterates in insertion order.
    if (this.#outcomes.size >= maxCached) this.#outcomes.delete(this.#outcomes.keys().next().value as string);
    this.#outcomes.set(key, known);
  }
}

interface ConstantTableOptions {
  /** Emits DuckDB SQL for an expression without columns. */
  readonly emit: (expression: AnyNode) => string;
  /** The parameters, by declared name. */
  readonly parameters: ReadonlyMap<string, Constant>;
  /** Outcomes of earlier runs, to which this one adds its own. */
  readonly kept: KnownConstants;
}

/** The constant expressions of one run: the known outcomes and the open ones. */
export class ConstantTable implements Constants {
  readonly #emit: (expression: AnyNode) => string;
  readonly parameters: TreeParameters;
  readonly #kept: KnownConstants;
  readonly #known = new Map<string, Known>();
  readonly #wanted = new Map<string, ConstantQuestion>();

  constructor({ emit, parameters, kept }: ConstantTableOptions) {
    this.#emit = emit;
    this.parameters = new TreeParameters(parameters);
    this.#kept = kept;
  }

  lookup(expression: AnyNode): { readonly constant: Constant } | Failing | undefined {
    const question = { sql: this.#emit(expression), type: typeOf(expression) };
    const known = this.recall(question);
    if (known === undefined) this.#wanted.set(keyOf(question), question);
    return known === undefined || 'error' in known ? known : { constant: fixed(known.value) };
  }

  recall(question: ConstantQuestion): Known | undefined {
    const key = keyOf(question);
    const known = this.#known.get(key) ?? this.#kept.recall(question);
    if (known !== undefined) this.#known.set(key, known);
    return known;
  }

  /** The outcomes of expressions, of which `evaluate` gives the ones that aren't known. */
  async outcomes(
    questions: readonly ConstantQuestion[],
    evaluate: (questions: readonly ConstantQuestion[]) => Promise<readonly Known[]>,
  ): Promise<readonly Known[]> {
    const unknown = questions.filter((question) => this.recall(question) === undefined);
    const answers = unknown.length === 0 ? [] : await evaluate(unknown);
    for (const [i, question] of unknown.entries()) this.learn(question, answers[i] as Known);
    return questions.map((question) => this.recall(question) as Known);
  }

  /** Takes the requested evaluations. */
  takeQuestions(): ConstantQuestion[] {
    const questions = [...this.#wanted.values()];
    this.#wanted.clear();
    return questions;
  }

  learn(question: ConstantQuestion, known: Known): void {
    this.#known.set(keyOf(question), known);
    this.#kept.learn(question, known);
  }
}

/** A TIMESTAMP and a DATETIME can have the same SQL, but values in different forms. */
function keyOf({ sql, type }: ConstantQuestion): string {
  return `${formatType(type)} ${sql}`;
}
