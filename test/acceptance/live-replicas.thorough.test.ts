import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { dataset, type ServedRows, serveRows } from '../emulators/bigquery/support/served-rows.ts';
import { describeWithRedis, TestRedis } from '../support/redis.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

vi.setConfig({ testTimeout: 90_000 });

const endpoint = (id: number, name: string, cacheSeconds: number) => `/*
id: 00000000-0000-4000-8000-00000000000${id}
name: ${name}
cacheSeconds: ${cacheSeconds}
liveSeconds: 1
*/
SELECT GENERATE_UUID() AS run, COUNT(*) AS n FROM logs.edge`;

describeWithRedis('two replicas whose clients watch the same', () => {
  let workspace: Workspace;
  let redis: TestRedis;
  let bigquery: ServedRows;
  const gateways: Gateway[] = [];

  beforeAll(async () => {
    const rows = [{ id: 'a', timestamp: '2026-11-20T05:00:00Z', status: 200 }];
    [workspace, redis, bigquery] = await Promise.all([
      Workspace.create(),
      TestRedis.start(),
      serveRows({ edge: { columns: [{ name: 'status', type: 'INTEGER' }], rows } }),
    ]);
    await workspace.write('endpoints/cached.sql', endpoint(1, 'cached', 600));
    await workspace.write('endpoints/fresh.sql', endpoint(2, 'fresh', 0));
    const settings = {
      SOURCES_DIR: bigquery.sourcesDir,
      ENGINE: 'bigquery',
      GOOGLE_CLOUD_PROJECT: dataset.projectId,
      BIGQUERY_DATASET: dataset.datasetId,
      BIGQUERY_EMULATOR_HOST: bigquery.server.url,
      REDIS_URL: redis.url,
    };
    gateways.push(...(await Promise.all([1, 2].map(() => Gateway.serve(workspace, settings)))));
  });
  afterAll(async () => {
    await workspace?.remove();
    await redis?.remove();
    await bigquery?.[Symbol.asyncDispose]();
  });

  /** Watches an endpoint on each replica. Returns the results that each client has seen. */
  function watch(name: string): readonly string[][] {
    return gateways.map((gateway) => {
      const seen: string[] = [];
      const source = new EventSource(`${gateway.url}/api/endpoints/query/${name}`, {
        fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, 'X-API-KEY': 'a-key' } }),
      });
      onTestFinished(() => source.close());
      source.addEventListener('result', ({ data }) => seen.push(data));
      source.addEventListener('error', (event) => {
        if ('data' in event) seen.push(String(event.data));
      });
      return seen;
    });
  }

  /** Waits until each client has seen so many further results. */
  async function more(seen: readonly string[][], count: number): Promise<void> {
    const before = seen.map(({ length }) => length);
    await eventually('further results', () =>
      seen.every(({ length }, at) => length >= (before[at] ?? 0) + count),
    );
  }

  const areShared = ([one = [], other = []]: readonly string[][]) =>
    one.slice(-3, -1).every((result) => other.includes(result));

  it('share the runs of an endpoint with a cache, and go on without Redis, each by itself', async () => {
    const seen = watch('cached');
    await more(seen, 2);
    const began = performance.now();
    const before = bigquery.server.jobs.length;
    await more(seen, 3);
    const seconds = (performance.now() - began) / 1000;
    // One for each interval, whoever makes it.
    expect(bigquery.server.jobs.length - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    await eventually('they share', () => areShared(seen));

    redis.freeze();
    await more(seen, 2);
    redis.thaw();
    await eventually('they share again', () => areShared(seen));

    await redis.kill();
    await more(seen, 2);
    await redis.start();
    await eventually('they share again', () => areShared(seen));
    expect(seen.flat().filter((each) => !each.startsWith('{"result":['))).toEqual([]);
  });

  it('run an endpoint without a cache each by itself', async () => {
    const seen = watch('fresh');
    await more(seen, 2);
    const [one = [], other = []] = seen;
    expect(one.filter((result) => other.includes(result))).toEqual([]);
  });
});
