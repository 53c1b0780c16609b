import type { GraphQLSchema } from 'graphql';
import { engineOf } from '../../app/engines/registry.ts';
import { checkEndpoints, checkSources, engineRefusals } from '../../app/schema/load-schema.ts';
import { compareProblems } from '../../base/errors/problem.ts';
import type { Output } from '../../base/terminal/output.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { contractChanges } from '../../server/graphql/contract/contract-changes.ts';
import { buildSchema } from '../../server/graphql/schema/build-schema.ts';
import { buildShape } from '../../server/graphql/shape/build-shape.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { type CheckReport, checkedEndpoint, checkedSources, isGood } from './check-report.ts';
import { printReport } from './print-report.ts';
import { readContract } from './read-contract.ts';

interface CheckOptions {
  /** A file with a previously printed GraphQL schema that must stay compatible. */
  readonly against?: string;
  /** Whether to check with the engine as well, without running anything. A text names the engine. */
  readonly engine?: boolean | Config['engine'];
  readonly json?: boolean;
  readonly quiet?: boolean;
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
  { against, engine = false, json = false, quiet = false }: CheckOptions = {},
): Promise<number> {
  const contract = against === undefined ? undefined : await readContract(against, output);
  if (against !== undefined && contract === undefined) return exitCodes.failure;
  const used = typeof engine === 'string' ? { ...config, engine } : config;
  const report = await check(used, output, contract, engine !== false);
  printReport(report, { json, quiet, against }, output);
  return isGood(report) ? exitCodes.success : exitCodes.failure;
}

async function check(
  config: Config,
  output: Output,
  contract: GraphQLSchema | undefined,
  isEngineAsked: boolean,
): Promise<CheckReport> {
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    const planner = new LocalPlanner(analyzer);
    const { sources, problems: ofSources } = await checkSources(config);
    const { endpoints, places, problems, refusals } = await checkEndpoints(
      config,
      planner,
      sources,
      engineOf(config).checkPlan,
    );
    const { shape, problems: unspeakable } = buildShape(endpoints, places, sources);
    const asked = isEngineAsked
      ? await engineOf(config).checkFiles(config, { planner, sources, endpoints, places }, output)
      : undefined;
    const all = [
      ...ofSources,
      ...problems,
      ...engineRefusals(config, refusals),
      ...unspeakable,
      ...(asked?.problems ?? []),
    ].sort(compareProblems);
    return {
      endpoints: endpoints.map((endpoint) => checkedEndpoint(endpoint, asked?.bytes.get(endpoint.name))),
      sources: checkedSources(sources),
      problems: all,
      ...(contract !== undefined &&
        all.length === 0 && { changes: contractChanges(contract, buildSchema(shape)) }),
    };
  } finally {
    await analyzer.close();
  }
}
