import { cp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countsBetween, fetchCounts, fetchMetrics } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { median, quantile } from '../measure.ts';
import { prove, proveIs } from '../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../started-gateway.ts';
import { importFile } from '../store/import-file.ts';
import { projectRef } from '../store/projects.ts';
import { storedIds } from '../store/stored-ids.ts';
import { collect } from './collect.ts';
import type { CollectorReport } from './collector-order.ts';
import { runImport } from './import-rows.ts';

export interface IngestOptions extends GatewayCommand {
  readonly print: (line: string) => void;
  /** Rows that are imported. */
  readonly rows: number;
  /** How long the steady load lasts, in minutes. */
  readonly minutes: number;
  /** The duration of the closed loop, in seconds; 20 by default. */
  readonly seconds?: number;
  /** The duration of a measurement of the quiet store, in seconds; 15 by default. */
  readonly quietSeconds?: number;
}

const collectors = 100;
const rowsPerRequest = 50;
/** Milliseconds between the batches of a collector under the steady load: 2,500 rows a second in all. */
const steadyEveryMs = 2_000;
const sampleRows = 5_000;
/** Microseconds over which the imported rows are spread. */
const importedSpan = 60_000_000n;
/** Milliseconds between queries, between cached calls and between looks at the memory. */
const [queryMs, hitMs, memoryMs] = [400, 50, 2_000];

const leastOfImport = 1 / 3;
const maxAcknowledgeMs = 500;
const maxTimesQuiet = 1.5;
const maxHitMs = 20;
const maxTimesBegin = 1.2;
/** Bytes by which memory may grow from the first third of the steady load to the last. */
const maxGrowth = 100e6;

/** Milliseconds of queries. */
interface QueryTimes {
  readonly counts: number[];
  readonly newest: number[];
}

/**
 * Measures collectors that post rows: their speed against an import of the same rows, and then under a steady load what
 * acknowledgements, dashboards' queries, cached calls and memory do. Proves that each acknowledged row is in the store once,
 * that queries have the rows that were just acknowledged, and that cached calls came from the cache.
 *
 * @throws MeasurementError
 */
