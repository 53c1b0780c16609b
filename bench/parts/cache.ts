import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { countsBetween, fetchCounts, proveHits } from '../counts.ts';
import type { Finding } from '../finding.ts';
import { sendLoad } from '../http-load.ts';
import { median } from '../measure.ts';
import { about, prove, proveIs } from '../proof.ts';
import { measureCacheMemory } from './cache-memory.ts';
import { type CacheServers, cacheKey, cacheRows, restTarget } from './cache-servers.ts';
import { processorTime } from './processor-time.ts';

const connections = 8;
/** Rounds that are not measured. */
const warmUps = 2;

export interface CacheOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
  /** The number of results to cache for the measurement of memory. */
  readonly answers?: number;
  /** How long the gateway reuses results, in seconds; an hour by default. */
  readonly cacheSeconds?: number;
}

/** A kind of request to one of the servers. */
interface Candidate {
  readonly what: string;
  readonly port: number;
  readonly request: string;
  readonly status: number;
  readonly begins: Buffer;
  /** The required number of requests for each of the bare server's; undefined for that server itself. */
  readonly target?: number;
}

/**
 * Compares responses from the cache with a bare node:http server that sends the same bytes, alternately, in one process
 * that does nothing else: the processor time of a request on the server, of which one core has a limited amount. Proves
 * that each response has the expected bytes, and that the gateway counted each as a cache hit. Also measures the memory
 * of cached results.
 *
 * @throws MeasurementError
 */
export async function measureCache(options: CacheOptions = {}): Promise<Finding[]> {
  return [...(await measureHits(options)), ...(await measureCacheMemory(options))];
}

async function measureHits({
  rounds = 15,
  requestsPerRound = 2_000,
  cacheSeconds = 3_600,
}: CacheOptions): Promise<Finding[]> {
  const server = fork(new URL('./cache-servers.ts', import.meta.url), [String(cacheSeconds)]);
  try {
    const [servers] = (await once(server, 'message')) as [CacheServers];
    const candidates = await candidatesOf(servers);
    const url = `http://127.0.0.1:${servers.gateway}`;
    const before = await fetchCounts(url, cacheKey);
    const costs = candidates.map((): number[] => []);
    for (let round = -warmUps; round < rounds; round++) {
      for (const [index, candidate] of candidates.entries()) {
        const cost = await about(candidate.what, () => costPerRequest(server, candidate, requestsPerRound));
        if (round >= 0) costs[index]?.push(cost);
      }
    }
    const ofGateway = candidates.filter(({ target }) => target !== undefined).length;
    const requests = ofGateway * (rounds + warmUps) * requestsPerRound;
    proveHits(countsBetween(before, await fetchCounts(url, cacheKey)), requests);
    const bare = costs[0] ?? [];
    return candidates.flatMap(({ what, target }, index) => {
      if (target === undefined) return [];
      const own = costs[index] ?? [];
      const ratio = median(bare.map((cost, round) => cost / (own[round] ?? Number.NaN)));
      return {
        part: 'cache',
        what,
        detail: `bare node:http ${micros(bare)}; gateway ${micros(own)} (processor time); all hits`,
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
  const url = `http://127.0.0.1:${gateway}`;
  const answer = await fetch(`${url}${restTarget}`, { headers });
  const etag = answer.headers.get('etag');
  const body = Buffer.from(await answer.arrayBuffer());
  proveIs(restAnswer.parse(JSON.parse(body.toString())).result.length, cacheRows, 'rows of the REST answer');
  const size = `${(body.length / 1000).toFixed(0)} KB`;
  const graphql = await graphqlBody(url);
  const none = Buffer.alloc(0);
  const of = (request: string) => ({ port: gateway, request, status: 200, begins: body });
  return [
    { ...of(get()), what: 'bare', port: bare },
    { ...of(get()), what: `REST hit, ${size}`, target: 0.9 },
    { ...of(get(`If-None-Match: ${etag}`)), what: 'REST 304', status: 304, begins: none, target: 1 },
    { ...of(post()), what: 'GraphQL hit by POST', begins: graphql, target: 0.75 },
  ];
}

const restAnswer = z.object({ result: z.array(z.unknown()) });
const graphqlAnswer = z.object({ data: z.object({ logs: z.array(z.unknown()) }) });

/** The data of the gateway's response. The extensions after it differ between requests. */
async function graphqlBody(url: string): Promise<Buffer> {
  const headers = { 'X-API-KEY': cacheKey, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: operation });
  const text = await answer.text();
  const { data } = graphqlAnswer.parse(JSON.parse(text));
  proveIs(data.logs.length, cacheRows, 'rows of the GraphQL answer');
  const begins = `{"data":${JSON.stringify(data)}`;
  prove(text.startsWith(begins), 'the GraphQL answer does not begin with its data');
  return Buffer.from(begins);
}

const commonLines = ['Host: 127.0.0.1', `X-API-KEY: ${cacheKey}`, 'Accept: */*', 'User-Agent: bench'];

function get(...lines: readonly string[]): string {
  return `${[`GET ${restTarget} HTTP/1.1`, ...commonLines, ...lines].join('\r\n')}\r\n\r\n`;
}

const operation = JSON.stringify({
  query: 'query Logs($project: String!) { logs(project: $project) { id timestamp eventMessage status } }',
  variables: { project: 'fjrqomtzlwkgbxhvnuea' },
});

function post(): string {
  const lines = ['Content-Type: application/json', `Content-Length: ${operation.length}`];
  return `${['POST /graphql HTTP/1.1', ...commonLines, ...lines].join('\r\n')}\r\n\r\n${operation}`;
}

/** The server's processor time of one request, in milliseconds. */
async function costPerRequest(server: ChildProcess, candidate: Candidate, count: number): Promise<number> {
  const before = await processorTime(server);
  await sendLoad({ ...candidate, count, connections });
  return ((await processorTime(server)) - before) / count;
}

function micros(milliseconds: readonly number[]): string {
  return `${(median(milliseconds) * 1000).toFixed(1)} µs`;
}
