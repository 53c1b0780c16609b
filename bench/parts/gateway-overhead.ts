import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { keyAccess } from '../../src/access/access.ts';
import { everyScope } from '../../src/access/scope.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { cacheMemory, createExecutor } from '../../src/executor/create-executor.ts';
import type { Executor } from '../../src/executor/executor.ts';
import { plainLog } from '../../src/log.ts';
import { createGateway } from '../../src/server/gateway.ts';
import { type Finding, formatMs } from '../finding.ts';
import { openGateway } from '../gateway.ts';
import { median, quantile } from '../measure.ts';
import { projectRef } from '../store/projects.ts';
import type { RequestOrder } from './request-worker.ts';

export interface OverheadOptions {
  readonly dataDir: string;
  readonly now: bigint;
}

const targetMs = 2;
const warmUps = 150;
const measured = 200;
const key = 'the-key-of-the-benchmark';
const hourMs = 3_600_000;

/**
 * What the gateway adds to the engine's own time: the whole time of a request on a kept-alive connection, as a
 * client in another thread sees it, less the time that the engine gives for it.
 */
export async function measureOverhead({ dataDir, now }: OverheadOptions): Promise<Finding[]> {
  await using gateway = await openGateway(dataDir, () => now);
  const runs: ExecutorRun[] = [];
  const settings = readConfig({});
  const executor = createExecutor({
    engine: gateway.engine,
    memory: cacheMemory(settings),
    clock: systemClock,
    settings,
  });
  const server = createGateway({
    access: keyAccess([{ name: 'bench', secret: key, scopes: everyScope }]),
    endpoints: gateway.endpoints,
    executor: recordingExecutor(executor, runs),
    clock: systemClock,
    receiveRows: () => Promise.reject(new Error('the benchmark takes no rows')),
    log: plainLog((line) => process.stderr.write(line)),
    shape: { endpoints: [] },
    config: settings,
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const findings: Finding[] = [];
    for (const { what, target } of requests(now)) {
      runs.length = 0;
      const order = { url: `${url}/api/endpoints/query/${target}`, key, count: warmUps + measured };
      const totals = await requestTimes(order);
      findings.push(overheadOf(what, totals.slice(warmUps), runs.slice(warmUps)));
    }
    return findings;
  } finally {
    await server.close();
  }
}

/** What the executor says about one request, in milliseconds. */
interface ExecutorRun {
  readonly engineMs: number;
  /** Until the executor had its rows: emitting and decoding included. */
  readonly wholeMs: number;
}

function overheadOf(what: string, totals: readonly number[], runs: readonly ExecutorRun[]): Finding {
  if (totals.length !== runs.length) throw new Error('not every request was run once');
  const added = runs.map(({ engineMs }, index) => (totals[index] ?? Number.NaN) - engineMs);
  const engineMs = median(runs.map((run) => run.engineMs));
  const executorMs = median(runs.map((run) => run.wholeMs - run.engineMs));
  const details = [
    `engine ${formatMs(engineMs)}`,
    `SQL and decoding ${formatMs(executorMs)}`,
    `95 % within ${formatMs(quantile(added, 0.95))}`,
  ];
  return {
    part: 'overhead',
    what,
    detail: details.join('; '),
    result: `+ ${formatMs(median(added))}`,
    target: `<= ${targetMs} ms`,
    isMet: median(added) <= targetMs,
  };
}

function requests(now: bigint): readonly { what: string; target: string }[] {
  const start = new Date(Number(now / 1000n) - hourMs).toISOString();
  const busy = projectRef(0);
  const quiet = projectRef(900);
  return [
    { what: 'logs.all, 100 rows', target: `logs.all?project=${busy}&iso_timestamp_start=${start}` },
    { what: 'logs.all, few rows', target: `logs.all?project=${quiet}&iso_timestamp_start=${start}` },
    { what: 'usage.api-counts hourly', target: `usage.api-counts?interval=hourly&project=${busy}` },
    { what: 'usage.api-counts minutely', target: `usage.api-counts?interval=minutely&project=${busy}` },
  ];
}

function recordingExecutor(executor: Executor, runs: ExecutorRun[]): Executor {
  return {
    execute: async (call) => {
      const start = performance.now();
      const result = await executor.execute(call);
      runs.push({ engineMs: result.engineMs, wholeMs: performance.now() - start });
      return result;
    },
    estimate: (call) => executor.estimate(call),
  };
}

async function requestTimes(order: RequestOrder): Promise<number[]> {
  const worker = new Worker(new URL('./request-worker.ts', import.meta.url), { workerData: order });
  const [message] = await once(worker, 'message');
  return z.array(z.number()).parse(message);
}
