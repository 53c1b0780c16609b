import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { countsBetween, fetchCounts } from '../counts.ts';
import type { Finding } from '../finding.ts';
import { quantile } from '../measure.ts';
import { prove } from '../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../started-gateway.ts';
import { projectRef } from '../store/projects.ts';
import { hostileQueries, lightQuery } from './storm-queries.ts';

export interface StormOptions extends GatewayCommand {
  readonly print: (line: string) => void;
  /** The duration in seconds; 20 by default. */
  readonly seconds?: number;
  /** Callers that send hostile queries, each the next one after a response; 6 by default. 0: no storm. */
  readonly callers?: number;
}

const memoryLimit = '1GB';
/** The permitted memory of all processes beyond that, in bytes. */
const beyondLimit = 700e6;
/** Milliseconds between requests that need no engine, and between requests that need it. */
const [probeMs, lightMs] = [20, 200];

/** The times of answers in milliseconds, and their number by status. */
export interface Seen {
  readonly times: number[];
  readonly statuses: Map<string, number>;
}

/** What callers got. */
export interface StormOutcome {
  /** The hostile queries. */
  readonly storm: Seen;
  /** Health checks. */
  readonly live: Seen;
  /** Cache hits. */
  readonly hits: Seen;
  /** Light queries, each a new one. */
  readonly lights: Seen;
  /** The most memory of all processes of the gateway, in bytes. */
  readonly peakBytes: number;
}

/**
 * Measures what other callers get in a storm: health checks, cache hits, and light queries. Proves what `runStorm`
 * proves.
 *
 * @throws MeasurementError
 */
export async function measureStorm(options: StormOptions): Promise<Finding[]> {
  const { live, hits, lights, peakBytes } = await runStorm(options);
  const [liveEnd, hitEnd] = [quantile(live.times, 0.99), quantile(hits.times, 0.99)];
  const longest = Math.max(...live.times);
  const good = (lights.statuses.get('200') ?? 0) / lights.times.length;
  const refused = lights.statuses.get('503 with Retry-After') ?? 0;
  const others = lights.times.length - (lights.statuses.get('200') ?? 0) - refused;
  const most = 1e9 + beyondLimit;
  const part = 'storm';
  return [
    {
      ...{ part, what: '/livez' },
      detail: summary('every 20 ms', live),
      result: `99 % ${liveEnd.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`,
      target: '<= 50 ms, <= 250 ms',
      isMet: liveEnd <= 50 && longest <= 250,
    },
    {
      ...{ part, what: 'cached hits' },
      detail: summary('every 20 ms', hits),
      result: `99 % ${hitEnd.toFixed(0)} ms`,
      target: '<= 50 ms',
      isMet: hitEnd <= 50 && hits.statuses.get('200') === hits.times.length,
    },
    {
      ...{ part, what: 'light queries' },
      detail: summary('every 200 ms', lights),
      result: `${(good * 100).toFixed(0)} % answered, ${others} neither answered nor refused`,
      target: '>= 90 %, 0',
      isMet: good >= 0.9 && others === 0,
    },
    {
      ...{ part, what: 'memory' },
      detail: `gateway, engine and analyzer together with a limit of ${memoryLimit}`,
      result: `${(peakBytes / 1e6).toFixed(0)} MB`,
      target: `<= ${(most / 1e6).toFixed(0)} MB`,
      isMet: peakBytes <= most,
    },
  ];
}

/**
 * Lets some callers send only hostile and heavy queries and respect `Retry-After`, and others health checks, requests
 * for cached results, and light queries. Without hostile callers, the others are alone. Proves that the storm took
 * place, that health checks had status 200, and that hits came from the cache.
 *
 * @throws MeasurementError
 */
