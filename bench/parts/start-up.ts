import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, formatMs } from '../finding.ts';
import { median } from '../measure.ts';

export interface StartUpOptions {
  readonly dataDir: string;
  /** The package's folder, where `npm start` is run. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const targetMs = 1_500;
const starts = 5;
const pollMs = 5;
const patienceMs = 30_000;

/** How long it takes from typing `npm start` until the gateway says that it is ready. */
export async function measureStartUp(options: StartUpOptions): Promise<Finding[]> {
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) times.push(await startOnce(options));
  const typical = median(times);
  return [
    {
      part: 'start',
      what: 'npm start',
      detail: `${starts} starts, the slowest ${formatMs(Math.max(...times))}`,
      result: formatMs(typical),
      target: `<= ${formatMs(targetMs)}`,
      isMet: typical <= targetMs,
    },
  ];
}

async function startOnce({ dataDir, packageDir, environment }: StartUpOptions): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const gateway = spawn('npm', ['start', '--silent'], {
    cwd: packageDir,
    env: { ...environment, DATA_DIR: dataDir, PORT: String(port), API_KEY: 'the-key-of-the-benchmark' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, gateway);
    return performance.now() - start;
  } finally {
    await stop(gateway);
  }
}

/** Waits until a gateway that was started answers. */
export async function untilReady(url: string, gateway: ChildProcess): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isReady(url))) {
    if (gateway.exitCode !== null) throw new Error(`npm start ended with exit code ${gateway.exitCode}`);
    if (performance.now() > end) throw new Error(`npm start was not ready within ${patienceMs} ms`);
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
  if (gateway.exitCode !== null || gateway.signalCode !== null) return;
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
