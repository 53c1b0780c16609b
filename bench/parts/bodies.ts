import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Finding, formatMs } from '../finding.ts';
import { median, quantile } from '../measure.ts';
import { about, prove } from '../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../started-gateway.ts';
import { bodyShapes, shapesSource } from './body-shapes.ts';
import { addLightRows, LightCaller, newKey } from './light-caller.ts';
import { type ShapeOrder, type ShapeReport, shapeReport } from './shape-order.ts';

export interface BodiesOptions extends GatewayCommand {
  readonly print: (line: string) => void;
  /** The names of shapes; all by default. */
  readonly shapes?: readonly string[];
  /** How long bodies of a shape are sent, in seconds; 8 by default. */
  readonly seconds?: number;
}

/** Milliseconds between two light calls, whether the earlier ones have answers or not. */
const everyMs = 100;
/** What a light call may take beside any body, in milliseconds. */
const maxMs = 250;
const aloneSeconds = 3;

/**
 * Measures how long another key's light call takes while a key sends bodies with as many events as they may have, in a dozen
 * laborious shapes.
 *
 * @throws MeasurementError
 */
export async function measureBodies({
  print,
  shapes = bodyShapes.map(({ what }) => what),
  seconds = 8,
  ...command
}: BodiesOptions): Promise<Finding[]> {
  const dataDir = `${command.dataDir}-with-bodies`;
  const sourcesDir = `${dataDir}-sources`;
  const findings: Finding[] = [];
  const all: number[] = [];
  for (const shape of shapes) {
    for (const folder of [dataDir, sourcesDir]) await rm(folder, { recursive: true, force: true });
    try {
      await cp(command.dataDir, dataDir, { recursive: true });
      await writeSources(command.packageDir, sourcesDir);
      const environment = { ...command.environment, SOURCES_DIR: sourcesDir, REQUEST_TIMEOUT_MS: '120000' };
      await using gateway = await startGateway({ ...command, environment, dataDir });
      const { alone, beside, report } = await about(shape, () => measure(gateway.port, shape, seconds));
      all.push(...beside);
      const p99 = quantile(beside, 0.99);
      findings.push({
        part: 'bodies',
        what: `another key's light call beside 50,000 events: ${shape}`,
        detail: `alone ${formatMs(median(alone))}, 99 % ${formatMs(quantile(alone, 0.99))}; beside ${formatMs(median(beside))}, slowest ${formatMs(Math.max(...beside))}; ${report.times.length} bodies in ${formatMs(median(report.times))} each`,
        result: `99 % ${formatMs(p99)}`,
        target: `<= ${maxMs} ms`,
        isMet: p99 <= maxMs,
      });
      print(`  ${shape}: ${findings.at(-1)?.result}; ${findings.at(-1)?.detail}`);
    } finally {
      for (const folder of [dataDir, sourcesDir]) await rm(folder, { recursive: true, force: true });
    }
  }
  const p99 = quantile(all, 0.99);
  findings.push({
    ...{ part: 'bodies', what: "another key's light call beside all shapes", detail: `${all.length} calls` },
    ...{ result: `99 % ${formatMs(p99)}`, target: `<= ${maxMs} ms`, isMet: p99 <= maxMs },
  });
  return findings;
}

async function measure(port: number, shape: string, seconds: number) {
  const base = `http://127.0.0.1:${port}`;
  await addLightRows(base);
  const caller = new LightCaller(base, await newKey(base));
  for (let warm = 0; warm < 10; warm++) await caller.call();
  const alone = await callEvery(caller, sleep(aloneSeconds * 1000));
  const sending = sendBodies({ port, key: benchKey, shape, seconds });
  const beside = await callEvery(caller, sending);
  return { alone, beside, report: await sending };
}

/** Calls at fixed times until a task has ended. Returns the milliseconds of each call. */
async function callEvery(caller: LightCaller, task: Promise<unknown>): Promise<number[]> {
  const ended = new AbortController();
  const end = () => ended.abort();
  task.then(end, end);
  const calls: Promise<number | undefined>[] = [];
  for (let due = performance.now(); !ended.signal.aborted; due += everyMs) {
    await sleep(Math.max(0, due - performance.now()), undefined, { signal: ended.signal }).catch(
      () => undefined,
    );
    const call = caller.call();
    // Its failure is thrown below.
    call.catch(() => undefined);
    calls.push(call);
  }
  const times = await Promise.all(calls);
  const answered = times.filter((ms) => ms !== undefined);
  prove(answered.length === times.length, `${times.length - answered.length} light calls were refused`);
  return answered;
}

function sendBodies(order: ShapeOrder): Promise<ShapeReport> {
  const { promise, resolve, reject } = Promise.withResolvers<ShapeReport>();
  const worker = new Worker(new URL('./shape-worker.ts', import.meta.url), { workerData: order });
  worker.once('message', (report: unknown) => resolve(shapeReport.parse(report)));
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('a sender ended without a report')));
  return promise;
}

/** The package's sources, and one for shapes that none of them has. */
async function writeSources(packageDir: string, folder: string): Promise<void> {
  const own = join(packageDir, 'schema/sources');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(own)) await cp(join(own, name), join(folder, name));
  await writeFile(join(folder, 'shapes.json'), JSON.stringify(shapesSource));
}
