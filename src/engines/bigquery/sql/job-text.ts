import { memoized } from '../../../async/memoized.ts';
import type { SqlPosition } from '../../../sql/analyzer/error.ts';
import type { ParameterUse } from '../../../sql/parse-tree.ts';
import { placeOfByte } from '../../../sql/place.ts';
import type { Plan } from '../../../sql/plan.ts';
import { byteOffsetAt } from '../../../sql/text-position.ts';
import type { Value } from '../../../sql/value.ts';
import type { PreparedText } from './prepare-text.ts';
import { limitEdit } from './row-limit.ts';
import { withSourceNames } from './table-names.ts';
import { edited, type TextEdit } from './text-edits.ts';

/** What a plan becomes for BigQuery. */
export interface JobText {
  /** GoogleSQL over BigQuery's tables, with at most one row more than is wanted. */
  readonly sql: string;
  /** The parameters that it uses, by name as declared. */
  readonly parameters: ReadonlySet<string>;
  /**
   * Where a position of `sql` is in the text that its author wrote, for people: the endpoint's file, or the caller's
   * query. Undefined for a place that isn't of it.
   */
  place(position: SqlPosition): SqlPosition | undefined;
  /** A sentence of BigQuery's about `sql`, with sources in it instead of tables. */
  told(sentence: string): string;
}

/**
 * Maker of the texts that are sent. The stored text, or the stored WITH clause with the caller's query behind it, stays
 * as it is but for names of tables and the row limit. A plan is looked through once.
 */
export class JobTexts {
  readonly #prepare: (plan: Plan, signal?: AbortSignal) => Promise<PreparedText>;
  readonly #prepared = new WeakMap<Plan, Promise<PreparedText>>();

  /** @param prepare does what `prepareText` does */
  constructor(prepare: (plan: Plan, signal?: AbortSignal) => Promise<PreparedText>) {
    this.#prepare = prepare;
  }

  /** Refuses what BigQuery can't be asked. Fails as `prepareText` does. */
  prepare(plan: Plan, signal?: AbortSignal): Promise<PreparedText> {
    let prepared = this.#prepared.get(plan);
    if (prepared === undefined) {
      prepared = this.#prepare(plan, signal);
      this.#prepared.set(plan, prepared);
      prepared.catch(() => this.#prepared.delete(plan));
    }
    return prepared;
  }

  /**
   * Makes the text for a run. Fails as `prepare` does.
   *
   * @param parameters the values of the run
   * @param maxRows the rows that are wanted
   */
  async of(plan: Plan, parameters: ReadonlyMap<string, Value>, maxRows: number): Promise<JobText> {
    return jobText(plan, await this.prepare(plan), parameters, maxRows);
  }
}

function jobText(
  plan: Plan,
  { tables, edits, after, limit, uses }: PreparedText,
  parameters: ReadonlyMap<string, Value>,
  maxRows: number,
): JobText {
  const declared = declaredNames(plan.parameters);
  const nameOf = (use: string) => declared.get(use.toLowerCase());
  const limited = limitEdit(limit, maxRows + 1, (use) => parameters.get(nameOf(use) ?? use));
  const { text, originOf } = edited(plan.sql, [
    ...edits,
    ...(limited === undefined ? [] : [limited]),
    ...after,
  ]);
  const used = uses.filter((use) => !isWithin(use, limited)).map(({ name }) => nameOf(name) ?? name);
  return {
    sql: text,
    parameters: new Set(used),
    place: (position) => placeOfByte(plan, originOf(byteOffsetAt(text, position))),
    told: (sentence) => withSourceNames(sentence, tables),
  };
}

/** GoogleSQL ignores the letter case of parameter names. */
const declaredNames = memoized(
  (parameters: Plan['parameters']): ReadonlyMap<string, string> =>
    new Map([...parameters.keys()].map((name) => [name.toLowerCase(), name])),
);

function isWithin({ byteOffset }: ParameterUse, edit: TextEdit | undefined): boolean {
  return edit !== undefined && byteOffset >= edit.start && byteOffset < edit.end;
}
