import pLimit from 'p-limit';
import { plainLog } from '../../../base/log/log.ts';
import type { Output } from '../../../base/terminal/output.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import { tableOfSource } from '../../../definitions/sources/table-of-source.ts';
import { Tables } from '../../../engines/bigquery/tables/tables.ts';
import type { CheckedEngine, CheckedFiles } from '../engine/engine-definition.ts';
import { checkMapping } from './check-mapping.ts';
import { openCommandBigQuery } from './command-bigquery.ts';
import { dryRunEndpoint } from './dry-run-endpoint.ts';
import { sourceDrift } from './source-drift.ts';

/** The maximum number of concurrent requests to BigQuery. */
const maxRequests = 4;

/**
 * Checks sources and endpoints against BigQuery without running anything: whether its tables have the declared columns,
 * and whether it accepts every endpoint's query with the expected result. Tells how many bytes each query would read.
 *
 * @throws ConfigError
 */
export async function checkEngine(
  config: Config,
  { planner, sources, endpoints, places }: CheckedFiles,
  { err }: Pick<Output, 'err'>,
): Promise<CheckedEngine> {
  checkMapping(config, sources);
  const log = { ...plainLog(err), warn() {} };
  await using bigquery = await openCommandBigQuery(config, planner, log);
  const { connection, engine } = bigquery;
  const tables = new Tables(connection.api);
  const limit = pLimit(maxRequests);
  const drifts = await limit.map(sources, (source) =>
    sourceDrift(source, connection.names(tableOfSource(source)), tables),
  );
  const runs = await limit.map(endpoints, (endpoint) =>
    dryRunEndpoint(endpoint, { engine, places, timeoutMs: config.requestTimeoutMs }),
  );
  return {
    bytes: new Map(
      runs.flatMap(({ endpoint, bytes }) => (bytes === undefined ? [] : [[endpoint.name, bytes] as const])),
    ),
    problems: [...drifts.flat(), ...runs.flatMap(({ problems }) => problems)],
  };
}
