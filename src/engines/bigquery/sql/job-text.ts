import { GatewayError } from '../../../errors.ts';
import { remembered } from '../../../remembered.ts';
import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import { AnalyzerUnavailableError, type SqlPosition } from '../../../sql/analyzer/error.ts';
import { type ParameterUse, parameterUses } from '../../../sql/parse-tree.ts';
import { placeOfByte } from '../../../sql/place.ts';
import type { Plan } from '../../../sql/plan.ts';
import { byteOffsetAt } from '../../../sql/text-position.ts';
import type { Value } from '../../../sql/value.ts';
import { type LimitPlace, limitEdit, limitPlace } from './row-limit.ts';
import { type TableEdits, tableEdits } from './table-edits.ts';
import { type TableNames, withSourceNames } from './table-names.ts';
import { edited, type TextEdit } from './text-edits.ts';
import { valueTableEdits } from './value-table.ts';

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
 * Makes the text for a run.
 *
 * @param parameters the values of the run
 * @param maxRows the rows that are wanted
 * @throws GatewayError QUERY_FAILED for a query that BigQuery can't be asked, BACKEND_UNAVAILABLE without the analyzer
 */
export type JobTexts = (
  plan: Plan,
  parameters: ReadonlyMap<string, Value>,
  maxRows: number,
) => Promise<JobText>;

/** What is known of a plan before it runs. */
interface Preparation {
  /** By source. */
  readonly tables: TableEdits['tables'];
  /** What every run's text has. At one place those of `after` come last. */
  readonly edits: readonly TextEdit[];
  readonly after: readonly TextEdit[];
  readonly limit: LimitPlace;
  readonly uses: readonly ParameterUse[];
}

/**
 * Maker of the texts that are sent. The stored text, or the stored WITH clause with the caller's query behind it, stays
 * as it is but for names of tables and the row limit. A plan is looked through once.
 */
export function jobTexts(options: {
  readonly analyzer: Pick<Analyzer, 'parse'>;
  readonly names: TableNames;
}): JobTexts {
  const { analyzer, names } = options;
  const preparations = new WeakMap<Plan, Promise<Preparation>>();
  const prepare = (plan: Plan): Promise<Preparation> => {
    let preparation = preparations.get(plan);
    if (preparation === undefined) {
      preparation = prepared(plan, analyzer, names);
      preparations.set(plan, preparation);
      preparation.catch(() => preparations.delete(plan));
    }
    return preparation;
  };
  return async (plan, parameters, maxRows) => jobText(plan, await prepare(plan), parameters, maxRows);
}

async function prepared(
  plan: Plan,
  analyzer: Pick<Analyzer, 'parse'>,
  names: TableNames,
): Promise<Preparation> {
  const parsed = await analyzer.parse(plan.sql).catch((error: unknown) => {
    if (!(error instanceof AnalyzerUnavailableError)) throw error;
    throw new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error });
  });
  const { edits, tables } = tableEdits(plan.statement, parsed, names);
  const record = valueTableEdits(plan.statement, parsed);
  return {
    tables,
    edits: record === undefined ? edits : [record.before, ...edits],
    after: record === undefined ? [] : [record.after],
    limit: limitPlace(parsed),
    uses: parameterUses(parsed),
  };
}

function jobText(
  plan: Plan,
  { tables, edits, after, limit, uses }: Preparation,
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
const declaredNames = remembered(
  (parameters: Plan['parameters']): ReadonlyMap<string, string> =>
    new Map([...parameters.keys()].map((name) => [name.toLowerCase(), name])),
);

function isWithin({ byteOffset }: ParameterUse, edit: TextEdit | undefined): boolean {
  return edit !== undefined && byteOffset >= edit.start && byteOffset < edit.end;
}
