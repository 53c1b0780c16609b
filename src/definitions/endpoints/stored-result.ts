import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../sql/analyzer/error.ts';
import { queryRange } from '../../sql/plan/parse-tree.ts';
import { newPlan, type Plan } from '../../sql/plan/plan.ts';
import type { AnyNode } from '../../sql/resolved/node.ts';
import { resultColumns } from '../../sql/resolved/result-columns.ts';
import { type ResultKey, resultOrder } from '../../sql/resolved/result-order.ts';
import { functionsText } from '../../sql/text/function-definitions.ts';
import { identifier } from '../../sql/text/identifier.ts';
import type { PlacedText } from '../../sql/text/place.ts';
import { formatType } from '../../sql/values/type.ts';

/** The name by which queries read the rows of a whole stored query, as a table. */
export const resultTable = 'result';

/** A stored query as the only entry of a WITH clause, after the functions that it may call. */
export class StoredResult {
  readonly #functions: string;
  readonly #query: string;

  /**
   * @param text the text of the stored query
   * @param parsed the parse tree of its query
   */
  constructor({ sql, functionsEnd = 0 }: Pick<PlacedText, 'sql' | 'functionsEnd'>, parsed: AnyNode) {
    const bytes = Buffer.from(sql);
    const range = queryRange(parsed) ?? { start: functionsEnd, end: bytes.length };
    this.#functions = functionsText({ sql, functionsEnd });
    this.#query = bytes.subarray(range.start, range.end).toString();
  }

  /** The functions and the clause. The functions keep their places. */
  clauseFor(): Pick<PlacedText, 'sql' | 'functionsEnd'> {
    const clause = `WITH ${identifier(resultTable)} AS (\n${this.#query}\n)`;
    if (this.#functions === '') return { sql: clause };
    return { sql: `${this.#functions}\n${clause}`, functionsEnd: Buffer.byteLength(this.#functions) };
  }
}

/** The result of a stored query as a table, or why it can't be one. */
export type PlannedResult =
  | { readonly plan: Plan; readonly order: readonly ResultKey[] }
  | { readonly mistake: string };

/** Plans a query for all rows of a stored query as a table. */
export async function planResult(
  stored: Plan,
  statement: AnyNode,
  parsed: AnyNode,
  { analyzer, catalog }: { readonly analyzer: Pick<Analyzer, 'analyze'>; readonly catalog: Catalog },
): Promise<PlannedResult> {
  const order = resultOrder(statement);
  if (order === undefined)
    return {
      mistake:
        'the result is ordered by something that is not among its columns: select it, too, or order by columns',
    };
  const { parameters } = stored;
  const { sql, ...functions } = new StoredResult(stored, parsed).clauseFor();
  const text = { sql: `${sql}\nSELECT * FROM ${identifier(resultTable)}`, ...functions };
  try {
    const analyzed = await analyzer.analyze(text.sql, { catalog, parameters, ...functions });
    const columns = resultColumns(analyzed);
    const plan = newPlan({ ...text, statement: analyzed, columns, parameters, isCallers: true });
    return isSame(stored, plan)
      ? { plan, order }
      : { mistake: 'each column of the result needs a name of its own' };
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    return { mistake: `the result can't be read as a table: ${error.message}` };
  }
}

function isSame(stored: Plan, asTable: Plan): boolean {
  const isNamed = stored.columns.every(({ name }) => name !== '');
  const texts = ({ columns }: Plan) => columns.map(({ name, type }) => `${name} ${formatType(type)}`).join();
  return isNamed && texts(stored) === texts(asTable);
}
