import { join } from 'node:path';
import { connectBigQuery } from '../../app/engine/bigquery-connection.ts';
import { duckDbSettings } from '../../app/engine/open-engine-process.ts';
import { CommandError } from '../../command-failures/command-error.ts';
import { UsageError } from '../../command-failures/usage-error.ts';
import type { Config } from '../../config.ts';
import { queryTimeout, timeoutMsOf } from '../../endpoints/query-timeout.ts';
import { openDuckDb } from '../../engine-process/open-duckdb.ts';
import { serverHolding } from '../../engines/duckdb/store/server-file.ts';
import { storeFileName } from '../../engines/duckdb/store/store-file-name.ts';
import type { Engine } from '../../engines/engine.ts';
import { jobOf } from '../../executor/job-of.ts';
import { plainLog } from '../../log.ts';
import { LocalPlanner } from '../../planner/local-planner.ts';
import type { Source } from '../../sources/source.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import type { Value } from '../../sql/value.ts';
import { exists } from '../../system/exists.ts';
import { parametersOf } from '../call/call-options.ts';
import { type LoadedCall, loadCall } from '../call/load-call.ts';
import type { Moment } from '../rows/moment.ts';
import type { Answer } from './answer.ts';
import { askServer } from './ask-server.ts';
import { printAnswer } from './print-answer.ts';
import type { RunEnvironment, RunOptions } from './run.ts';

/**
 * Runs an endpoint of the files here: over the store, through the gateway that has the store, or on BigQuery.
 *
 * @param now what the query takes for the current time
 */
export async function runHere(
  wanted: string,
  options: RunOptions,
  now: Moment | undefined,
  config: Config,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<Answer> {
  await using opened = new AsyncDisposableStack();
  if (now !== undefined && config.engine === 'bigquery')
    throw new UsageError('--now: BigQuery has a clock of its own. Use --now with --engine duckdb.');
  const { dataDir } = config;
  // Opening the store would create it.
  if (config.engine === 'duckdb' && !(await exists(join(dataDir, storeFileName))))
    throw new CommandError(
      `There is no store in DATA_DIR (${dataDir}). Import rows with endpoint-gateway import <source> <file>, or name a gateway with --server.`,
    );
  const analyzer = await Analyzer.start(analyzerSettings(config));
  opened.defer(() => analyzer.close());
  const planner = new LocalPlanner(analyzer);
  const loaded = await loadCall(config, planner, environment, wanted, options, signal);
  const call = { ...loaded, parameters: parametersOf(loaded.endpoint, options) };
  if (config.engine === 'bigquery') {
    const { bigQueryEngine } = await import('../../app/engine/open-bigquery.ts');
    const log = plainLog(environment.err);
    const connection = await connectBigQuery(config, log);
    opened.defer(() => connection.api.close());
    const engine = bigQueryEngine(config, connection, { planner, log });
    opened.defer(() => engine.close());
    return await runOn(engine, call, options, config, environment, signal);
  }
  const store = await openStore(config, call.sources, now, environment).catch((error) => ({ error }));
  if ('error' in store) {
    const { url, token } = await serverHolding(dataDir, store.error);
    if (now !== undefined)
      throw new CommandError(
        `--now: the gateway at ${url} is using the store, and has a clock of its own. Stop it first.`,
      );
    environment.err(`The gateway at ${url} is using the store, and runs its version of the endpoint.\n`);
    return await askServer({ url, key: token }, wanted, options, environment, signal);
  }
  opened.defer(() => store.close());
  return await runOn(store.engine, call, options, config, environment, signal);
}

function openStore(
  config: Config,
  sources: readonly Source[],
  now: Moment | undefined,
  { err }: RunEnvironment,
) {
  return openDuckDb(duckDbSettings(config, sources), {
    // Warnings of the store, as of a disk that fills up, are for those who write to it.
    log: { ...plainLog(err), warn() {} },
    ...(now && { now: () => now.micros }),
  });
}

async function runOn(
  engine: Engine,
  { endpoint, plan, parameters }: LoadedCall & { readonly parameters: ReadonlyMap<string, Value> },
  { format }: RunOptions,
  config: Config,
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<Answer> {
  const isExport = endpoint.exportRows !== undefined && (format === 'csv' || format === 'ndjson');
  const timeoutMs = isExport
    ? config.exportTimeoutMs
    : Math.min(config.requestTimeoutMs, timeoutMsOf(endpoint));
  const timedOut = new AbortController();
  const timer = setTimeout(() => timedOut.abort(queryTimeout(timeoutMs)), timeoutMs);
  try {
    const request = {
      ...{ plan, parameters, timeoutMs },
      maxRows: isExport ? (endpoint.exportRows ?? endpoint.maxRows) : endpoint.maxRows,
      signal: AbortSignal.any([signal, timedOut.signal]),
      job: jobOf({ endpoint, parameters }),
    };
    return await printAnswer(engine, request, endpoint, format, environment.stdout);
  } finally {
    clearTimeout(timer);
  }
}
