import { engineOf } from '../../app/engines/registry.ts';
import { handedOver } from '../../base/async/handed-over.ts';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { plainLog } from '../../base/terminal/log.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { redactBatch, redactRows } from '../../calls/redaction/redact-result.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import { hiddenClasses } from '../../definitions/endpoints/pii-class.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { madeUpServer, type ServerInfo } from '../../engines/duckdb/store/file/server-file.ts';
import type { Engine, EngineRequest, StreamEnd } from '../../engines/engine/engine.ts';
import { rowsInMemory } from '../../engines/rows/result-rows.ts';
import { formats } from '../../rows/formats/formats.ts';
import { plainStyle } from '../../rows/formats/render/json-style.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import type { Value } from '../../sql/values/value.ts';
import { type LoadedCall, loadCall, parametersOf } from '../call/endpoint-call.ts';
import { openCommandStore, refuseMissingStore } from '../engine/command-store.ts';
import { withinQueryTime } from '../engine/interruptible.ts';
import type { Moment } from '../options/option-values.ts';
import { writePieces } from '../output/write-pieces.ts';
import { askServer } from './ask-server.ts';
import { renderTable } from './render-table.ts';
import type { OutputFormat, RunEnvironment, RunOptions } from './run-options.ts';
import { type Answer, answerNotes } from './run-options.ts';
import { maxSilenceMs } from './server.ts';
import { resultTable } from './text-table.ts';

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
  const askGateway = ({ url, token }: ServerInfo, does: string) => {
    if (now !== undefined)
      throw new CommandError(
        `--now: the gateway at ${url} ${does}, and has a clock of its own. Stop it first.`,
      );
    environment.err(`The gateway at ${url} ${does}, and runs its version of the endpoint.\n`);
    const silenceMs = maxSilenceMs(config, options.format);
    return askServer({ url, key: token }, wanted, options, { ...environment, silenceMs }, signal);
  };
  const madeUp = elsewhere === undefined ? await madeUpServer(config.dataDir) : undefined;
  if (madeUp !== undefined) return await askGateway(madeUp, 'serves made-up rows');
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
    // Warnings of the store, such as of a full disk, matter only to commands that write to it.
    log: { ...plainLog(environment.err), warn() {} },
    ...(now && { now: () => now.micros }),
  });
  if ('server' in found) return await askGateway(found.server, 'is using the store');
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
  const isExport = endpoint.exportRows !== undefined && isOfColumns(format);
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

/** Runs a query, and prints its rows as callers of the endpoint get them: redacted, if the endpoint requires it. */
async function printAnswer(
  engine: Engine,
  request: EngineRequest,
  endpoint: Endpoint,
  format: OutputFormat,
  stdout: RunEnvironment['stdout'],
): Promise<Answer> {
  const hidden = hiddenClasses(endpoint, false);
  if (isOfColumns(format)) {
    let rows = 0;
    let end: StreamEnd | undefined;
    const { columns } = request.plan;
    const parts = handedOver<ColumnBatch, StreamEnd>(
      (take, left) => engine.stream({ ...request, signal: AbortSignal.any([request.signal, left]) }, take),
      (outcome) => {
        end = outcome;
      },
    );
    const batches = async function* () {
      for await (const batch of parts) {
        rows += batch.length;
        yield await redactBatch(batch, columns, hidden, request.signal);
      }
    };
    await writePieces(formats[format].encode(columns, batches(), plainStyle), stdout);
    return { rows, truncated: end?.truncated === true, notes: notesOf(end) };
  }
  const result = await engine.run(request);
  const { columns, truncated } = result;
  const rows = await redactRows(await result.rows.all(), columns, hidden, request.signal);
  if (format === 'json') {
    await writePieces(formats.json.encode(columns, rowsInMemory(rows).chunks(), plainStyle), stdout);
    await writePieces(lineEnd(), stdout);
  } else await writePieces(renderTable(resultTable(columns, rows), stdout), stdout);
  return { rows: rows.length, truncated, notes: notesOf(result) };
}

/** Whether the rows are encoded while they come. */
function isOfColumns(format: OutputFormat): format is Exclude<OutputFormat, 'table' | 'json'> {
  return format !== 'table' && format !== 'json';
}

async function* lineEnd(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\n');
}

function notesOf(end: Pick<StreamEnd, 'engineMs' | 'cost'> | undefined): string[] {
  return answerNotes(end?.engineMs, end?.cost?.bytesBilled ?? end?.cost?.bytesProcessed);
}
