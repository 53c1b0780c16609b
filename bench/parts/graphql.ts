import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Finding } from '../finding.ts';
import { median } from '../measure.ts';
import { type GraphqlServers, graphqlKey, graphqlOperation } from './graphql-servers.ts';

const rounds = 7;
const requestsPerRound = 1_500;
const connections = 4;
const target = 2;

/**
 * What a request costs the server in processor time, for 100 rows with 4 fields that are at hand: the gateway
 * against plain yoga and Pothos, in turn, in one process that does nothing else.
 */
export async function measureGraphql(): Promise<Finding[]> {
  const server = fork(new URL('./graphql-servers.ts', import.meta.url));
  try {
    const [urls] = (await once(server, 'message')) as [GraphqlServers];
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const cost = (url: string) => costPerRequest(server, () => post(url, agent), requestsPerRound);
    await cost(urls.plain);
    await cost(urls.gateway);
    const plain: number[] = [];
    const gateway: number[] = [];
    for (let round = 0; round < rounds; round++) {
      plain.push(await cost(urls.plain));
      gateway.push(await cost(urls.gateway));
    }
    agent.destroy();
    const ratio = median(plain.map((milliseconds, round) => milliseconds / (gateway[round] ?? Number.NaN)));
    return [
      {
        part: 'graphql',
        what: '100 rows of 4 fields, at hand',
        detail: `plain yoga + Pothos ${median(plain).toFixed(3)} ms; gateway ${median(gateway).toFixed(3)} ms (processor time)`,
        result: `${ratio.toFixed(2)} times as many`,
        target: `>= ${target}`,
        isMet: ratio >= target,
      },
    ];
  } finally {
    server.kill();
  }
}

/** Milliseconds of processor time that the server spends on one request. */
async function costPerRequest(
  server: ChildProcess,
  send: () => Promise<void>,
  count: number,
): Promise<number> {
  const before = await processorTime(server);
  let sent = 0;
  const connection = async () => {
    while (sent < count) {
      sent++;
      await send();
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return ((await processorTime(server)) - before) / count;
}

async function processorTime(server: ChildProcess): Promise<number> {
  server.send('processor time');
  const [milliseconds] = (await once(server, 'message')) as [number];
  return milliseconds;
}

function post(url: string, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(graphqlOperation),
    'X-API-KEY': graphqlKey,
  };
  const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
    answer.resume().once('end', resolve);
  });
  sent.once('error', reject).end(graphqlOperation);
  return promise;
}
