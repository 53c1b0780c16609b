import { planCheck } from '../app/engine/plan-check.ts';
import { checkSources, engineRefusals, sourceCatalog } from '../app/load-schema.ts';
import type { Output } from '../app/output.ts';
import type { Config } from '../config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { loadEndpoints } from '../endpoints/load-endpoints.ts';
import { describeRules } from '../endpoints/parameters/describe-rules.ts';
import { textsIn } from '../endpoints/parameters/given.ts';
import { buildSchema } from '../graphql/schema/build-schema.ts';
import { buildShape } from '../graphql/shape/build-shape.ts';
import { LocalPlanner } from '../planner/local-planner.ts';
import { compareProblems, formatProblem, type Problem } from '../problem.ts';
import { Analyzer } from '../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../sql/analyzer/settings.ts';
import { columnNames } from '../sql/column-names.ts';
import { formatType } from '../sql/type.ts';
import { counted } from '../text/counted.ts';
import { checkContract, readContract } from './check-contract.ts';
import type { CheckedFiles } from './check-engine/check-engine.ts';

interface CheckOptions {
  /** A file with a previously printed GraphQL schema that must stay compatible. */
  readonly against?: string;
  /** Whether to check with the engine as well, without running anything. */
  readonly engine?: boolean;
}

/**
 * Analyzes every endpoint against the sources, without any data. Prints the parameters and columns of each endpoint,
 * and every error as `file:LINE:COL: text`. Can compare the resulting GraphQL schema with an earlier one; breaking
 * changes are errors, too.
 *
 * @returns the exit code: 1 if there are errors
 */
export async function checkCommand(
  config: Config,
  output: Output,
  { against, engine: isEngineAsked = false }: CheckOptions = {},
): Promise<number> {
  const { out, err } = output;
  const before = against === undefined ? undefined : await readContract(against, output);
  if (against !== undefined && before === undefined) return 1;
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    const planner = new LocalPlanner(analyzer);
    const sources = await checkSources(config);
    const catalog = sourceCatalog(sources.sources);
    const loaded = await loadEndpoints(config.endpointsDir, {
      planText: (text) => planner.planText(text),
      catalog,
      checkPlan: planCheck(config),
    });
    for (const endpoint of loaded.endpoints) out(`${describe(endpoint)}\n`);
    const { shape, problems: unspeakable } = buildShape(loaded.endpoints, loaded.places, sources.sources);
    const found = { planner, sources: sources.sources, ...loaded };
    const disagreements = isEngineAsked ? await askEngine(config, found, output) : [];
    const refusals = engineRefusals(config, loaded.refusals);
    const problems = [
      ...sources.problems,
      ...loaded.problems,
      ...refusals,
      ...unspeakable,
      ...disagreements,
    ].sort(compareProblems);
    for (const problem of problems) err(`${formatProblem(problem)}\n`);
    const count = `${counted(loaded.endpoints.length, 'endpoint')}, ${counted(sources.sources.length, 'source')}`;
    if (problems.length === 0) out(`${count}: no errors\n`);
    else err(`${counted(problems.length, 'error')}\n`);
    if (against === undefined || before === undefined) return problems.length === 0 ? 0 : 1;
    if (problems.length > 0) {
      err(`against ${against}: not compared, because there are errors\n`);
      return 1;
    }
    return checkContract({ file: against, schema: before }, buildSchema(shape), output) ? 0 : 1;
  } finally {
    await analyzer.close();
  }
}

async function askEngine(config: Config, files: CheckedFiles, output: Output): Promise<readonly Problem[]> {
  if (config.engine === 'bigquery') {
    const { checkEngine } = await import('./check-engine/check-engine.ts');
    return checkEngine(config, files, output);
  }
  output.out('--engine: ignored, because the engine is DuckDB (ENGINE=bigquery is not set)\n\n');
  return [];
}

function describe({ name, id, file, parameters, plan }: Endpoint): string {
  const lines = [`${name}  ${id}  ${file}`];
  for (const parameter of parameters) {
    const notes = [
      parameter.required ? 'required' : 'optional',
      ...(parameter.values === undefined ? [] : [`one of ${parameter.values.join(', ')}`]),
      ...describeRules(parameter),
      ...(parameter.default === undefined ? [] : [`default ${textsIn(parameter.default).join(', ')}`]),
    ];
    lines.push(`  parameter ${parameter.name} ${formatType(parameter.type)} (${notes.join('; ')})`);
  }
  const names = columnNames(plan.columns);
  plan.columns.forEach(({ type }, index) => {
    lines.push(`  column ${names[index]} ${formatType(type)}`);
  });
  return `${lines.join('\n')}\n`;
}
