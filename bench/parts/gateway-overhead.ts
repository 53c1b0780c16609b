import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { keyAccess } from '../../src/access/access.ts';
import { everyScope } from '../../src/access/scope.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import type { ResultRows } from '../../src/engines/rows/result-rows.ts';
import type { Executor } from '../../src/executor/executor.ts';
import { plainLog } from '../../src/log.ts';
import { createGateway } from '../../src/server/gateway.ts';
import { countsBetween, proveEngineRuns } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGatewayOptions, openGateway } from '../gateway.ts';
import { median, quantile } from '../measure.ts';
import { about, prove, proveIs } from '../proof.ts';
import { projectRef } from '../store/projects.ts';
import { type RequestOrder, requestReport } from './request-worker.ts';

export interface OverheadOptions extends BenchGatewayOptions {
  readonly warmUps?: number;
  /** Requests that count, for each kind. */
  readonly measured?: number;
}

const targetMs = 2;
const key = 'the-key-of-the-benchmark';
const hourMs = 3_600_000;

/**
 * What the gateway adds to the engine's own time: the whole time of a request on a kept-alive connection, as a
 * client in another thread sees it, less the time that the engine gives for it. It is proved that each request was one run on the
 * engine, and that each answer has the rows of that run.
 *
 * @throws MeasurementError
 */
export async function measureOverhead(options: OverheadOptions): Promise<Finding[]> {
  const { now, warmUps = 150, measured = 200 } = options;
  await using gateway = await openGateway(options);
  const runs: ExecutorRun[] = [];
  const settings = readConfig({});
  const server = createGateway({
    access: keyAccess([{ name: 'bench', secret: key, scopes: everyScope }]),
    endpoints: gateway.endpoints,
    executor: recordingExecutor(gateway.executor, runs),
    metrics: gateway.metrics,
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
      const finding = await about(what, async () => {
        const before = await gateway.counts();
        const { times, bodies } = await sendRequests(order);
        proveIs(times.length, order.count, 'answers');
        proveIs(runs.length, order.count, 'calls');
        proveEngineRuns(countsBetween(before, await gateway.counts()), order.count);
        const rows = proveRows(bodies, runs);
        return overheadOf(what, rows, times.slice(warmUps), runs.slice(warmUps));
      });
      findings.push(finding);
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
  readonly rows: ResultRows;
}

/** How many rows each answer has: those that the engine gave. */
function proveRows(bodies: readonly string[], runs: readonly ExecutorRun[]): number {
  const [body] = bodies;
  prove(body !== undefined && bodies.length === 1, `${bodies.length} different answers to the same request`);
  const { result } = answer.parse(JSON.parse(body));
  for (const run of runs) proveIs(run.rows.count, result.length, 'rows of the engine');
  return result.length;
}

const answer = z.object({ result: z.array(z.unknown()) });

function overheadOf(
  what: string,
  rows: number,
  totals: readonly number[],
  runs: readonly ExecutorRun[],
): Finding {
  const added = runs.map(({ engineMs }, index) => (totals[index] ?? Number.NaN) - engineMs);
  const engineMs = median(runs.map((run) => run.engineMs));
  const executorMs = median(runs.map((run) => run.wholeMs - run.engineMs));
  const details = [
    `${rows} rows; engine ${formatMs(engineMs)}`,
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
    { what: 'logs.all, busy project', target: `logs.all?project=${busy}&iso_timestamp_start=${start}` },
    { what: 'logs.all, quiet project', target: `logs.all?project=${quiet}&iso_timestamp_start=${start}` },
    { what: 'usage.api-counts hourly', target: `usage.api-counts?interval=hourly&project=${busy}` },
    { what: 'usage.api-counts minutely', target: `usage.api-counts?interval=minutely&project=${busy}` },
  ];
}

function recordingExecutor(executor: Executor, runs: ExecutorRun[]): Executor {
  return {
    execute: async (call) => {
      const start = performance.now();
      const result = await executor.execute(call);
      runs.push({ engineMs: result.engineMs, wholeMs: performance.now() - start, rows: result.rows });
      return result;
    },
    estimate: (call) => executor.estimate(call),
  };
}

async function sendRequests(order: RequestOrder): Promise<z.infer<typeof requestReport>> {
  const worker = new Worker(new URL('./request-worker.ts', import.meta.url), { workerData: order });
  const [message] = await once(worker, 'message');
  return requestReport.parse(message);
}
