import { cp, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import { countsBetween, fetchCounts } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { quantile } from '../measure.ts';
import { prove, proveIs, proveSame } from '../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../started-gateway.ts';
import { projectRef } from '../store/projects.ts';
import { type SeenRow, type WatcherOrder, watcherMessage } from './watcher-order.ts';

export interface LiveOptions extends GatewayCommand {
  /** How many watch each tail; 100 by default. */
  readonly watchersPerTail?: number;
  /** How long rows are sent, in seconds; 20 by default. */
  readonly seconds?: number;
}

const tails = 10;
/** Milliseconds between two rows of a tail. */
const everyMs = 500;
const maxLatencyMs = 500;
const maxBytesPerWatcher = 20_000;
/** So many times as many watchers come, to measure their memory. */
const timesMore = 3;
const prefix = 'live-';

/**
 * Measures tails: from the acknowledgement of a row until each of those who watch its table has it, and the memory of the
 * gateway for each of them. Proves that everybody got every row of the tail once, in the order of commits, and that the
 * engine ran far less often than there were watchers.
 *
 * @throws MeasurementError
 */
export async function measureLive(options: LiveOptions): Promise<Finding[]> {
  const { watchersPerTail = 100, seconds = 20 } = options;
  const dataDir = `${options.dataDir}-with-watchers`;
  await rm(dataDir, { recursive: true, force: true });
  try {
    await cp(options.dataDir, dataDir, { recursive: true });
    const collecting = ['--expose-gc', '--import', './bench/collect-garbage.ts'];
    const command = [process.execPath, ...collecting, 'src/cli/main.js', 'serve'] as const;
    const environment = {
      ...options.environment,
      LIVE_MAX_STREAMS: '100000',
      LIVE_MAX_STREAMS_PER_KEY: '100000',
    };
    await using gateway = await startGateway({ command, ...options, environment, dataDir });
    const { port } = gateway;
    const url = `http://127.0.0.1:${port}`;
    const pid = gateway.process.pid ?? 0;
    const projects = Array.from({ length: tails }, (_, tail) => projectRef(tail));
    await sendRows(url, projects, { seconds: 3, prefix: 'warm-up-' });
    const order = { port, key: benchKey, projects, watchersPerProject: watchersPerTail, prefix };
    await using watching = await startWatchers(order);
    const perWatcher = await bytesOfMore(pid, order);
    const counts = await fetchCounts(url, benchKey);
    const acknowledged = await sendRows(url, projects, { seconds, prefix });
    await sleep(3_000);
    const { engineRuns } = countsBetween(counts, await fetchCounts(url, benchKey));
    const seen = await watching.seen();
    const latencies = latenciesOf(seen, acknowledged, watchersPerTail);
    // Any row may wake each tail, ten times a second at most.
    const maxRuns = tails * 10 * (seconds + 3);
    prove(engineRuns <= maxRuns, `${engineRuns} engine runs, more than ${maxRuns}`);
    const [median, latency] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    const what = `${tails * watchersPerTail} watchers of ${tails} tails`;
    return [
      {
        ...{ part: 'live', what: `from acknowledged to ${what}` },
        detail: `median ${formatMs(median)}; ${latencies.length.toLocaleString('en')} rows seen, each once; ${engineRuns} engine runs`,
        result: `99 % ${formatMs(latency)}`,
        target: `<= ${maxLatencyMs} ms`,
        isMet: latency <= maxLatencyMs,
      },
      {
        ...{ part: 'live', what: 'memory for each watcher' },
        detail: `resident, of the gateway's process after garbage collections: ${timesMore} times as many more, each with a connection`,
        result: `${(perWatcher / 1000).toFixed(1)} KB`,
        target: `<= ${maxBytesPerWatcher / 1000} KB`,
        isMet: perWatcher <= maxBytesPerWatcher,
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** How much the memory of the gateway grows for each further watcher: the first ones make its heap larger, too. */
async function bytesOfMore(pid: number, order: WatcherOrder): Promise<number> {
  const more = { ...order, watchersPerProject: order.watchersPerProject * timesMore };
  const before = await residentBytes(pid);
  await using _more = await startWatchers(more);
  return ((await residentBytes(pid)) - before) / (more.projects.length * more.watchersPerProject);
}

/** The times of acknowledgements by the ids of rows, in milliseconds since the epoch, for each project. */
type Acknowledged = readonly ReadonlyMap<string, number>[];

/** Sends rows to each project, one after the other. */
function sendRows(
  url: string,
  projects: readonly string[],
  { seconds, prefix }: { readonly seconds: number; readonly prefix: string },
): Promise<Acknowledged> {
  const began = performance.now();
  const sendTo = async (project: string, tail: number) => {
    const acknowledged = new Map<string, number>();
    for (let row = 0; row < (seconds * 1000) / everyMs; row++) {
      const due = began + row * everyMs + (tail * everyMs) / projects.length;
      if (due > performance.now()) await sleep(due - performance.now());
      const id = `${prefix}${tail}-${row}`;
      const body = JSON.stringify({
        id,
        project,
        event_message: 'a row',
        timestamp: new Date().toISOString(),
      });
      const headers = { 'X-API-KEY': benchKey, 'Content-Type': 'application/json' };
      const response = await fetch(`${url}/api/logs?source=edge_logs`, { method: 'POST', headers, body });
      acknowledged.set(id, performance.timeOrigin + performance.now());
      proveIs(response.status, 200, `status of a row (${await response.text()})`);
    }
    return acknowledged;
  };
  return Promise.all(projects.map(sendTo));
}

function latenciesOf(
  seen: readonly (readonly SeenRow[])[],
  acknowledged: Acknowledged,
  watchersPerTail: number,
): number[] {
  return seen.flatMap((rows, watcher) => {
    const sent = acknowledged[Math.floor(watcher / watchersPerTail)] ?? new Map<string, number>();
    const ids = rows.map(([id]) => id);
    proveSame(ids, [...sent.keys()], `watcher ${watcher} has other rows, or another order`);
    // A row can be seen before its sender has read the acknowledgement.
    return rows.map(([id, at]) => Math.max(0, at - (sent.get(id) ?? Number.NaN)));
  });
}

interface Watching extends AsyncDisposable {
  /** What the watchers have seen. Ends them. */
  seen(): Promise<readonly (readonly SeenRow[])[]>;
}

/** Starts the watchers in a thread, and waits until all streams have begun. */
async function startWatchers(order: WatcherOrder): Promise<Watching> {
  const worker = new Worker(new URL('watcher-worker.ts', import.meta.url), { workerData: order });
  const next = () =>
    new Promise<z.infer<typeof watcherMessage>>((resolve, reject) => {
      worker.once('message', (message) => resolve(watcherMessage.parse(message)));
      worker.once('error', reject);
    });
  prove((await next()) === 'watching', 'the watchers did not begin');
  return {
    async seen() {
      const message = next();
      worker.postMessage('end');
      const report = await message;
      return report === 'watching' ? [] : report.seen;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

/** The resident memory of a process after garbage collections, in bytes. */
async function residentBytes(pid: number): Promise<number> {
  for (let collection = 0; collection < 3; collection++) {
    await sleep(1_000);
    process.kill(pid, 'SIGUSR2');
  }
  await sleep(2_000);
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
