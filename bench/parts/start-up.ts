import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { readServerFile } from '../../src/engines/duckdb/store/file/server-file.ts';
import { fetchCounts, fetchMetrics, readCounts } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { median } from '../measure.ts';
import { memoryOfAll } from '../process-memory.ts';
import { prove, proveIs } from '../proof.ts';
import { projectRef } from '../store/projects.ts';

export interface StartUpOptions {
  readonly dataDir: string;
  /** The package's folder, where `npm start` runs. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly starts?: number;
  /** The command that starts the gateway; `npm start` by default. */
  readonly command?: readonly [string, ...string[]];
}

const key = 'the-key-of-the-benchmark';
const targetMs = 1_200;
const restartTargetMs = 1_000;
const idleTargetBytes = 260e6;
/** From the first response until the garbage of the start has been collected. */
const idleAfterMs = 3_000;
const pollMs = 5;
const timeoutMs = 30_000;

/** The measurements of one start. */
interface Start {
  readonly readyMs: number;
  /** Undefined where the system doesn't report it. */
  readonly idleBytes: number | undefined;
  readonly restartMs: number;
}

/**
 * Measures the time from `npm start` until the gateway reports that it is ready, the memory of its processes then, and
 * the time from the end of its engine process until it is ready again. Proves that the process was started for this,
 * and that it answers a stored query from its engine.
 *
 * @throws MeasurementError
 */
export async function measureStartUp(options: StartUpOptions): Promise<Finding[]> {
  const { starts = 5 } = options;
  const all: Start[] = [];
  for (let start = 0; start < starts; start += 1) all.push(await startOnce(options));
  const times = all.map(({ readyMs }) => readyMs);
  const typical = median(times);
  const restarts = all.map(({ restartMs }) => restartMs);
  const restart = median(restarts);
  const memory = all.flatMap(({ idleBytes }) => idleBytes ?? []);
  return [
    {
      part: 'start',
      what: 'npm start',
      detail: `${starts} starts, the slowest ${formatMs(Math.max(...times))}; each answered a query`,
      result: formatMs(typical),
      target: `<= ${formatMs(targetMs)}`,
      isMet: typical <= targetMs,
    },
    {
      part: 'start',
      what: 'restart of the engine process',
      detail: `${starts} ends by kill -9, the slowest ${formatMs(Math.max(...restarts))}`,
      result: formatMs(restart),
      target: `<= ${formatMs(restartTargetMs)}`,
      isMet: restart <= restartTargetMs,
    },
    ...(memory.length > 0 ? [idleFinding(median(memory))] : []),
  ];
}

function idleFinding(bytes: number): Finding {
  const inMb = (count: number) => `${Math.round(count / 1e6)} MB`;
  return {
    part: 'start',
    what: 'idle memory',
    detail: `all processes ${idleAfterMs / 1000} s after the first query; what they share counts once`,
    result: inMb(bytes),
    target: `<= ${inMb(idleTargetBytes)}`,
    isMet: bytes <= idleTargetBytes,
  };
}

async function startOnce(options: StartUpOptions): Promise<Start> {
  const { dataDir, packageDir, environment, command = ['npm', 'start', '--silent'] } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = Date.now();
  const start = performance.now();
  const [program, ...args] = command;
  const gateway = spawn(program, args, {
    cwd: packageDir,
    env: { ...environment, DATA_DIR: dataDir, PORT: String(port), API_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilReady(`${url}/readyz`, gateway);
    const readyMs = performance.now() - start;
    await proveStarted(url, startedAt);
    await pause(idleAfterMs);
    const server = await readServerFile(dataDir);
    prove(server?.url === url, 'the gateway did not say which processes are its own');
    const idleBytes = process.platform === 'linux' ? await memoryOfAll(server.pid) : undefined;
    return { readyMs, idleBytes, restartMs: await restartOf(server.storePid, dataDir, url) };
  } finally {
    await stop(gateway);
  }
}

/** Ends an engine process, and measures the time until another one has opened the store and the gateway is ready. */
async function restartOf(storePid: number, dataDir: string, url: string): Promise<number> {
  const start = performance.now();
  process.kill(storePid, 'SIGKILL');
  while ((await readServerFile(dataDir))?.storePid === storePid || !(await isReady(`${url}/readyz`))) {
    prove(performance.now() - start < timeoutMs, 'the engine process was not replaced');
    await pause(pollMs);
  }
  return performance.now() - start;
}

const answered = z.object({ result: z.array(z.unknown()) });

async function proveStarted(url: string, startedAt: number): Promise<void> {
  const metrics = await fetchMetrics(url, key);
  // In whole seconds, rounded.
  const began = Number(/^process_start_time_seconds (\d+)$/m.exec(metrics)?.[1]);
  prove(began >= startedAt / 1000 - 1, 'the gateway that answered had been started before');
  proveIs(readCounts(metrics).engineRuns, 0, 'engine runs before the first query');
  const target = `${url}/api/endpoints/query/logs.all?project=${projectRef(0)}`;
  const answer = await fetch(target, { headers: { 'X-API-KEY': key } });
  proveIs(answer.status, 200, 'status of the first query');
  prove(answered.parse(await answer.json()).result.length > 0, 'the first query gave no rows');
  proveIs((await fetchCounts(url, key)).engineRuns, 1, 'engine runs of the first query');
}

/** Waits until a started gateway responds. */
export async function untilReady(url: string, gateway: ChildProcess): Promise<void> {
  const end = performance.now() + timeoutMs;
  gateway.on('error', () => {});
  while (!(await isReady(url))) {
    if (gateway.pid === undefined) throw new Error('the gateway could not be started');
    if (gateway.exitCode !== null) throw new Error(`the gateway ended with exit code ${gateway.exitCode}`);
    if (performance.now() > end) throw new Error(`the gateway was not ready within ${timeoutMs} ms`);
    await pause(pollMs);
  }
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
  });
}

async function stop(gateway: ChildProcess): Promise<void> {
  if (gateway.pid === undefined || gateway.exitCode !== null || gateway.signalCode !== null) return;
  const ended = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
