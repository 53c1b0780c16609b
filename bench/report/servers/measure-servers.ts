import { fork } from 'node:child_process';
import { once } from 'node:events';
import { countsBetween, fetchCounts, proveEngineRuns, proveHits } from '../../counts.ts';
import { sendLoad } from '../../http-load.ts';
import { quantile } from '../../measure.ts';
import { type CacheServers, cacheKey, cacheRows } from '../../parts/cache-servers.ts';
import { about, proveIs } from '../../proof.ts';
import type { Competitor } from '../competitors/competitor-order.ts';
import { type StartedCompetitor, startedCompetitor } from '../competitors/started-competitor.ts';
import { rounded } from '../spread.ts';
import { type Candidate, graphqlData, graphqlRequest, restBody, restRequest } from './candidates.ts';
import type { ServersData } from './servers-data.ts';

export interface ServersOptions {
  readonly rounds: number;
  /** How long each server is asked in a round, in seconds. */
  readonly seconds: number;
  /** Returns the folder in which the competitors' packages are. */
  readonly competitorsFolder: () => Promise<string>;
  /** The competitors; all by default. */
  readonly competitors?: readonly Exclude<Competitor, 'bare'>[];
  /** How long the gateway reuses the results that are to be hits, in seconds; an hour by default. */
  readonly cacheSeconds?: number;
}

export interface MeasuredServers {
  readonly data: ServersData;
  /** Versions of the competitors' packages. */
  readonly versions: Readonly<Record<string, string>>;
}

const connections = 8;
/** Requests of the first round, from which the number for the others follows. */
const firstRequests = 400;
const leastRequests = 200;

const names: Readonly<
  Record<Exclude<Competitor, 'bare'>, { readonly name: string; readonly way: Candidate['way'] }>
> = {
  yoga: { name: 'GraphQL Yoga', way: 'executed' },
  'yoga-cached': { name: 'GraphQL Yoga, response cache', way: 'cached' },
  mercurius: { name: 'Mercurius with JIT', way: 'executed' },
  apollo: { name: 'Apollo Server', way: 'executed' },
};

/**
 * Measures how many requests the gateway and others answer, each in its own process, in turn: the same rows by the same
 * load generator. Proves that each answer has the same bytes of data, that the gateway counted each as a hit or as a run
 * of its engine, and that the others executed each request, or one in all if they cache.
 *
 * @throws MeasurementError
 */
