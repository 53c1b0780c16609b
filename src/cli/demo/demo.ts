import { untilStopped } from '../../app/gateway/until-stopped.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { DemoStore } from '../../tools/demo/demo-store.ts';
import { startDemoTicker } from '../../tools/demo/demo-ticker.ts';
import { fillDemo } from '../../tools/demo/fill-demo.ts';
import type { TickerEnd } from '../../tools/made-up-rows/making/row-ticker.ts';
import { type FillStore, type MadeUpGateway, startMadeUpGateway } from '../made-up/made-up-gateway.ts';
import { wallClock, withMakingProgress } from '../made-up/making-progress.ts';
import { openSession } from '../made-up/session.ts';
import type { SessionOutput } from '../made-up/session-output.ts';
import { greeting } from './greeting.ts';

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
