import pLimit from 'p-limit';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Problem } from '../../../base/errors/problem.ts';
import { plainLog } from '../../../base/terminal/log.ts';
import type { Output } from '../../../base/terminal/output.ts';
import { jobOf } from '../../../calls/executor/job-of.ts';
import type { Endpoint, EndpointPlaces } from '../../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../../definitions/endpoints/parameters/coerce.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { exampleOf } from '../../../definitions/endpoints/parameters/example-values.ts';
import { versionsOf } from '../../../definitions/endpoints/versions.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { tableOfSource } from '../../../definitions/sources/source.ts';
import { newestTable } from '../../../engines/bigquery/tables/newest-table.ts';
import { TableError } from '../../../engines/bigquery/tables/table-error.ts';
import { Tables } from '../../../engines/bigquery/tables/tables.ts';
import type { TableName } from '../../../engines/bigquery/text/table-names.ts';
import { tableDrift } from '../../../engines/bigquery/values/table-drift.ts';
import type { Value } from '../../../sql/values/value.ts';
import type { CheckedEngine, CheckedFiles } from '../engine/engine-definition.ts';
import { checkMapping } from './check-mapping.ts';
import { type CommandBigQuery, openCommandBigQuery } from './command-bigquery.ts';

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
  const { connection, dryRun } = bigquery;
  const tables = new Tables(connection.api);
  const limit = pLimit(maxRequests);
  const drifts = await limit.map(sources, (source) =>
    sourceDrift(source, connection.names(tableOfSource(source)), tables),
  );
  const runs = await limit.map(endpoints.flatMap(versionsOf), (endpoint) =>
    dryRunEndpoint(endpoint, { dryRun, places, timeoutMs: config.requestTimeoutMs }),
  );
  return {
    bytes: new Map(
      runs.flatMap(({ endpoint, bytes }) =>
        bytes === undefined || !endpoints.includes(endpoint) ? [] : [[endpoint.name, bytes] as const],
      ),
    ),
    problems: [...drifts.flat(), ...runs.flatMap(({ problems }) => problems)],
  };
}

/** The differences between a source's table and its declaration. */
async function sourceDrift(
  { file, columns }: Source,
  name: TableName,
  tables: Pick<Tables, 'columns' | 'list'>,
): Promise<Problem[]> {
  const problem = (text: string) => ({ file, line: 1, column: 1, text });
  try {
    const table = await newestTable(name, tables);
    const path = `${table.project}.${table.dataset}.${table.table}`;
    return tableDrift(columns, await tables.columns(table)).map((text) => problem(`${text} (${path})`));
  } catch (error) {
    if (error instanceof TableError || error instanceof GatewayError) return [problem(error.message)];
    throw error;
  }
}

interface DryRunTools {
  readonly dryRun: CommandBigQuery['dryRun'];
  readonly places: EndpointPlaces;
  /** Timeout of a dry run in milliseconds. */
  readonly timeoutMs: number;
}

/** BigQuery's result for an endpoint's query. */
interface DryRunEndpoint {
  readonly endpoint: Endpoint;
  /** The bytes that it would read. Undefined if BigQuery refuses it. */
  readonly bytes?: number;
  readonly problems: readonly Problem[];
}

async function dryRunEndpoint(endpoint: Endpoint, tools: DryRunTools): Promise<DryRunEndpoint> {
  const { dryRun, places, timeoutMs } = tools;
  const { plan, maxRows, file } = endpoint;
  const parameters = exampleValues(endpoint.parameters);
  const problem = (text: string, place = places.locate(endpoint, [])): Problem => ({ file, ...place, text });
  try {
    const { bytesProcessed: bytes, drift } = await dryRun({
      plan,
      parameters,
      maxRows,
      signal: new AbortController().signal,
      timeoutMs,
      job: jobOf({ endpoint, parameters }),
    });
    return { endpoint, bytes, problems: drift.map((text) => problem(text)) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { text, place } = refusal(error);
    return { endpoint, problems: [problem(text, place)] };
  }
}

/** BigQuery's message, at its position in the endpoint's file. Users of this command may see the names of tables. */
function refusal(error: GatewayError) {
  const [at, line, column] = /\s*\[at (\d+):(\d+)\]/.exec(error.message) ?? [];
  if (at !== undefined) {
    const text = `BigQuery: ${error.message.replace(at, '')}`;
    return { text, place: { line: Number(line), column: Number(column) } };
  }
  const { cause } = error;
  return { text: cause instanceof Error ? `BigQuery: ${cause.message}` : error.message };
}

/** Values for a dry run: each parameter's example, else its default, else its first allowed value, else NULL. */
function exampleValues(parameters: readonly EndpointParameter[]): ReadonlyMap<string, Value> {
  const optional = parameters.map((parameter) => ({ ...parameter, required: false }));
  const given = parameters.map((parameter) => [parameter.name, exampleOf(parameter) ?? null] as const);
  return coerceParameters({ parameters: optional }, new Map(given));
}
