import type { Config } from '../config.ts';
import { type DemoEnd, startDemoTicker } from '../demo/demo-ticker.ts';
import { type FilledDemo, fillDemo } from '../demo/fill-demo.ts';
import { projects } from '../demo/vocabulary/projects.ts';
import type { Store } from '../engines/duckdb/store/store.ts';
import { plainLog } from '../log.ts';
import { shellQuote } from '../shell-quote.ts';
import type { Output } from './output.ts';
import { progressOn, type Terminal } from './progress.ts';
import { reloadRequests } from './reload/reload-requests.ts';
import { type RunningGateway, runGateway } from './run-gateway.ts';
import { stopRequest, untilStopped } from './until-stopped.ts';

const wallClock = () => BigInt(Date.now()) * 1000n;

/**
 * Fills the store with made-up rows up to the present minute, serves them and adds more each second, until the
 * process is told to stop. A store that holds other rows is left alone, with an error that says so.
 */
export async function demoCommand(config: Config, output: Output & { terminal: Terminal }): Promise<number> {
  const { out, err, terminal } = output;
  const stop = stopRequest();
  const reload = { output, watch: true, requests: reloadRequests() };
  let filled: FilledDemo | undefined;
  let demoStore: Store | undefined;
  const prepareStore = async (store: Store) => {
    demoStore = store;
    const progress = progressOn(terminal, Date.now);
    let begun = false;
    try {
      filled = await fillDemo(store, {
        now: wallClock(),
        dataDir: config.dataDir,
        random: Math.random,
        signal: stop,
        onProgress: (added, expected) => {
          if (!begun) progress.start('Making up log rows', expected);
          begun = true;
          progress.update(added);
        },
      });
    } finally {
      progress.stop();
    }
    out(`Added ${filled.added.toLocaleString('en')} made-up log rows to ${config.dataDir}\n`);
  };
  let gateway: RunningGateway;
  try {
    gateway = await runGateway(config, { log: plainLog(err), reload, prepareStore });
  } catch (error) {
    // Whoever stops it while it fills wants no more words.
    if (stop.aborted) return 0;
    throw error;
  }
  if (demoStore === undefined) throw new Error('the demo has no store');
  const ticker = startDemoTicker(demoStore, {
    from: filled?.until ?? wallClock(),
    clock: wallClock,
    random: Math.random,
    onEnd: (reason) => err(`${explainEnd(reason)}\n`),
  });
  out(`${greeting(gateway.url, gateway.key)}\n`);
  await untilStopped(stop, {
    close: async () => {
      await ticker.stop();
      await gateway.close();
    },
  });
  return 0;
}

function greeting(url: string, key: string): string {
  const [project] = projects;
  const call = (endpoint: string, parameters: string) => {
    const target = `${url}/api/endpoints/query/${endpoint}?${parameters}`;
    return `  curl -H ${shellQuote(`X-API-KEY: ${key}`)} ${shellQuote(target)}`;
  };
  return `
Ready at ${url}, with the key ${key}

GraphiQL, with examples that run as they are: ${url}/graphql

Requests per API area of one project over the last hour, by minute:
${call('usage.api-counts', `interval=minutely&project=${project?.ref}`)}

The newest edge log entries of that project:
${call('logs.all', `project=${project?.ref}`)}

More rows are added each second. Ctrl-C stops it.`;
}

function explainEnd(end: DemoEnd): string {
  if (end.kind === 'other rows') return 'Rows were imported: no more made-up ones are added.';
  const reason = end.error instanceof Error ? end.error.message : String(end.error);
  return `No more made-up rows are added: ${reason}`;
}
