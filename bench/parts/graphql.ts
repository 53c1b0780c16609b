import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { z } from 'zod';
import { countsBetween, fetchCounts, proveEngineRuns } from '../counts.ts';
import type { Finding } from '../finding.ts';
import { median } from '../measure.ts';
import { prove, proveIs } from '../proof.ts';
import { type GraphqlServers, graphqlKey, graphqlRequest } from './graphql-servers.ts';
import { processorTime } from './processor-time.ts';

export interface GraphqlOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
  /** How long the gateway reuses results, in seconds; 0 by default. */
  readonly cacheSeconds?: number;
}

const connections = 4;
const rowCount = 100;
/** Plain yoga doesn't authenticate, count or report, and uses a faster executor than graphql-js. */
const target = 1.6;

/**
 * Compares the processor time of a request, for 100 rows with 4 fields from memory: the gateway against plain yoga and
 * Pothos, alternately, in one process that does nothing else. Proves that all responses of both have the same data, and
 * that each request ran once on the gateway's engine.
 *
 * @throws MeasurementError
 */
export async function measureGraphql(options: GraphqlOptions = {}): Promise<Finding[]> {
  const { rounds = 7, requestsPerRound = 1_500, cacheSeconds = 0 } = options;
  const server = fork(new URL('./graphql-servers.ts', import.meta.url), [String(cacheSeconds)]);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [urls] = (await once(server, 'message')) as [GraphqlServers];
    const data = await dataOf(urls.plain, agent);
    const cost = (url: string) => costPerRequest(server, { url, agent, data, count: requestsPerRound });
    const before = await fetchCounts(urls.gateway, graphqlKey);
    await cost(urls.plain);
    await cost(urls.gateway);
    const plain: number[] = [];
    const gateway: number[] = [];
    for (let round = 0; round < rounds; round++) {
      plain.push(await cost(urls.plain));
      gateway.push(await cost(urls.gateway));
    }
    const requests = (rounds + 1) * requestsPerRound;
    proveEngineRuns(countsBetween(before, await fetchCounts(urls.gateway, graphqlKey)), requests);
    const ratio = median(plain.map((milliseconds, round) => milliseconds / (gateway[round] ?? Number.NaN)));
    return [
      {
        part: 'graphql',
        what: `${rowCount} rows of 4 fields, at hand`,
        detail: `plain yoga + Pothos ${median(plain).toFixed(3)} ms; gateway ${median(gateway).toFixed(3)} ms (processor time); ${requests} engine runs`,
        result: `${ratio.toFixed(2)} times as many`,
        target: `>= ${target}`,
        isMet: ratio >= target,
      },
    ];
  } finally {
    agent.destroy();
    server.kill();
  }
}

const answered = z.object({ data: z.object({ logs: z.array(z.unknown()) }) });

/**
 * The required start of responses: the plain server's response without its last bracket, after which others have
 * extensions.
 */
async function dataOf(url: string, agent: Agent): Promise<string> {
  const body = await post(url, agent, 'x');
  proveIs(answered.parse(JSON.parse(body)).data.logs.length, rowCount, 'rows of the plain server');
  return body.slice(0, -1);
}

interface Load {
  readonly url: string;
  readonly agent: Agent;
  /** The start of each response. */
  readonly data: string;
  readonly count: number;
}

/** The server's processor time of one request, in milliseconds. */
async function costPerRequest(server: ChildProcess, { url, agent, data, count }: Load): Promise<number> {
  const before = await processorTime(server);
  let sent = 0;
  const connection = async (_: unknown, index: number) => {
    while (sent < count) {
      sent++;
      // Each connection requests its own project: equal calls would share a run.
      const body = await post(url, agent, `project-${index}`);
      prove(body.startsWith(data), `${url} answered with other data: ${body.slice(0, 100)}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return ((await processorTime(server)) - before) / count;
}

function post(url: string, agent: Agent, project: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const operation = graphqlRequest(project);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(operation),
    'X-API-KEY': graphqlKey,
  };
  const sent = request(`${url}/graphql`, { agent, method: 'POST', headers }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
    const pieces: Buffer[] = [];
    answer.on('data', (piece: Buffer) => pieces.push(piece));
    answer.once('end', () => resolve(Buffer.concat(pieces).toString()));
  });
  sent.once('error', reject).end(operation);
  return promise;
}
