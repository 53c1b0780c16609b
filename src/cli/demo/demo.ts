import { reloadRequests } from '../../app/reload/reload-requests.ts';
import { type GatewayHooks, type RunningGateway, runGateway } from '../../app/run-gateway.ts';
import { stopRequest, untilStopped } from '../../app/until-stopped.ts';
import { type Config, settingWarnings } from '../../config.ts';
import { type DemoEnd, startDemoTicker } from '../../demo/demo-ticker.ts';
import { type OpenLog, openLog } from '../../observability/log/open-log.ts';
import { progressOn } from '../progress.ts';
import { upgradeProgress } from '../upgrade-progress.ts';
import { bigQueryOfStore } from './bigquery-of-store.ts';
import { type DemoOutput, type FilledStore, fillStore, wallClock } from './fill-store.ts';
import { greeting } from './greeting.ts';

/** How long open requests may delay the end of the demo, in milliseconds. Nobody depends on them. */
const maxShutdownMs = 3_000;

interface DemoOptions {
  /** Where queries run: on the store itself, or on a BigQuery emulator over it. */
  readonly engine?: Config['engine'];
}

/** A gateway over made-up rows. */
interface DemoGateway {
  readonly gateway: RunningGateway;
  readonly filled: FilledStore;
  /** The demo's BigQuery emulator, if there is one. */
  readonly bigquery?: string;
  close(): Promise<void>;
}

/**
 * Fills the store with made-up rows up to the current minute, serves them and adds more each second, until the process
 * is stopped. Refuses a store that contains other rows.
 */
export async function demoCommand(
  given: Config,
  output: DemoOutput,
  { engine = given.engine }: DemoOptions = {},
): Promise<number> {
  const config = {
    ...given,
    // It has no load balancer that must notice.
    shutdownDelayMs: 0,
    shutdownTimeoutMs: Math.min(given.shutdownTimeoutMs, maxShutdownMs),
  };
  const { out, err } = output;
  const log = openLog({ format: config.logFormat ?? 'text', level: config.logLevel, ...output });
  for (const warning of settingWarnings()) log.log.warn(warning);
  const stop = stopRequest(given.shutdownTimeoutMs);
  const start = engine === 'duckdb' ? startOnStore : startOnBigQuery;
  let demo: DemoGateway;
  try {
    demo = await start({ ...config, engine: 'duckdb' }, output, hooksOf(output, log), stop);
  } catch (error) {
    // A user who stops it while it fills needs no message.
    if (stop.aborted) return 0;
    throw error;
  }
  const ticker = startDemoTicker(demo.filled.store, {
    from: demo.filled.until,
    clock: wallClock,
    random: Math.random,
    onEnd: (reason) => err(`${explainEnd(reason)}\n`),
  });
  out(`${greeting({ ...config, ...demo.gateway, bigquery: demo.bigquery })}\n`);
  await untilStopped(stop, {
    close: async () => {
      await ticker.stop();
      await demo.close();
    },
  });
  await log.close();
  return 0;
}

function hooksOf(output: DemoOutput, { log, request, operator }: OpenLog): GatewayHooks {
  const reload = { output: operator, watch: true, requests: reloadRequests() };
  const onMove = upgradeProgress(progressOn(output.terminal, Date.now));
  return { log, ...(request && { logRequest: request }), reload, onMove, offersKey: true };
}

async function startOnStore(
  config: Config,
  output: DemoOutput,
  hooks: GatewayHooks,
  stop: AbortSignal,
): Promise<DemoGateway> {
  let filled: FilledStore | undefined;
  const gateway = await runGateway(config, {
    ...hooks,
    prepareRows: async (rows, sources) => {
      filled = await fillStore(rows, sources, config.dataDir, output, stop);
    },
  });
  if (filled === undefined) throw new Error('a DuckDB gateway has a store');
  return { gateway, filled, close: () => gateway.close() };
}

async function startOnBigQuery(
  config: Config,
  output: DemoOutput,
  hooks: GatewayHooks,
  stop: AbortSignal,
): Promise<DemoGateway> {
  await using started = new AsyncDisposableStack();
  const bigquery = await bigQueryOfStore(config, hooks);
  started.defer(() => bigquery.close());
  const filled = await fillStore(bigquery.rows, bigquery.sources, config.dataDir, output, stop);
  const gateway = await runGateway(bigquery.config, hooks);
  started.defer(() => gateway.close());
  const running = started.move();
  return { gateway, filled, bigquery: bigquery.url, close: () => running.disposeAsync() };
}

function explainEnd(end: DemoEnd): string {
  if (end.kind === 'other rows') return 'Rows were imported. The demo adds no more made-up rows.';
  const reason = end.error instanceof Error ? end.error.message : String(end.error);
  return `The demo adds no more made-up rows: ${reason}`;
}
