import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Finding, formatMs } from '../finding.ts';
import { median, quantile } from '../measure.ts';
import { about } from '../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../started-gateway.ts';
import { importFile } from '../store/import-file.ts';
import { collect } from './collect.ts';
import { type FloodOrder, type FloodReport, floodReport } from './flood-order.ts';
import { addLightRows, LightCaller, newKey } from './light-caller.ts';

export interface FloodsOptions extends GatewayCommand {
  readonly print: (line: string) => void;
  /** The kinds of floods; all by default. */
  readonly kinds?: readonly string[];
  /** How often light calls alone and beside the flood alternate; 4 by default. */
  readonly rounds?: number;
  /** The duration of a flood in each round, in seconds; 8 by default. */
  readonly seconds?: number;
}

/** A light call may take so many times its time alone, besides the longest query that runs. */
const maxTimes = 3;
/** Milliseconds between two light calls. */
const pauseMs = 100;
const openingMs = 1_000;

/** What one key sends as fast as it can. */
interface Flood {
  readonly what: string;
  /** The milliseconds of the longest query that ran for it, and what was done. */
  readonly run: (target: Target) => Promise<{ readonly longestRunMs: number; readonly done: string }>;
}

interface Target {
  readonly port: number;
  /** Rows for collectors. */
  readonly file: string;
  readonly seconds: number;
  readonly round: number;
}

const floods: readonly Flood[] = [
  requestFlood('queries', 40),
  requestFlood('exports', 8),
  requestFlood('live queries', 100),
  requestFlood('planning', 40),
  eventFlood(50, 200),
  eventFlood(500, 40),
  eventFlood(5_000, 8),
  // Two such bodies are what a key may have on their way: a third would be refused before it is read.
  eventFlood(34_000, 2),
];

/**
 * Compares how long a light call of one key takes while another key sends as much of a kind as it can with the time that it
 * takes alone. Both alternate, since the speed of machines varies. The median call is to take at most three times as long as the
 * median call alone, and as long as the longest query that runs; so is the slowest of twenty, compared with that alone.
 *
 * @throws MeasurementError
 */
export async function measureFloods(options: FloodsOptions): Promise<Finding[]> {
  const dataDir = `${options.dataDir}-with-floods`;
  const file = join(dataDir, 'rows.ndjson');
  const findings: Finding[] = [];
  for (const flood of floods) {
    if (options.kinds?.includes(flood.what) === false) continue;
    await rm(dataDir, { recursive: true, force: true });
    try {
      await cp(options.dataDir, dataDir, { recursive: true });
      await importFile(file, { rows: 34_000, now: BigInt(Date.now()) * 1000n });
      await using gateway = await startGateway({ ...options, dataDir });
      findings.push(await about(flood.what, () => measure({ ...options, flood, file, port: gateway.port })));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return findings;
}

async function measure({
  print,
  rounds = 4,
  seconds = 8,
  flood,
  file,
  port,
}: FloodsOptions & {
  readonly flood: Flood;
  readonly file: string;
  readonly port: number;
}): Promise<Finding> {
  const base = `http://127.0.0.1:${port}`;
  await addLightRows(base);
  const caller = new LightCaller(base, await newKey(base));
  for (let warm = 0; warm < 10; warm++) await caller.call();
  const alone: number[] = [];
  const beside: number[] = [];
  let refused = 0;
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    const callsFor = async (milliseconds: number, into: number[]) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end) {
        const ms = await caller.call();
        if (ms === undefined) refused += 1;
        else into.push(ms);
        await sleep(pauseMs);
      }
    };
    await callsFor((seconds * 1000) / 2, alone);
    const running = flood.run({ port, file, seconds, round });
    // The await below meets its failure. Until then, it must not be an unhandled rejection.
    running.catch(() => undefined);
    await sleep(openingMs);
    await callsFor(seconds * 1000 - openingMs, beside);
    const { longestRunMs, done } = await running;
    longest = Math.max(longest, longestRunMs);
    print(
      `  ${flood.what}: ${done}; median so far ${formatMs(median(beside))}, alone ${formatMs(median(alone))}`,
    );
    await sleep(openingMs);
  }
  const [half, nearlyAll] = [median(beside), quantile(beside, 0.95)];
  const [halfAlone, nearlyAllAlone] = [median(alone), quantile(alone, 0.95)];
  const maxOf = (ms: number) => maxTimes * ms + longest;
  return {
    part: 'floods',
    what: `another key's light call beside ${flood.what}`,
    detail: `alone ${formatMs(halfAlone)}, 95 % ${formatMs(nearlyAllAlone)}; beside ${formatMs(half)}, 95 % ${formatMs(nearlyAll)}, slowest ${formatMs(Math.max(...beside))}; longest query ${formatMs(longest)}; ${beside.length} calls, ${refused} refused`,
    result: `x ${(half / halfAlone).toFixed(2)}, 95 % x ${(nearlyAll / nearlyAllAlone).toFixed(2)}`,
    target: `<= ${formatMs(maxOf(halfAlone))}, 95 % <= ${formatMs(maxOf(nearlyAllAlone))}, none refused`,
    isMet: refused === 0 && half <= maxOf(halfAlone) && nearlyAll <= maxOf(nearlyAllAlone),
  };
}

function requestFlood(kind: FloodOrder['kind'], connections: number): Flood {
  return {
    what: kind,
    async run({ port, seconds, round }) {
      const first = round * 1_000_000;
      const report = await floodWith({ port, key: benchKey, kind, connections, seconds, first });
      const { answered, refused, longestRunMs } = report;
      return { longestRunMs, done: `${answered} answered, ${refused} refused` };
    },
  };
}

function eventFlood(rowsPerRequest: number, connections: number): Flood {
  return {
    what: `bodies of ${rowsPerRequest.toLocaleString('en')} events`,
    async run({ port, file, seconds, round }) {
      const { acknowledgedRows, milliseconds, refusals } = await collect({
        ...{ port, key: benchKey, file, rowsPerRequest, collectors: connections, seconds },
        ...{ prefix: `f${round}`, everyMs: 0, givesWay: true },
      });
      const rate = Math.round((acknowledgedRows / milliseconds) * 1000).toLocaleString('en');
      return { longestRunMs: 0, done: `${rate} rows/s, ${refusals} refused` };
    },
  };
}

function floodWith(order: FloodOrder): Promise<FloodReport> {
  const { promise, resolve, reject } = Promise.withResolvers<FloodReport>();
  const worker = new Worker(new URL('./flood-worker.ts', import.meta.url), { workerData: order });
  worker.once('message', (report: unknown) => resolve(floodReport.parse(report)));
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('a flood ended without a report')));
  return promise;
}