export async function runStorm(options: StormOptions): Promise<StormOutcome> {
  const { print, seconds = 20, callers = 6 } = options;
  const environment = { ...options.environment, DUCKDB_MEMORY_LIMIT: memoryLimit };
  await using gateway = await startGateway({ ...options, environment });
  const url = `http://127.0.0.1:${gateway.port}`;
  const cached = `/api/endpoints/query/usage.api-counts?interval=hourly&project=${projectRef(3)}`;
  const query = (project: number, sql: string) =>
    `/api/endpoints/query/logs.all?project=${projectRef(project)}&sql=${encodeURIComponent(sql)}`;
  const light = (number: number) => query(5, lightQuery(number));
  await ask(url, cached, newSeen());
  await ask(url, light(0), newSeen());

  const before = await fetchCounts(url, benchKey);
  const [live, hits, lights, storm] = [newSeen(), newSeen(), newSeen(), newSeen()];
  const end = AbortSignal.timeout(seconds * 1000);
  let number = 1;
  const peak = { bytes: 0 };
  const hostile = async () => {
    while (!end.aborted) {
      const make = hostileQueries[number % hostileQueries.length] ?? lightQuery;
      const refusal = await ask(url, query(0, make(number++)), storm);
      if (refusal !== undefined)
        await sleep(refusal * 1000, undefined, { signal: end }).catch(() => undefined);
    }
  };
  const all = [
    ...Array.from({ length: callers }, hostile),
    regularly(probeMs, end, () => ask(url, '/livez', live)),
    regularly(probeMs, end, () => ask(url, cached, hits)),
    regularly(lightMs, end, () => ask(url, light(number++), lights)),
    regularly(100, end, async () => {
      peak.bytes = Math.max(peak.bytes, await memoryOf(gateway.process.pid ?? 0));
    }),
  ];
  await Promise.all(all);
  const counted = countsBetween(before, await fetchCounts(url, benchKey));
  for (const line of [
    ...(callers > 0 ? [summary('storm', storm)] : []),
    summary('livez', live),
    summary('hits', hits),
    summary('light', lights),
  ])
    print(`  ${line}`);
  prove(storm.times.length >= callers, 'there was no storm');
  prove(live.statuses.get('200') === live.times.length, 'a health check was not answered 200');
  prove(counted.hits >= (hits.statuses.get('200') ?? 0), 'hits did not come from the cache');
  prove(lights.times.length > 0 && peak.bytes > 0, 'nothing was measured');
  return { storm, live, hits, lights, peakBytes: peak.bytes };
}

function summary(what: string, { times, statuses }: Seen): string {
  const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  return `${what}: ${counts}; median ${quantile(times, 0.5).toFixed(0)} ms, 99 % ${quantile(times, 0.99).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`;
}

function newSeen(): Seen {
  return { times: [], statuses: new Map() };
}

/** The seconds to wait before a retry, if the response contains them. */
async function ask(url: string, path: string, { times, statuses }: Seen): Promise<number | undefined> {
  const began = performance.now();
  let status: string;
  let retryAfter: number | undefined;
  try {
    const answer = await fetch(`${url}${path}`, { headers: { 'X-API-KEY': benchKey } });
    const body = await answer.text();
    status = String(answer.status);
    if (answer.status === 422) status += ` ${body.slice(0, 80)}`;
    const header = answer.headers.get('retry-after');
    if (header !== null) {
      retryAfter = Number(header);
      status += ' with Retry-After';
    }
  } catch {
    status = 'no answer';
  }
  times.push(performance.now() - began);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return retryAfter;
}

/** Starts a task repeatedly, whether the earlier ones have ended or not, and waits for all of them. */
async function regularly(everyMs: number, end: AbortSignal, task: () => Promise<unknown>): Promise<void> {
  const begun: Promise<unknown>[] = [];
  while (!end.aborted) {
    begun.push(task());
    await sleep(everyMs);
  }
  await Promise.all(begun);
}

/** The memory of a process and all its descendants, in bytes. */
async function memoryOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    const threads = await readdir(`/proc/${pid}/task`);
    const children = await Promise.all(
      threads.map(async (thread) =>
        (await readFile(`/proc/${pid}/task/${thread}/children`, 'latin1')).split(' '),
      ),
    );
    const ofChildren = await Promise.all(
      children
        .flat()
        .filter(Boolean)
        .map((child) => memoryOf(Number(child))),
    );
    return ofChildren.reduce((sum, bytes) => sum + bytes, own);
  } catch {
    return 0;
  }
}
