import { GatewayError } from '../errors.ts';
import type { Problem } from '../problem.ts';
import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../sql/analyzer/error.ts';
import { columnNames } from '../sql/column-names.ts';
import { parameterUses } from '../sql/parse-tree.ts';
import { placeOf, placeOfByte } from '../sql/place.ts';
import { newPlan, type Plan } from '../sql/plan.ts';
import { resultColumns } from '../sql/resolved/result-columns.ts';
import { UnsupportedError } from '../sql/resolved/unsupported.ts';
import type { SqlType } from '../sql/type.ts';
import type { EndpointTable } from './endpoint.ts';
import { planTables } from './plan-tables.ts';
import type { QueryText } from './query-text.ts';
import type { SettingsComment } from './settings-comment.ts';

/** What is needed to plan a stored query. */
export interface QueryPlanning {
  readonly analyzer: Pick<Analyzer, 'analyze' | 'parse'>;
  readonly catalog: Catalog;
  /** Refuses, by a GatewayError, a plan that the engine can't run. */
  readonly checkPlan: (plan: Plan) => Promise<void>;
}

export interface PlannedQuery {
  /** Undefined when the query has a mistake. */
  readonly plan: Plan | undefined;
  /** Of a sandboxed endpoint. */
  readonly tables: readonly EndpointTable[];
  readonly problems: readonly Problem[];
}

/**
 * Types a stored query and compares the parameters that it uses with those that are declared. Mistakes in the
 * settings don't hide those of the query.
 *
 * @throws AnalyzerUnavailableError
 */
export async function planQuery(
  file: string,
  query: QueryText,
  comment: SettingsComment,
  { analyzer, catalog, checkPlan }: QueryPlanning,
): Promise<PlannedQuery> {
  const problems: Problem[] = [];
  const report = (position: { line: number; column: number } | undefined, text: string) =>
    problems.push({ file, ...(position ?? query.start), text });
  const declared: ReadonlyMap<string, SqlType> = comment.parameters ?? new Map();
  // GoogleSQL ignores the letter case of parameter names.
  const parameters = new Map<string, SqlType>(
    [...declared].map(([name, type]) => [name.toLowerCase(), type]),
  );
  const declaredNames = new Set(parameters.keys());
  let plan: Plan | undefined;
  let tables: readonly EndpointTable[] = [];
  try {
    const parsed = await analyzer.parse(query.sql);
    const uses = parameterUses(parsed);
    const used = new Set(uses.map((use) => use.name.toLowerCase()));
    for (const { name, byteOffset } of uses) {
      if (declaredNames.has(name.toLowerCase())) continue;
      if (comment.parameters !== undefined) {
        report(placeOfByte(query, byteOffset), `Parameter "${name}" is not declared in the settings`);
      }
      // Declared for the sake of the mistakes behind it.
      parameters.set(name.toLowerCase(), { kind: 'STRING' });
    }
    for (const name of declared.keys()) {
      if (used.has(name.toLowerCase())) continue;
      report(
        comment.locate(['parameters', name]),
        `Parameter "${name}" is declared, but the query does not use it`,
      );
    }
    const statement = await analyzer.analyze(query.sql, { catalog, parameters });
    plan = newPlan({
      sql: query.sql,
      statement,
      columns: resultColumns(statement),
      // With a mistake among them, the plan is only there to be checked.
      parameters: problems.length === 0 ? declared : parameters,
      origin: query.origin,
    });
    // The engine may be starting yet: what takes the analyzer only goes on meanwhile.
    const check = checkPlan(plan);
    check.catch(() => {});
    for (const name of repeatedNames(columnNames(plan.columns))) {
      report(query.start, `Duplicate column name "${name}" in the result`);
    }
    for (const name of Object.keys(comment.settings?.columns ?? {})) {
      if (columnNames(plan.columns).includes(name)) continue;
      report(comment.locate(['columns', name]), `The result has no column "${name}"`);
    }
    const hasTables = comment.settings?.sandbox && problems.length === 0;
    const tablesPlanned = hasTables
      ? planTables(plan, { text: query.sql, parsed }, { analyzer, catalog })
      : [];
    await Promise.allSettled([tablesPlanned]);
    await check;
    tables = await tablesPlanned;
    await Promise.all(tables.map((table) => checkPlan(table.plan)));
  } catch (error) {
    if (error instanceof AnalyzerError) {
      report(placeOf(query, error.position ?? { line: 1, column: 1 }), error.message);
    } else if (error instanceof GatewayError) {
      // The plans of tables are made from other texts.
      const offset = error instanceof UnsupportedError && tables.length === 0 ? error.byteOffset : undefined;
      report(offset === undefined ? undefined : placeOfByte(query, offset), error.message);
    } else {
      throw error;
    }
  }
  return problems.length === 0 ? { plan, tables, problems } : { plan: undefined, tables: [], problems };
}

/** BigQuery refuses a result in which a name stands twice, in whatever letter case. */
function repeatedNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name.toLowerCase()).size);
}
