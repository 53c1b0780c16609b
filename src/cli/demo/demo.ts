import { untilStopped } from '../../app/gateway/until-stopped.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { DemoStore, fillDemo, startDemoTicker } from '../../tools/demo/demo-store.ts';
import { projects } from '../../tools/demo/vocabulary/projects.ts';
import type { TickerEnd } from '../../tools/made-up-rows/making/row-ticker.ts';
import {
  emulatedDataset,
  type FillStore,
  type MadeUpGateway,
  startMadeUpGateway,
} from '../made-up/made-up-gateway.ts';
import type { SessionOutput } from '../made-up/session.ts';
import {
  openSession,
  type ReadyGateway,
  wallClock,
  whereItIs,
  withMakingProgress,
} from '../made-up/session.ts';

interface DemoOptions {
  /** Where queries run: on the store itself, or on a BigQuery emulator over it. */
  readonly engine?: Config['engine'];
}

/**
 * Fills the store with made-up rows of the included sources up to the current minute, serves them and adds more each
 * second, until the process is stopped. Refuses a store that contains other rows.
 */
export async function demoCommand(
  given: Config,
  output: SessionOutput,
  { engine = given.engine }: DemoOptions = {},
): Promise<number> {
  const { config, hooks, stop, close } = openSession({ ...given, engine }, output);
  let demo: MadeUpGateway;
  try {
    demo = await startMadeUpGateway(config, {
      gateway: hooks,
      fill: fillWithDemo(config.dataDir, output, stop),
      onEnd: (end) => output.err(`${explainEnd(end)}\n`),
    });
  } catch (error) {
    // A user who stops it while it fills needs no message.
    if (stop.aborted) return 0;
    throw error;
  }
  output.out(`${greeting({ ...config, ...demo.gateway, bigquery: demo.bigquery })}\n`);
  await untilStopped(stop, demo);
  await close();
  return 0;
}

function fillWithDemo(dataDir: string, output: SessionOutput, signal: AbortSignal): FillStore {
  return async (rows, { sources }) => {
    const store = new DemoStore(rows, sources);
    const { added, until } = await withMakingProgress(output, (onProgress) =>
      fillDemo(store, { now: wallClock(), dataDir, random: Math.random, signal, onProgress }),
    );
    output.out(`Added ${added.toLocaleString('en')} made-up log rows to ${dataDir}\n`);
    return (_, onEnd) =>
      startDemoTicker(store, { from: until, clock: wallClock, random: Math.random, onEnd });
  };
}

function explainEnd(end: TickerEnd): string {
  if (end.kind === 'other rows') return 'Rows were imported. The demo adds no more made-up rows.';
  const reason = end.error instanceof Error ? end.error.message : String(end.error);
  return `The demo adds no more made-up rows: ${reason}`;
}

interface GreetedGateway extends ReadyGateway {
  /** The URL of the demo's BigQuery emulator, if queries run on it. */
  readonly bigquery?: string | undefined;
}

/** The text that the demo prints when it is ready: commands to paste into a shell. */
export function greeting({ bigquery, ...gateway }: GreetedGateway): string {
  const [project] = projects;
  const call = (endpoint: string, parameters: string) => {
    const target = `${gateway.url}/api/endpoints/query/${endpoint}?${parameters}`;
    return `  curl -H ${shellQuote(`X-API-KEY: ${gateway.key}`)} ${shellQuote(target)}`;
  };
  return `
${whereItIs(gateway)}${bigquery === undefined ? '' : aboutBigQuery(bigquery)}
Requests per API area of one project over the last hour, by minute:
${call('usage.api-counts', `interval=minutely&project=${project?.ref}`)}

The newest edge log entries of the project:
${call('logs.all', `project=${project?.ref}`)}

Rows are added every second. Press Ctrl-C to stop.`;
}

function aboutBigQuery(api: string): string {
  const { projectId, datasetId } = emulatedDataset;
  const faults = new URL('/faults', api);
  const outage = JSON.stringify({ path: '/', times: 0, status: { code: 503, reason: 'backendError' } });
  return `
ENGINE=bigquery: the gateway calls BigQuery's REST API. The demo emulates it over the made-up rows at ${api}.
Settings with which other commands reach it, such as test --engine bigquery:
  export GOOGLE_CLOUD_PROJECT=${projectId} BIGQUERY_DATASET=${datasetId} BIGQUERY_EMULATOR_HOST=${api}
Start an outage of BigQuery to see how the gateway handles it, and end it:
  curl -d ${shellQuote(outage)} ${faults}
  curl -X DELETE ${faults}
`;
}