export async function measureIngest(options: IngestOptions): Promise<Finding[]> {
  const { minutes, rows, print, seconds = 20, quietSeconds = 15 } = options;
  const dataDir = `${options.dataDir}-with-collectors`;
  const file = join(dataDir, 'rows.ndjson');
  const sample = join(dataDir, 'sample.ndjson');
  await rm(dataDir, { recursive: true, force: true });
  try {
    await cp(options.dataDir, dataDir, { recursive: true });
    const before = await storedIds(dataDir);
    // Imported rows come after those of the store, as those of collectors do.
    const now = BigInt(Date.now()) * 1000n;
    await importFile(file, { rows, now, from: now - importedSpan });
    await importFile(sample, { rows: sampleRows, now: now + 1n });
    const measured = await withGateway({ ...options, dataDir }, async (gateway) => {
      const order = { ...{ port: gateway.port, key: benchKey, file: sample }, collectors, rowsPerRequest };
      const began = performance.now();
      await runImport(file, dataDir, {
        ...options,
        environment: { ...options.environment, API_KEY: benchKey },
      });
      const importMs = performance.now() - began;
      print(`  import: ${perSecond(rows, importMs)} rows/s`);
      const closed = await collect({ ...order, prefix: 'closed', seconds, everyMs: 0 });
      print(`  closed loop: ${perSecond(closed.acknowledgedRows, closed.milliseconds)} rows/s`);
      await sleep(5_000);
      const quietBefore = await queriesFor(quietSeconds * 1000, gateway.url);
      const steady = await underLoad(gateway.url, minutes, (time) =>
        collect({ ...order, prefix: 'steady', seconds: time, everyMs: steadyEveryMs }),
      );
      await sleep(5_000);
      const quietAfter = await queriesFor(quietSeconds * 1000, gateway.url);
      return { importMs, closed, quietBefore, steady, quietAfter };
    });
    const { closed, steady } = measured;
    const stored = await storedIds(dataDir);
    proveIs(stored.ids, stored.rows, 'different ids in the store');
    proveIs((await storedIds(dataDir, 'closed-')).rows, closed.acknowledgedRows, 'rows of the closed loop');
    proveIs(
      (await storedIds(dataDir, 'steady-')).rows,
      steady.report.acknowledgedRows,
      'rows of the steady load',
    );
    const sent = rows + closed.acknowledgedRows + steady.report.acknowledgedRows;
    proveIs(stored.rows, before.rows + sent, 'rows in the store');
    return findings({ ...measured, rows, minutes });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Measured {
  readonly rows: number;
  readonly minutes: number;
  readonly importMs: number;
  readonly closed: CollectorReport;
  readonly quietBefore: QueryTimes;
  readonly quietAfter: QueryTimes;
  readonly steady: Steady;
}

function findings({ rows, minutes, importMs, closed, quietBefore, quietAfter, steady }: Measured): Finding[] {
  const part = 'ingest';
  const { acknowledgedRows, milliseconds, times, refusals } = closed;
  const ratio = acknowledgedRows / milliseconds / (rows / importMs);
  const acknowledged = quantile(steady.report.times, 0.99);
  const hit = quantile(steady.hits, 0.99);
  const rate = (collectors * rowsPerRequest * 1000) / steadyEveryMs;
  const under = `${minutes} minutes of ${rate.toLocaleString('en')} rows/s`;
  const query = (name: keyof QueryTimes, what: string): Finding => {
    const quiet = median([...quietBefore[name], ...quietAfter[name]]);
    const busy = median(steady.queries[name]);
    return {
      ...{ part, what: `${what} meanwhile` },
      detail: `${formatMs(busy)} against ${formatMs(quiet)} on a quiet store, medians of ${steady.queries[name].length} calls`,
      result: `x ${(busy / quiet).toFixed(2)}`,
      target: `<= x ${maxTimesQuiet}`,
      isMet: busy <= quiet * maxTimesQuiet,
    };
  };
  const memory = (name: keyof Memory, what: string): Finding => {
    const all = steady.memory.map((one) => one[name]);
    const third = Math.ceil(all.length / 3);
    const [first, last] = [median(all.slice(0, third)), median(all.slice(-third))];
    return {
      ...{ part, what: `memory of the ${what}` },
      detail: `${megabytes(first)} in the first third of it, ${megabytes(last)} in the last, at most ${megabytes(Math.max(...all))}`,
      result: `${last >= first ? '+' : ''}${megabytes(last - first)}`,
      target: `<= +${megabytes(maxGrowth)}`,
      isMet: last - first <= maxGrowth,
    };
  };
  const [begin, end] = [median(quietBefore.newest), median(quietAfter.newest)];
  return [
    {
      ...{ part, what: `${collectors} collectors in a closed loop` },
      detail: `${perSecond(acknowledgedRows, milliseconds)} rows/s, import ${perSecond(rows, importMs)} rows/s; acknowledgements: median ${formatMs(median(times))}, 99 % ${formatMs(quantile(times, 0.99))}; ${refusals} refused`,
      result: `x ${ratio.toFixed(2)}`,
      target: `>= x ${leastOfImport.toFixed(2)}`,
      isMet: ratio >= leastOfImport,
    },
    {
      ...{ part, what: 'acknowledgements under a steady load' },
      detail: `${under}: median ${formatMs(median(steady.report.times))}; ${steady.report.refusals} refused`,
      result: `99 % ${formatMs(acknowledged)}`,
      target: `<= ${maxAcknowledgeMs} ms`,
      isMet: acknowledged <= maxAcknowledgeMs,
    },
    query('counts', 'usage.api-counts'),
    query('newest', 'newest 100 of logs.all'),
    {
      ...{ part, what: 'cached calls meanwhile' },
      detail: `${steady.hits.length} calls, median ${formatMs(median(steady.hits))}`,
      result: `99 % ${formatMs(hit)}`,
      target: `<= ${maxHitMs} ms`,
      isMet: hit <= maxHitMs,
    },
    memory('gateway', 'gateway'),
    memory('engine', 'engine'),
    {
      ...{ part, what: 'newest 100 afterwards' },
      detail: `${formatMs(end)} against ${formatMs(begin)} before, on a quiet store`,
      result: `x ${(end / begin).toFixed(2)}`,
      target: `<= x ${maxTimesBegin}`,
      isMet: end <= begin * maxTimesBegin,
    },
  ];
}

const perSecond = (rows: number, milliseconds: number) =>
  Math.round((rows / milliseconds) * 1000).toLocaleString('en');
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Runs a task with a gateway, which is then stopped as an operator would. */
async function withGateway<T>(
  command: GatewayCommand,
  task: (gateway: { readonly port: number; readonly url: string }) => Promise<T>,
): Promise<T> {
  const environment = { ...command.environment, SHUTDOWN_DELAY_MS: '0' };
  await using gateway = await startGateway({ ...command, environment });
  const done = await task({ port: gateway.port, url: `http://127.0.0.1:${gateway.port}` });
  const ended = new Promise((resolve) => gateway.process.once('exit', resolve));
  gateway.process.kill('SIGTERM');
  await ended;
  return done;
}

interface Memory {
  readonly gateway: number;
  readonly engine: number;
}

interface Steady {
  readonly report: CollectorReport;
  readonly queries: QueryTimes;
  readonly hits: readonly number[];
  readonly memory: readonly Memory[];
}

async function underLoad(
  url: string,
  minutes: number,
  load: (seconds: number) => Promise<CollectorReport>,
): Promise<Steady> {
  const cached = `/api/endpoints/query/usage.api-counts?interval=daily&project=${projectRef(projectOfHits)}`;
  await using caller = new Caller(url);
  await caller.get(cached);
  const before = await fetchCounts(url, benchKey);
  const end = performance.now() + minutes * 60_000;
  const hits: number[] = [];
  const memory: Memory[] = [];
  const [report, queries] = await Promise.all([
    load(minutes * 60),
    queriesFor(minutes * 60_000, url, true),
    every(hitMs, end, async () => void hits.push((await caller.get(cached)).milliseconds)),
    every(memoryMs, end, async () => void memory.push(memoryIn(await fetchMetrics(url, benchKey)))),
  ]);
  const counted = countsBetween(before, await fetchCounts(url, benchKey));
  prove(counted.hits >= hits.length, 'a cached call did not come from the cache');
  proveIs(
    counted.engineRuns + counted.vainRuns,
    queries.counts.length + queries.newest.length,
    'engine runs',
  );
  return { report, queries, hits, memory };
}

function memoryIn(metrics: string): Memory {
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  const memory = {
    gateway: read('process_resident_memory_bytes'),
    engine: read('gateway_engine_memory_bytes'),
  };
  prove(memory.gateway > 0 && memory.engine > 0, 'the metrics show no memory');
  return memory;
}

/** Runs a task one time after the other, at most so often. */
async function every(milliseconds: number, end: number, task: () => Promise<void>): Promise<void> {
  for (let due = performance.now(); due < end; due = Math.max(due + milliseconds, performance.now())) {
    if (due > performance.now()) await sleep(due - performance.now());
    await task();
  }
}

/** The project of the cached calls, which no query asks for. */
const projectOfHits = 0;
let asked = 0;

/** Runs both queries of dashboards in turn. Each is computed: its project is a new one. */
async function queriesFor(milliseconds: number, url: string, isLoaded = false): Promise<QueryTimes> {
  await using caller = new Caller(url);
  const end = performance.now() + milliseconds;
  const times: QueryTimes = { counts: [], newest: [] };
  await every(queryMs, end, async () => {
    asked += 1;
    const counts = `/api/endpoints/query/usage.api-counts?interval=daily&project=${projectRef(asked)}[.]example`;
    times.counts.push((await caller.get(counts)).milliseconds);
    const sql = `SELECT id, timestamp, event_message FROM edge_logs ORDER BY timestamp DESC LIMIT ${newestRows}`;
    const newest = `/api/endpoints/query/logs.all?project=${projectRef(0)}&sql=${encodeURIComponent(sql)}`;
    const { text, milliseconds: took } = await caller.get(newest);
    times.newest.push(took);
    const rows: readonly { readonly id: string; readonly timestamp: number }[] = JSON.parse(text).result;
    proveIs(rows.length, newestRows, 'newest rows');
    if (!isLoaded || times.newest.length < 10) return;
    const age = Date.now() - Number(rows[0]?.timestamp) / 1000;
    prove(age < 10_000, `the newest row is ${formatMs(age)} old, although rows are being acknowledged`);
  });
  return times;
}

const newestRows = 100;

/** Calls on one connection that is kept. */
class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string): Promise<{ readonly text: string; readonly milliseconds: number }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ text: string; milliseconds: number }>();
    const began = performance.now();
    const sent = request(`${this.#url}${path}`, { agent: this.#agent, headers: { 'x-api-key': benchKey } });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ text, milliseconds: performance.now() - began });
        else reject(new Error(`${path} was answered ${answer.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.end();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }
}
