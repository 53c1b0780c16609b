import type { Account } from '../../base/fairness/account.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { Catalog, CatalogFunction } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../sql/analyzer/error.ts';
import { refuseTablesInFunctions } from '../../sql/analyzer/stored-functions.ts';
import { type ParameterUse, parameterUses } from '../../sql/plan/parse-tree.ts';
import { newPlan, type Plan } from '../../sql/plan/plan.ts';
import { resultColumns } from '../../sql/resolved/result-columns.ts';
import type { PlacedText } from '../../sql/text/place.ts';
import { queryOnly } from '../../sql/text/query-only.ts';
import type { SqlPosition } from '../../sql/text/text-position.ts';
import type { Packed } from '../../sql/values/packed.ts';
import type { SqlType } from '../../sql/values/type.ts';
import type { EndpointTable } from './endpoint.ts';
import { planTables } from './plan-tables.ts';

/** A stored query to be planned. */
export interface StoredText extends PlacedText {
  readonly declared: ReadonlyMap<string, SqlType>;
  /** Whether to plan the entries of its WITH clause as well. */
  readonly hasTables: boolean;
  /** The tables that the query may read. */
  readonly catalog: Packed<Catalog>;
  /** Whose turn it is at the analyzer; by default, the gateway's. */
  readonly account?: Account | undefined;
}

/** The analyzer's results for a stored query. */
export interface PlannedText {
  /** Its parameters. Undefined if the text has a syntax error. */
  readonly uses: readonly ParameterUse[] | undefined;
  /** Undefined if the text has an error. */
  readonly plan?: Plan;
  /** The functions that it may call besides the built-in ones. */
  readonly functions?: readonly CatalogFunction[];
  /** Empty if the used parameters differ from the declared ones. */
  readonly tables: readonly EndpointTable[];
  readonly mistake?: { readonly message: string; readonly position: SqlPosition | undefined };
}

/** Plans stored queries. Aborting the signal ends the work at its next step. */
export interface TextPlanner {
  /** Plans a stored query: see {@link planText}. */
  planText(text: StoredText, signal?: AbortSignal): Promise<PlannedText>;
}

/**
 * Plans a stored query.
 *
 * @throws AnalyzerUnavailableError
 */
export async function planText(
  { declared, hasTables, ...text }: Omit<StoredText, 'catalog' | 'account'>,
  catalog: Catalog,
  analyzer: Pick<Analyzer, 'analyze' | 'parse'>,
): Promise<PlannedText> {
  let uses: PlannedText['uses'];
  try {
    const { sql, functionsEnd = 0 } = text;
    const parsed = await analyzer.parse(queryOnly(text));
    uses = parameterUses(parsed);
    // GoogleSQL ignores the letter case of parameter names.
    const used = new Set(uses.map(({ name }) => name.toLowerCase()));
    const known = new Map([...declared].map(([name, type]) => [name.toLowerCase(), type]));
    // Undeclared parameters are declared here, to find errors that follow them.
    const others = [...used].filter((name) => !known.has(name));
    const isDeclared = others.length === 0 && used.size === known.size;
    const parameters = new Map([...known, ...others.map((name) => [name, { kind: 'STRING' }] as const)]);
    const statement = await analyzer.analyze(sql, { catalog, parameters, functionsEnd });
    refuseTablesInFunctions(sql, functionsEnd, statement);
    const plan = newPlan({
      ...{ ...text, statement, columns: resultColumns(statement), isCallers: false },
      parameters: isDeclared ? declared : parameters,
    });
    const tables = hasTables && isDeclared ? await planTables(plan, parsed, { analyzer, catalog }) : [];
    return { uses, plan, tables };
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    return { uses, tables: [], mistake: { message: error.message, position: error.position } };
  }
}