export async function measureServers(options: ServersOptions): Promise<MeasuredServers> {
  const { rounds, seconds, competitors = ['yoga-cached', 'mercurius', 'yoga', 'apollo'] } = options;
  await using started = new AsyncDisposableStack();
  const gatewayPorts = async (cacheSeconds: number) => {
    const server = fork(new URL('../../parts/cache-servers.ts', import.meta.url), [String(cacheSeconds)]);
    started.defer(() => void server.kill());
    const [ports] = (await once(server, 'message')) as [CacheServers];
    return ports;
  };
  const cached = await gatewayPorts(options.cacheSeconds ?? 3_600);
  const uncached = await gatewayPorts(0);
  const rest = await restBody(cached.gateway);
  const { records, begins } = await graphqlData(cached.gateway);
  const folder = competitors.length === 0 ? '' : await options.competitorsFolder();
  const order = { folder, records: [...records], body: `${begins}}` };
  const others: { readonly kind: Competitor; readonly server: StartedCompetitor }[] = [];
  for (const kind of ['bare', ...competitors] as const) {
    const server = await startedCompetitor({ ...order, competitor: kind });
    started.defer(() => server[Symbol.dispose]());
    others.push({ kind, server });
  }

  const graphql = { kind: 'GraphQL', request: graphqlRequest, begins: Buffer.from(begins) } as const;
  const byRest = { kind: 'REST', request: restRequest, begins: rest } as const;
  const candidates: Candidate[] = [
    { ...byRest, name: 'bare node:http', way: 'bare', isGateway: false, port: cached.bare },
    { ...byRest, name: 'gateway, from its cache', way: 'cached', isGateway: true, port: cached.gateway },
    ...others.map(({ kind, server }) => ({
      ...graphql,
      ...(kind === 'bare' ? { name: 'bare node:http', way: 'bare' as const } : names[kind]),
      isGateway: false,
      port: server.port,
    })),
    { ...graphql, name: 'gateway, from its cache', way: 'cached', isGateway: true, port: cached.gateway },
    { ...graphql, name: 'gateway, executed', way: 'executed', isGateway: true, port: uncached.gateway },
  ];
  const urlOf = ({ gateway }: CacheServers) => `http://127.0.0.1:${gateway}`;
  await fillCache(cached.gateway, graphql);
  const before = {
    cached: await fetchCounts(urlOf(cached), cacheKey),
    uncached: await fetchCounts(urlOf(uncached), cacheKey),
  };
  const measured = await measureInTurn(candidates, rounds, seconds);
  const sent = (port: number) =>
    measured.reduce((sum, one) => sum + (one.candidate.port === port ? one.sent : 0), 0);
  const after = async (servers: CacheServers, former: Awaited<ReturnType<typeof fetchCounts>>) =>
    countsBetween(former, await fetchCounts(urlOf(servers), cacheKey));
  await about('gateway, from its cache', async () =>
    proveHits(await after(cached, before.cached), sent(cached.gateway)),
  );
  await about('gateway, executed', async () =>
    proveEngineRuns(await after(uncached, before.uncached), sent(uncached.gateway)),
  );
  for (const { kind, server } of others) {
    const wanted = kind === 'bare' ? 0 : kind === 'yoga-cached' ? connections : sent(server.port);
    proveIs(await server.calls(), wanted, `executions of ${kind}`);
  }
  return {
    versions: Object.assign({}, ...others.map(({ server }) => server.versions)),
    data: {
      ...{ connections, rounds, seconds, rows: cacheRows },
      restBytes: rest.length,
      graphqlBytes: begins.length + 1,
      candidates: measured.map(
        ({ candidate: { name, kind, way, isGateway }, perSecond, p50, p99, answers }) => ({
          ...{ name, kind, way, isGateway, answers },
          ...{ perSecond, p50, p99 },
        }),
      ),
    },
  };
}

/** One request of each connection, so that those that are measured are hits. */
async function fillCache(
  port: number,
  { request, begins }: Pick<Candidate, 'begins'> & { request(connection: number): string },
) {
  for (let connection = 0; connection < connections; connection += 1)
    await sendLoad({ port, request: request(connection), begins, status: 200, count: 1, connections: 1 });
}

interface Measured {
  readonly candidate: Candidate;
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** Requests of measured rounds. */
  answers: number;
  /** Requests of all rounds. */
  sent: number;
}

async function measureInTurn(
  candidates: readonly Candidate[],
  rounds: number,
  seconds: number,
): Promise<Measured[]> {
  const all = candidates.map(
    (candidate): Measured => ({ candidate, perSecond: [], p50: [], p99: [], answers: 0, sent: 0 }),
  );
  const rates = new Map<Measured, number>();
  const askOne = async (one: Measured, count: number) => {
    const { name, kind } = one.candidate;
    const began = performance.now();
    const load = { ...one.candidate, status: 200, count, connections };
    const times = await about(`${name}, ${kind}`, () => sendLoad(load));
    one.sent += count;
    rates.set(one, (count / (performance.now() - began)) * 1000);
    return times;
  };
  const wanted = (one: Measured) => Math.max(leastRequests, Math.round((rates.get(one) ?? 0) * seconds));
  // Two rounds that aren't measured, in which the servers' code is compiled.
  for (const one of all) await askOne(one, firstRequests);
  for (const one of all) await askOne(one, wanted(one));
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, since the speed of machines varies.
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const count = wanted(one);
      const times = await askOne(one, count);
      one.answers += count;
      one.perSecond.push(rounded(rates.get(one) ?? Number.NaN));
      one.p50.push(rounded(quantile(times, 0.5)));
      one.p99.push(rounded(quantile(times, 0.99)));
    }
  }
  return all;
}
