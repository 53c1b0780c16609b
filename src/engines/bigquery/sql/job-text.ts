import { memoized } from '../../../base/async/memoized.ts';
import type { ParameterUse } from '../../../sql/plan/parse-tree.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import { placeOfByte } from '../../../sql/text/place.ts';
import type { SqlPosition } from '../../../sql/text/text-position.ts';
import { byteOffsetAt } from '../../../sql/text/text-position.ts';
import type { Value } from '../../../sql/values/value.ts';
import type { PreparedText } from './prepare-text.ts';
import { limitEdit } from './row-limit.ts';
import { withSourceNames } from './table-names.ts';
import { edited, type TextEdit } from './text-edits.ts';

/** A plan in BigQuery's form. */
export interface JobText {
  /** GoogleSQL over BigQuery's tables, which returns at most one row more than wanted. */
  readonly sql: string;
  /** The used parameters, by declared name. */
  readonly parameters: ReadonlySet<string>;
  /**
   * Maps a position in `sql` to the text that its author wrote: the endpoint's file, or the caller's query. Undefined
   * for positions elsewhere.
   */
  place(position: SqlPosition): SqlPosition | undefined;
  /** BigQuery's message about `sql`, with sources in place of tables. */
  withSources(sentence: string): string;
}

/**
 * Makes the texts of jobs. The stored text, or the stored WITH clause followed by the ad-hoc query, is unchanged except
 * for names of tables and the row limit. Each plan is prepared once.
 */
export class JobTexts {
  readonly #prepare: (plan: Plan, signal?: AbortSignal) => Promise<PreparedText>;
  readonly #prepared = new WeakMap<Plan, Promise<PreparedText>>();

  /** @param prepare implements `prepareText` */
  constructor(prepare: (plan: Plan, signal?: AbortSignal) => Promise<PreparedText>) {
    this.#prepare = prepare;
  }

  /** Refuses queries that BigQuery can't run. Fails like `prepareText`. */
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
   * Makes the text of a run. Fails like `prepare`.
   *
   * @param parameters the values of the run
   * @param maxRows the maximum number of rows
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
    withSources: (sentence) => withSourceNames(sentence, tables),
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
