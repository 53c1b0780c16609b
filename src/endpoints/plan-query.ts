import { GatewayError } from '../errors.ts';
import type { Problem } from '../problem.ts';
import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../sql/analyzer/error.ts';
import { parameterUses } from '../sql/parse-tree.ts';
import type { Plan } from '../sql/plan.ts';
import { resultColumns } from '../sql/resolved/result-columns.ts';
import type { SqlType } from '../sql/type.ts';
import type { QueryText } from './query-text.ts';
import type { SettingsComment } from './settings-comment.ts';

/** What is needed to plan a stored query. */
export interface QueryPlanning {
  readonly analyzer: Pick<Analyzer, 'analyze' | 'parse'>;
  readonly catalog: Catalog;
  /** Refuses, by a GatewayError, a plan that the engine can't run. */
  readonly checkPlan: (plan: Plan) => void;
}

export interface PlannedQuery {
  /** Undefined when the query has a mistake. */
  readonly plan: Plan | undefined;
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
  const report = (position: { line: number; column: number }, text: string) =>
    problems.push({ file, ...position, text });
  const declared = new Map<string, SqlType>(
    Object.entries(comment.settings?.parameters ?? {}).map(([name, { type }]) => [name, { kind: type }]),
  );
  // GoogleSQL ignores the letter case of parameter names.
  const parameters = new Map<string, SqlType>(
    [...declared].map(([name, type]) => [name.toLowerCase(), type]),
  );
  const declaredNames = new Set(parameters.keys());
  let plan: Plan | undefined;
  try {
    const uses = parameterUses(await analyzer.parse(query.sql));
    const used = new Set(uses.map((use) => use.name.toLowerCase()));
    for (const { name, byteOffset } of uses) {
      if (declaredNames.has(name.toLowerCase())) continue;
      if (comment.settings !== undefined) {
        report(query.byteInFile(byteOffset), `Parameter "${name}" is not declared in the settings`);
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
    plan = { sql: query.sql.trim(), statement, columns: resultColumns(statement), parameters: declared };
    checkPlan({ ...plan, parameters });
  } catch (error) {
    if (error instanceof AnalyzerError) {
      report(query.inFile(error.position ?? { line: 1, column: 1 }), error.message);
    } else if (error instanceof GatewayError) {
      report(query.inFile(firstToken(query.sql)), error.message);
    } else {
      throw error;
    }
  }
  return { plan: problems.length === 0 ? plan : undefined, problems };
}

function firstToken(sql: string): { line: number; column: number } {
  const before = sql.slice(0, sql.length - sql.trimStart().length).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
