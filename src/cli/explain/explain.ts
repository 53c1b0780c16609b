import { tableMapping } from '../../app/engine/bigquery-connection.ts';
import { duckDbSettings } from '../../app/engine/open-engine-process.ts';
import { openDuckDb } from '../../app/engine-process/open-duckdb.ts';
import { systemClock } from '../../base/clock/clock.ts';
import { UsageError } from '../../base/errors/usage-error.ts';
import { plainLog } from '../../base/log/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { timeoutMsOf } from '../../definitions/endpoints/query-timeout.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { JobTexts } from '../../engines/bigquery/sql/job-text.ts';
import { DuckDbEngine, type DuckDbRequest } from '../../engines/duckdb/run/duckdb-engine.ts';
import { openNoStore } from '../../engines/duckdb/store/no-store.ts';
import type { EngineRequest } from '../../engines/engine/engine.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { type CallOptions, parametersOf } from '../call/call-options.ts';
import { loadCall } from '../call/load-call.ts';
import { interruptible } from '../engine/interruptible.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { describeCall, type EngineWork } from './describe-call.ts';
import { printDescription, printFurtherWork, printStatements } from './print-call.ts';

export interface ExplainOptions extends CallOptions {
  /** Whether to print DuckDB's plan, which requires the store. */
  readonly plan?: boolean;
  /** Whether to ask BigQuery what the query would read. */
  readonly cost?: boolean;
  readonly json?: boolean;
  readonly engine?: Config['engine'];
}

/**
 * Prints an endpoint's parameters and columns with their types, the tables that a call reads, and the SQL that the engine
 * runs for it: the emitted SQL for DuckDB, the text sent to BigQuery. All of it is SQL: the facts are comments. Runs
 * nothing, and opens the store only to print a plan.
 *
 * @param wanted the name or the id of the endpoint
 * @returns the exit code
 * @throws UsageError for an unknown endpoint or parameter, an invalid value, or an option that the engine can't serve
 * @throws GatewayError for a query that would be refused to callers
 * @throws ProblemsError for errors in endpoint and source files
 * @throws StoreError when the store can't be opened, for example because a server is running
 */
export function explainCommand(
  config: Config,
  output: Output,
  wanted: string,
  options: ExplainOptions,
): Promise<number> {
  return interruptible(async (signal) => {
    refuseForEngine(config, options);
    const analyzer = await Analyzer.start(analyzerSettings(config));
    try {
      const planner = new LocalPlanner(analyzer);
      const { endpoint, plan, sources } = await loadCall(config, planner, output, wanted, options, signal);
      const description = describeCall(endpoint, plan, config.engine);
      if (!options.json) printDescription(description, output);
      const parameters = parametersOf(endpoint, options);
      const { maxRows } = endpoint;
      const timeoutMs = Math.min(config.requestTimeoutMs, timeoutMsOf(endpoint));
      const request = { plan, parameters, maxRows, signal, timeoutMs, job: jobOf({ endpoint, parameters }) };
      const sql = await statementsOf(config, planner, request);
      if (!options.json) printStatements(sql, output);
      const work = { sql, ...(await furtherWork(config, planner, sources, output, request, sql, options)) };
      if (options.json) output.out(`${JSON.stringify({ ...description, ...work }, null, 2)}\n`);
      else printFurtherWork(work, output);
      return exitCodes.success;
    } finally {
      await analyzer.close();
    }
  });
}

function refuseForEngine({ engine }: Config, { plan = false, cost = false }: ExplainOptions): void {
  if (plan && engine === 'bigquery')
    throw new UsageError('--plan: BigQuery has no plan for a query that has not run');
  if (cost && engine === 'duckdb')
    throw new UsageError('--cost: the embedded engine bills nothing. Use --engine bigquery.');
}

function statementsOf(
  config: Config,
  planner: LocalPlanner,
  request: DuckDbRequest,
): Promise<readonly string[]> {
  if (config.engine === 'duckdb') return sqlWithoutStore(request);
  const mapping = tableMapping(config);
  const texts = new JobTexts((each) => planner.prepareText(each, mapping));
  return texts.of(request.plan, request.parameters, request.maxRows).then(({ sql }) => [sql]);
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

/** What takes the store or BigQuery itself to know. */
async function furtherWork(
  config: Config,
  planner: LocalPlanner,
  sources: readonly Source[],
  { err }: Output,
  request: EngineRequest,
  sql: readonly string[],
  { plan: isPlanWanted = false, cost: isCostWanted = false }: ExplainOptions,
): Promise<Omit<EngineWork, 'sql'>> {
  const log = plainLog(err);
  if (isPlanWanted) {
    const { engine, close } = await openDuckDb(duckDbSettings(config, sources), { log });
    try {
      const plan: string[] = [];
      for (const statement of sql) plan.push(await engine.planOf(statement, request.signal));
      return { plan };
    } finally {
      await close();
    }
  }
  if (!isCostWanted) return {};
  const { openCommandBigQuery } = await import('../engine/bigquery-engine.ts');
  await using bigquery = await openCommandBigQuery(config, planner, log);
  const { bytesProcessed } = await bigquery.engine.dryRun(request);
  return { bytesProcessed };
}
