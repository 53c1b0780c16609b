import { engineOf } from '../../app/engines/registry.ts';
import { CommandError } from '../../base/errors/command-error.ts';
import { UsageError } from '../../base/errors/usage-error.ts';
import { plainLog } from '../../base/log/log.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { timeoutMsOf } from '../../definitions/endpoints/query-timeout.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Engine } from '../../engines/engine/engine.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import type { Value } from '../../sql/values/value.ts';
import { parametersOf } from '../call/call-options.ts';
import { type LoadedCall, loadCall } from '../call/load-call.ts';
import { openCommandStore, refuseMissingStore } from '../engine/command-store.ts';
import { withinQueryTime } from '../engine/within-query-time.ts';
import type { Moment } from '../options/moment.ts';
import type { Answer } from './answer.ts';
import { askServer } from './ask-server.ts';
import { printAnswer } from './print-answer.ts';
import type { RunEnvironment, RunOptions } from './run-options.ts';
import { longestSilenceMs } from './server/silence.ts';

/**
 * Runs an endpoint of the files here: over the store, through the gateway that has the store, or on an engine with rows of its own.
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
  const { elsewhere } = engineOf(config);
  if (now !== undefined && elsewhere !== undefined) throw new UsageError(elsewhere.clockRefusal);
  if (elsewhere === undefined)
    await refuseMissingStore(
      config,
      'Import rows with npx endpoint-gateway import <source> <file>, or name a gateway with --server.',
    );
  const analyzer = await Analyzer.start(analyzerSettings(config));
  opened.defer(() => analyzer.close());
  const planner = new LocalPlanner(analyzer);
  const loaded = await loadCall(config, planner, environment, wanted, options, signal);
  const call = { ...loaded, parameters: parametersOf(loaded.endpoint, options) };
  if (elsewhere !== undefined) {
    const { engine } = opened.use(await elsewhere.connect(config, planner, plainLog(environment.err)));
    return await runOn(engine, call, options, config, environment, signal);
  }
  const found = await openCommandStore(config, call.sources, {
    // Warnings of the store, as of a disk that fills up, are for those who write to it.
    log: { ...plainLog(environment.err), warn() {} },
    ...(now && { now: () => now.micros }),
  });
  if ('server' in found) {
    const { url, token } = found.server;
    if (now !== undefined)
      throw new CommandError(
        `--now: the gateway at ${url} is using the store, and has a clock of its own. Stop it first.`,
      );
    environment.err(`The gateway at ${url} is using the store, and runs its version of the endpoint.\n`);
    const silenceMs = longestSilenceMs(config, options.format);
    return await askServer({ url, key: token }, wanted, options, { ...environment, silenceMs }, signal);
  }
  opened.defer(() => found.store.close());
  return await runOn(found.store.engine, call, options, config, environment, signal);
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
  const maxRows = isExport ? (endpoint.exportRows ?? endpoint.maxRows) : endpoint.maxRows;
  const job = jobOf({ endpoint, parameters });
  return withinQueryTime(timeoutMs, signal, (limited) => {
    const request = { plan, parameters, timeoutMs, maxRows, signal: limited, job };
    return printAnswer(engine, request, endpoint, format, environment.stdout);
  });
}
