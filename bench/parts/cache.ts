import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Finding } from '../finding.ts';
import { sendLoad } from '../http-load.ts';
import { median } from '../measure.ts';
import { measureCacheMemory } from './cache-memory.ts';
import { type CacheServers, cacheKey, restTarget } from './cache-servers.ts';

const rounds = 15;
const requestsPerRound = 2_000;
const connections = 8;

/** One kind of request to one of the servers. */
interface Candidate {
  readonly what: string;
  readonly port: number;
  readonly request: string;
  readonly status: number;
  /** Requests for each of the bare server, at least; undefined for that server itself. */
  readonly target?: number;
}

/**
 * Answers from the cache against a bare node:http server that sends the same bytes, in turn, in one process that does
 * nothing else: what a request costs the server in processor time, which is what one core has to give.
 */
export async function measureCache(): Promise<Finding[]> {
  return [...(await measureHits()), ...(await measureCacheMemory())];
}

async function measureHits(): Promise<Finding[]> {
  const server = fork(new URL('./cache-servers.ts', import.meta.url));
  try {
    const [servers] = (await once(server, 'message')) as [CacheServers];
    const candidates = await candidatesOf(servers);
    const costs = candidates.map((): number[] => []);
    // The first rounds don't count.
    for (let round = -2; round < rounds; round++) {
      for (const [index, candidate] of candidates.entries()) {
        const cost = await costPerRequest(server, candidate);
        if (round >= 0) costs[index]?.push(cost);
      }
    }
    const bare = costs[0] ?? [];
    return candidates.flatMap(({ what, target }, index) => {
      if (target === undefined) return [];
      const own = costs[index] ?? [];
      const ratio = median(bare.map((cost, round) => cost / (own[round] ?? Number.NaN)));
      return {
        part: 'cache',
        what,
        detail: `bare node:http ${micros(bare)}; gateway ${micros(own)} (processor time)`,
        result: `${(ratio * 100).toFixed(0)} % as many`,
        target: `>= ${target * 100} %`,
        isMet: ratio >= target,
      };
    });
  } finally {
    server.kill();
  }
}

async function candidatesOf({ gateway, bare }: CacheServers): Promise<Candidate[]> {
  const headers = { 'X-API-KEY': cacheKey, 'Accept-Encoding': 'identity' };
  const answer = await fetch(`http://127.0.0.1:${gateway}${restTarget}`, { headers });
  const etag = answer.headers.get('etag');
  const size = `${((await answer.arrayBuffer()).byteLength / 1000).toFixed(0)} KB`;
  return [
    { what: 'bare', port: bare, request: get(), status: 200 },
    { what: `REST hit, ${size}`, port: gateway, request: get(), status: 200, target: 0.9 },
    { what: 'REST 304', port: gateway, request: get(`If-None-Match: ${etag}`), status: 304, target: 1 },
    { what: 'GraphQL hit by POST', port: gateway, request: post(), status: 200, target: 0.75 },
  ];
}

const commonLines = ['Host: 127.0.0.1', `X-API-KEY: ${cacheKey}`, 'Accept: */*', 'User-Agent: bench'];

function get(...lines: readonly string[]): string {
  return `${[`GET ${restTarget} HTTP/1.1`, ...commonLines, ...lines].join('\r\n')}\r\n\r\n`;
}

function post(): string {
  const body = JSON.stringify({
    query: 'query Logs($project: String!) { logs(project: $project) { id timestamp eventMessage status } }',
    variables: { project: 'fjrqomtzlwkgbxhvnuea' },
  });
  const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${['POST /graphql HTTP/1.1', ...commonLines, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** Milliseconds of processor time that the server spends on one request. */
async function costPerRequest(server: ChildProcess, candidate: Candidate): Promise<number> {
  const before = await processorTime(server);
  await sendLoad({ ...candidate, count: requestsPerRound, connections });
  return ((await processorTime(server)) - before) / requestsPerRound;
}

async function processorTime(server: ChildProcess): Promise<number> {
  server.send('processor time');
  const [milliseconds] = (await once(server, 'message')) as [number];
  return milliseconds;
}

function micros(milliseconds: readonly number[]): string {
  return `${(median(milliseconds) * 1000).toFixed(1)} µs`;
}
