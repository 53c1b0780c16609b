import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { engineOf, readConfig } from '../../src/app/engines/registry.ts';
import { loadSchema, loadSourceSchemas } from '../../src/app/schema/load-schema.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { plainLog } from '../../src/base/terminal/log.ts';
import { keyAccess } from '../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../src/calls/access/caller/caller.ts';
import type { Executor } from '../../src/calls/executor/executor.ts';
import { PlannerThread } from '../../src/calls/planner/planner-thread.ts';
import { endpointCatalog } from '../../src/definitions/endpoints/endpoint-catalog.ts';
import type { ResultRows } from '../../src/engines/rows/result-rows.ts';
import { createGatewayServer } from '../../src/server/listener/gateway.ts';
import { analyzerSettings } from '../../src/sql/analyzer/settings.ts';
import { gatewayParts } from '../../test/support/gateway-parts.ts';
import { localExecutor } from '../../test/support/local-executor.ts';
import { countsBetween, proveEngineRuns } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { cacheAndMetrics } from '../gateway.ts';
import { median, quantile } from '../measure.ts';
import { about, prove, proveIs } from '../proof.ts';
import { projectRef } from '../store/projects.ts';
import { type RequestOrder, requestReport } from './request-worker.ts';

export interface OverheadOptions {
  readonly dataDir: string;
  /** The current time, in microseconds since the epoch. */
  readonly now: bigint;
  /** How long results are reused, in seconds; 0 by default. */
  readonly cacheSeconds?: number;
  readonly warmUps?: number;
  /** Measured requests of each kind. */
  readonly measured?: number;
}

const key = 'the-key-of-the-benchmark';
const hourMs = 3_600_000;

/**
 * Measures what the gateway and the engine process add to DuckDB's own time: the time of a request on a kept-alive
 * connection, seen by a client in another thread, minus the reported engine time. Proves that each request was one run
 * on the engine, and that each response has the rows of that run.
 *
 * @throws MeasurementError
 */
export async function measureOverhead(options: OverheadOptions): Promise<Finding[]> {
  const { dataDir, now, cacheSeconds = 0, warmUps = 150, measured = 200 } = options;
  await using opened = new AsyncDisposableStack();
  const config = readConfig({ DATA_DIR: dataDir });
  const log = plainLog((line) => process.stderr.write(line));
  const planner = new PlannerThread({ settings: analyzerSettings(config), clock: systemClock, log });
  opened.defer(() => planner.close());
  const sources = await loadSourceSchemas(config);
  const { engine, close } = await engineOf(config).launch().open(config, { sources, planner, log });
  opened.defer(close);
  const { endpoints } = await loadSchema(config, planner, sources, (plan) => engine.prepare(plan));
  const { memory, metrics, counts } = cacheAndMetrics(config, engine.name);
  const meter = metrics.executor;
  const executor = localExecutor({ engine, memory, clock: systemClock, meter, settings: config });
  const runs: ExecutorRun[] = [];
  const server = createGatewayServer(
    gatewayParts({
      access: keyAccess([{ name: 'bench', secret: key, redact: false, scopes: everyScope }]),
      endpoints: endpointCatalog(endpoints.map((endpoint) => ({ ...endpoint, cacheSeconds }))),
      executor: recordingExecutor(executor, runs),
      metrics,
      clock: systemClock,
      receiveRows: () => Promise.reject(new Error('the benchmark takes no rows')),
      log,
      shape: { endpoints: [] },
      config,
    }),
  );
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  opened.defer(() => server.close());
  const findings: Finding[] = [];
  for (const { what, target, targetMs } of requests(now)) {
    runs.length = 0;
    const order = { url: `${url}/api/endpoints/query/${target}`, key, count: warmUps + measured };
    const finding = await about(what, async () => {
      const before = await counts();
      const { times, bodies } = await sendRequests(order);
      proveIs(times.length, order.count, 'answers');
      proveIs(runs.length, order.count, 'calls');
      proveEngineRuns(countsBetween(before, await counts()), order.count);
      const rows = proveRows(bodies, runs);
      return overheadOf({ what, targetMs, rows }, times.slice(warmUps), runs.slice(warmUps));
    });
    findings.push(finding);
  }
  return findings;
}

/** The executor's times for one request, in milliseconds. */
interface ExecutorRun {
  readonly engineMs: number;
  /** Until the executor had its rows. */
  readonly wholeMs: number;
  readonly rows: ResultRows;
}

/**
 * The number of rows of each response, which must be the engine's. Values may differ between responses, as the current
 * time advances.
 */
function proveRows(bodies: readonly string[], runs: readonly ExecutorRun[]): number {
  const counts = new Set(bodies.map((body) => answer.parse(JSON.parse(body)).result.length));
  const [count = 0] = counts;
  prove(counts.size === 1, `answers of ${[...counts].join(' and ')} rows to the same request`);
  for (const run of runs) proveIs(run.rows.count, count, 'rows of the engine');
  return count;
}

const answer = z.object({ result: z.array(z.unknown()) });

function overheadOf(
  { what, targetMs, rows }: { readonly what: string; readonly targetMs: number; readonly rows: number },
  totals: readonly number[],
  runs: readonly ExecutorRun[],
): Finding {
  const added = runs.map(({ engineMs }, index) => (totals[index] ?? Number.NaN) - engineMs);
  const engineMs = median(runs.map((run) => run.engineMs));
  const executorMs = median(runs.map((run) => run.wholeMs - run.engineMs));
  const details = [
    `${rows} rows; engine ${formatMs(engineMs)}`,
    `of which the engine process and the way to it ${formatMs(executorMs)}`,
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

function requests(now: bigint): readonly { what: string; target: string; targetMs: number }[] {
  const start = new Date(Number(now / 1000n) - hourMs).toISOString();
  const busy = projectRef(0);
  const quiet = projectRef(900);
  const logs = (project: string) => `logs.all?project=${project}&iso_timestamp_start=${start}`;
  const counts = (interval: string) => `usage.api-counts?interval=${interval}&project=${busy}`;
  return [
    { what: 'logs.all, busy project', target: logs(busy), targetMs: 2.5 },
    { what: 'logs.all, quiet project', target: logs(quiet), targetMs: 1.5 },
    { what: 'usage.api-counts hourly', target: counts('hourly'), targetMs: 1.5 },
    { what: 'usage.api-counts minutely', target: counts('minutely'), targetMs: 1.5 },
  ];
}

function recordingExecutor(executor: Executor, runs: ExecutorRun[]): Executor {
  return {
    execute: async (call, run) => {
      const start = performance.now();
      const result = await executor.execute(call, run);
      runs.push({ engineMs: result.engineMs, wholeMs: performance.now() - start, rows: result.rows });
      return result;
    },
    estimate: (call, run) => executor.estimate(call, run),
    profile: (call, run) => executor.profile(call, run),
    stream: (call, run, take) => executor.stream(call, run, take),
  };
}

async function sendRequests(order: RequestOrder): Promise<z.infer<typeof requestReport>> {
  const worker = new Worker(new URL('./request-worker.ts', import.meta.url), { workerData: order });
  const [message] = await once(worker, 'message');
  return requestReport.parse(message);
}
