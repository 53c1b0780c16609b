import type { AnyNode } from '../../../sql/resolved/node.ts';
import type { SqlType } from '../../../sql/type.ts';
import type { Value } from '../../../sql/value.ts';
import { typeOf } from './expression.ts';

/** What evaluating a constant expression gave. */
export type Known = { readonly value: Value } | { readonly error: string };

export interface ConstantQuestion {
  /** DuckDB SQL of the expression: no columns, parameters or clock in it, so it says all there is to know. */
  readonly sql: string;
  readonly type: SqlType;
}

/** Outcomes that are worth keeping beyond one run, by the SQL text of the expression. */
export type KnownConstants = Map<string, Known>;

/** Longer texts are evaluated again each time rather than kept. */
const maxKeptLength = 2_000;
const maxKept = 2_000;

/** The constant expressions of one run: what is known of them, and what has to be found out. */
export class ConstantTable {
  readonly #emit: (expression: AnyNode) => string;
  readonly #declaredName: (name: string) => string;
  readonly #kept: KnownConstants;
  readonly #known: KnownConstants = new Map();
  readonly #wanted = new Map<string, ConstantQuestion>();

  /**
   * @param emit the DuckDB SQL of an expression without columns
   * @param declaredName a parameter's name as declared, for its name in the tree
   * @param kept outcomes of earlier runs; this one adds its own
   */
  constructor(
    emit: (expression: AnyNode) => string,
    declaredName: (name: string) => string,
    kept: KnownConstants,
  ) {
    this.#emit = emit;
    this.#declaredName = declaredName;
    this.#kept = kept;
  }

  /** What an expression comes to; undefined, and one question more, when that isn't known yet. */
  lookup(expression: AnyNode): Known | undefined {
    const sql = this.#emit(expression);
    const known = this.#known.get(sql) ?? this.#kept.get(sql);
    if (known === undefined) this.#wanted.set(sql, { sql, type: typeOf(expression) });
    return known;
  }

  declaredName(name: string): string {
    return this.#declaredName(name);
  }

  /** Hands out the open questions. */
  takeQuestions(): ConstantQuestion[] {
    const questions = [...this.#wanted.values()];
    this.#wanted.clear();
    return questions;
  }

  learn(question: ConstantQuestion, known: Known): void {
    this.#known.set(question.sql, known);
    if (question.sql.length > maxKeptLength) return;
    // The oldest goes: a map iterates in the order of insertion.
    if (this.#kept.size >= maxKept) this.#kept.delete(this.#kept.keys().next().value as string);
    this.#kept.set(question.sql, known);
  }
}
