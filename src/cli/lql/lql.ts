import { engineOf } from '../../app/engines/registry.ts';
import { loadFaultlessSchema, loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import type { Output } from '../../base/terminal/output.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { lqlTable } from '../../definitions/endpoints/lql-table.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { compileLql } from '../../sql/lql/compile/compile-lql.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';
import { findEndpoint } from '../options/find-named.ts';

interface LqlOptions {
  /** The name or id of the endpoint whose tables the text reads. */
  readonly endpoint: string;
}

/**
 * Prints the GoogleSQL query that an LQL text compiles to, without any data.
 *
 * @returns the exit code
 * @throws UsageError if the endpoint doesn't exist or takes no queries
 * @throws GatewayError for an error in the text
 * @throws ProblemsError for errors in endpoint and source files
 */
export async function lqlCommand(
  config: Pick<
    Config,
    | 'endpointsDir'
    | 'sourcesDir'
    | 'dataDir'
    | 'analyzerMemoryMb'
    | 'engine'
    | 'recordCalls'
    | 'recordCallsDays'
    | 'dataRetentionDays'
  >,
  { out }: Output,
  text: string,
  { endpoint: wanted }: LqlOptions,
): Promise<number> {
  const endpoints = await loadEndpointsOnly(config);
  const endpoint = findEndpoint(endpoints, wanted, `--endpoint ${wanted}`);
  if (!endpoint.sandbox)
    throw new UsageError(`--endpoint ${wanted}: the endpoint does not accept ad-hoc queries`);
  out(`${compileLql(text, endpoint.tables.map(lqlTable), regexpMistake)}\n`);
  return 0;
}

async function loadEndpointsOnly(config: Parameters<typeof lqlCommand>[0]): Promise<readonly Endpoint[]> {
  const sources = await loadSourceSchemas(config);
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    return (
      await loadFaultlessSchema(config, new LocalPlanner(analyzer), sources, engineOf(config).checkPlan)
    ).endpoints;
  } finally {
    await analyzer.close();
  }
}
