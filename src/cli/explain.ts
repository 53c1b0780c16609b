import { tableMapping } from '../app/engine/bigquery-connection.ts';
import { duckDbSettings } from '../app/engine/open-engine-process.ts';
import { planCheck } from '../app/engine/plan-check.ts';
import { loadSchema, loadSourceSchemas, sourceCatalog } from '../app/load-schema.ts';
import type { Output } from '../app/output.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { coerceParameters } from '../endpoints/parameters/coerce.ts';
import type { GivenParameters } from '../endpoints/parameters/given.ts';
import { openDuckDb } from '../engine-process/open-duckdb.ts';
import { JobTexts } from '../engines/bigquery/sql/job-text.ts';
import { DuckDbEngine, type DuckDbRequest } from '../engines/duckdb/duckdb-engine.ts';
import { openNoStore } from '../engines/duckdb/store/no-store.ts';
import { plainLog } from '../log.ts';
import { LocalPlanner } from '../planner/local-planner.ts';
import { pickWanted } from '../rest/parameters/text-pairs.ts';
import { wantedKeys } from '../rest/parameters/wanted-keys.ts';
import { adHocSql } from '../sandbox/ad-hoc-sql.ts';
import type { Source } from '../sources/source.ts';
import { Analyzer } from '../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../sql/analyzer/settings.ts';
import { findEndpoint } from './find-endpoint.ts';

export interface ExplainOptions {
  /** The parameters of the call, each as `name=value`. */
  readonly param?: readonly string[];
  /** An ad-hoc query to explain instead of the stored one. */
  readonly sql?: string;
  /** Whether to print DuckDB's plan, which requires the store. */
  readonly plan?: boolean;
}

/**
 * Prints the SQL that the engine runs for a call of an endpoint: the emitted SQL for DuckDB, the text sent to BigQuery.
 * Runs nothing, and opens the store only to print a plan.
 *
 * @param wanted the name or the id of the endpoint
 * @returns the exit code: 1 when the endpoint or a parameter doesn't exist, or no plan is available
 * @throws GatewayError for a value or query that would be refused to callers
 * @throws ProblemsError for errors in endpoint and source files
 * @throws StoreError when the store can't be opened, for example because a server is running
 */
export async function explainCommand(
  config: Config,
  output: Output,
  wanted: string,
  { param = [], sql, plan: withPlan = false }: ExplainOptions,
): Promise<number> {
  const sources = await loadSourceSchemas(config);
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    const checkPlan = planCheck(config);
    const planner = new LocalPlanner(analyzer);
    const { endpoints } = await loadSchema(config, planner, sources, checkPlan);
    const endpoint = findEndpoint(endpoints, wanted, wanted, output);
    if (endpoint === undefined) return 1;
    const given = givenParameters(endpoint, param, output);
    if (given === undefined) return 1;
    const queries = adHocSql({
      planText: (text) => planner.planAdHocQuery(text),
      catalog: sourceCatalog(sources),
      checkPlan,
    });
    const { plan } = sql === undefined ? endpoint : await queries.plan(endpoint, sql);
    const parameters = coerceParameters(endpoint, given);
    const { maxRows } = endpoint;
    if (config.engine === 'duckdb') {
      const request = { plan, parameters, maxRows, signal: new AbortController().signal };
      return await explainDuckDb(config, sources, output, request, withPlan);
    }
    const mapping = tableMapping(config);
    const texts = new JobTexts((each) => planner.prepareText(each, mapping));
    output.out(`${(await texts.of(plan, parameters, maxRows)).sql}\n`);
    if (withPlan) output.err('--plan: BigQuery has no plan for a query that has not run\n');
    return withPlan ? 1 : 0;
  } finally {
    await analyzer.close();
  }
}

/** The values of the parameters. Returns undefined and writes to standard error if the endpoint lacks one of them. */
function givenParameters(
  { parameters }: Endpoint,
  pairs: readonly string[],
  { err }: Output,
): GivenParameters | undefined {
  const given: [name: string, text: string][] = [];
  for (const pair of pairs) {
    const [name = '', ...value] = pair.split('=');
    if (value.length === 0 || !parameters.some((parameter) => parameter.name === name)) {
      const forms = parameters.map((parameter) => `${parameter.name}=…`).join(', ') || 'none';
      err(`--param ${pair}: unknown parameter; available: ${forms}\n`);
      return undefined;
    }
    given.push([name, value.join('=')]);
  }
  return pickWanted(given, wantedKeys(parameters));
}

async function explainDuckDb(
  config: Config,
  sources: readonly Source[],
  { out, err }: Output,
  request: DuckDbRequest,
  withPlan: boolean,
): Promise<number> {
  const statements = await sqlWithoutStore(request);
  out(`${statements.join(';\n')}\n`);
  if (!withPlan) return 0;
  const { engine, close } = await openDuckDb(duckDbSettings(config, sources), { log: plainLog(err) });
  try {
    for (const sql of statements) out(`\n${await engine.planOf(sql, request.signal)}\n`);
    return 0;
  } finally {
    await close();
  }
}

/** Makes the SQL without the store, which a server may have open: only the rows are missing. */
async function sqlWithoutStore(request: DuckDbRequest): Promise<readonly string[]> {
  const store = await openNoStore();
  const engine = await DuckDbEngine.open({ store, now: () => BigInt(systemClock.now()) * 1000n });
  try {
    return await engine.sqlOf(request);
  } finally {
    await engine.close();
    await store.close();
  }
}
