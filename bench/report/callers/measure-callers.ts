import { cp, rm } from 'node:fs/promises';
import { type Counts, countsBetween, fetchCounts } from '../../counts.ts';
import { quantile } from '../../measure.ts';
import { about, prove, proveIs } from '../../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../../started-gateway.ts';
import { projectRef } from '../../store/projects.ts';
import { startRedis } from '../redis-server.ts';
import { rounded } from '../spread.ts';
import { sendBurst } from './burst.ts';
import type { CallersData, CallersRound } from './callers-data.ts';

export interface CallersOptions extends Omit<GatewayCommand, 'dataDir'> {
  /** Rows of the store. */
  readonly rows: number;
  readonly store: (rows: number) => Promise<string>;
  readonly callers: number;
  readonly rounds: number;
  /** The numbers of replicas to measure. */
  readonly replicas: readonly number[];
}

const endpoint = 'usage.api-counts';
const good = /^\{"result":\[\{.*\}\]\}$/s;

/**
 * Measures how long equal calls take that arrive at once, at one gateway alone and at replicas with a Redis. Each replica
 * has a copy of the store. Proves that all calls have the same rows, that these ran once on one of the engines, and that
 * all others came from a cache or shared that run.
 *
 * @throws MeasurementError
 */
export async function measureCallers(options: CallersOptions): Promise<CallersData> {
  const { rows, callers, replicas } = options;
  const dataDir = await options.store(rows);
  const groups: CallersData['groups'] = [];
  for (const count of replicas)
    groups.push({
      replicas: count,
      rounds: await about(`${count} replicas`, () => measureGroup({ ...options, dataDir }, count)),
    });
  return { callers, endpoint, rows, groups };
}

async function measureGroup(
  { dataDir, callers, rounds, environment, ...command }: CallersOptions & Pick<GatewayCommand, 'dataDir'>,
  replicas: number,
): Promise<CallersRound[]> {
  await using started = new AsyncDisposableStack();
  const shared = replicas > 1 ? { REDIS_URL: started.use(await startRedis()).url } : {};
  const ports: number[] = [];
  for (let replica = 0; replica < replicas; replica += 1) {
    const own = `${dataDir}-of-replica-${replica}`;
    started.defer(() => rm(own, { recursive: true, force: true }));
    await rm(own, { recursive: true, force: true });
    await cp(dataDir, own, { recursive: true });
    const gateway = await startGateway({
      ...command,
      dataDir: own,
      environment: { ...environment, ...shared },
    });
    ports.push(started.use(gateway).port);
  }
  const of = async (): Promise<Counts[]> =>
    Promise.all(ports.map((port) => fetchCounts(`http://127.0.0.1:${port}`, benchKey)));
  const portOf = (caller: number) => ports[caller % ports.length] ?? 0;
  const measured: CallersRound[] = [];
  // The first round isn't measured. Each asks for new projects.
  for (let round = 0; round <= rounds; round += 1) {
    const [alone] = await sendBurst([portOf(round)], requestFor(2 * round));
    prove(
      alone?.status === 200 && good.test(alone.body),
      `a call alone was answered ${alone?.body.slice(0, 200)}`,
    );
    const before = await of();
    const all = await sendBurst(
      Array.from({ length: callers }, (_, i) => portOf(i)),
      requestFor(2 * round + 1),
    );
    const counts = (await of()).map((after, i) => countsBetween(before[i] ?? after, after));
    const sum = (name: keyof Counts) => counts.reduce((total, one) => total + one[name], 0);
    const failed = all.find(({ status, body }) => status !== 200 || !good.test(body));
    prove(failed === undefined, `a call was answered ${failed?.status}: ${failed?.body.slice(0, 200)}`);
    proveIs(new Set(all.map(({ body }) => body)).size, 1, 'different answers to equal calls');
    proveIs(sum('engineRuns'), 1, 'engine runs');
    proveIs(sum('vainRuns'), 0, 'failed engine runs');
    // Calls that share a wait for another replica's run count as both.
    prove(
      sum('hits') + sum('collapsed') >= callers - 1,
      `only ${sum('hits') + sum('collapsed')} calls came from a cache or shared a run`,
    );
    if (round === 0) continue;
    const times = all.map(({ milliseconds }) => milliseconds);
    measured.push({
      engineRuns: sum('engineRuns'),
      hits: sum('hits'),
      collapsed: sum('collapsed'),
      aloneMs: rounded(alone.milliseconds),
      percentiles: Array.from({ length: 101 }, (_, percent) => rounded(quantile(times, percent / 100))),
    });
  }
  return measured;
}

function requestFor(number: number): string {
  const path = `/api/endpoints/query/${endpoint}?interval=daily&project=${projectRef(number)}`;
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-KEY: ${benchKey}\r\nAccept-Encoding: identity\r\n\r\n`;
}
