import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { prove } from '../proof.ts';
import { projectRef } from '../store/projects.ts';
import { type FloodOrder, type FloodReport, floodOrder } from './flood-order.ts';

/** A request to a path, with what its response is to be. */
interface FloodRequest {
  readonly path: string;
  readonly accept?: string;
}

const requests: Readonly<Record<FloodOrder['kind'], (number: number) => FloodRequest>> = {
  queries: (number) => ({ path: call({ sql: slowQuery(number) }) }),
  exports: () => ({ path: '/api/sources/edge_logs/export?format=ndjson' }),
  'live queries': (number) => ({
    path: call({ sql: `SELECT COUNT(*) AS n, ${number} AS k FROM edge_logs`, live: '5' }),
    accept: 'text/event-stream',
  }),
  planning: (number) => ({ path: call({ sql: longQuery(number) }) }),
};

function call(parameters: Readonly<Record<string, string>>): string {
  return `/api/endpoints/query/logs.all?${new URLSearchParams({ project: projectRef(1), ...parameters })}`;
}

function slowQuery(number: number): string {
  return `SELECT COUNT(*) AS n, ${number} AS k FROM UNNEST(GENERATE_ARRAY(1, 300)) a, UNNEST(GENERATE_ARRAY(1, 10000)) b WHERE MOD(a * b, ${number + 7}) = 1`;
}

/** A query that takes long to plan and hardly runs. */
function longQuery(number: number): string {
  const sums = Array.from({ length: 80 }, (_, i) => `COUNTIF(event_message = '${number}-${i}') AS c${i}`);
  return `SELECT ${sums.join(', ')} FROM storage_logs`;
}

/** Sends requests on each connection, one after the other, until the time is over. */
async function flood({ port, key, kind, connections, seconds, first }: FloodOrder): Promise<FloodReport> {
  const end = performance.now() + seconds * 1000;
  const over = AbortSignal.timeout(seconds * 1000);
  const report = { answered: 0, refused: 0, longestRunMs: 0 };
  let number = first;
  const send = async () => {
    const { path, accept = '*/*' } = requests[kind](++number);
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'X-API-KEY': key, Accept: accept },
      signal: over,
    });
    const text = response.status === 400 ? await response.text() : '';
    prove(
      [200, 503, 504].includes(response.status),
      `a flood's request was answered ${response.status}: ${text}`,
    );
    if (response.status === 200) report.answered += 1;
    try {
      for await (const _ of response.body ?? []);
    } finally {
      // An export runs until its last row, or the end of the flood, and says no time.
      const said = /engine;dur=([\d.]+)/.exec(response.headers.get('server-timing') ?? '')?.[1];
      const ran = Number(said ?? (kind === 'exports' ? performance.now() - began : 0));
      report.longestRunMs = Math.max(report.longestRunMs, ran);
    }
    if (response.status !== 200) {
      report.refused += 1;
      await sleep(100, undefined, { signal: over });
    }
  };
  const client = async () => {
    while (performance.now() < end) {
      try {
        await send();
      } catch (error) {
        if (!over.aborted) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return report;
}

// The senders of a flood have other machines: their work is not to take the gateway's processors.
if (process.platform === 'linux') setPriority(0, 19);
parentPort?.postMessage(await flood(floodOrder.parse(workerData)));
