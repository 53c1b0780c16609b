import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithRedis, TestRedis } from '../support/redis.ts';
import { dataset, type ServedRows, serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
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

const tailed = `/*
id: 00000000-0000-4000-8000-000000000003
name: tailed
liveSeconds: 1
sandbox: true
*/
WITH edge AS (SELECT id, timestamp, status FROM logs.edge)
SELECT id FROM edge`;

describeWithRedis('two replicas whose clients watch the same', () => {
  let workspace: Workspace;
  let redis: TestRedis;
  let bigquery: ServedRows;
  const gateways: Gateway[] = [];

  beforeAll(async () => {
    const columns = [
      { name: 'status', type: 'INTEGER' },
      { name: 'event_message', type: 'STRING' },
    ];
    const rows = [{ id: 'a', timestamp: '2026-11-20T05:00:00Z', status: 200 }];
    [workspace, redis, bigquery] = await Promise.all([
      Workspace.create(),
      TestRedis.start(),
      serveRows({ edge: { columns, rows } }),
    ]);
    await workspace.write('endpoints/cached.sql', endpoint(1, 'cached', 600));
    await workspace.write('endpoints/fresh.sql', endpoint(2, 'fresh', 0));
    await workspace.write('endpoints/tailed.sql', tailed);
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

  it('send a client that goes from one to the other each row once', async () => {
    const now = Date.now();
    const commit = async (ages: Readonly<Record<string, number>>) => {
      const events = Object.entries(ages).map(([id, age]) => ({
        ...{ id, status: 200, event_message: id, timestamp: new Date(now - age).toISOString() },
      }));
      const reply = await gateways[0]?.call('/api/logs?source=edge', {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(events) },
      });
      expect(reply, reply?.body).toMatchObject({ status: 200 });
    };
    /** Follows the tail on a replica until so many rows have come. Returns their ids, and the id after them. */
    const follow = async (on: number, after: string, count: number) => {
      const seen: string[] = [];
      let last = after;
      const headers = { 'X-API-KEY': 'a-key', ...(after !== '' && { 'Last-Event-ID': after }) };
      const source = new EventSource(
        `${gateways[on]?.url}/api/endpoints/query/tailed?tail=edge&tail_rows=0`,
        { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }) },
      );
      source.addEventListener('skipped', () => seen.push('skipped'));
      source.addEventListener('rows', ({ data, lastEventId }) => {
        last = lastEventId;
        seen.push(...(JSON.parse(data).result as { id: string }[]).map(({ id }) => id));
      });
      await eventually('the rows', () => last !== after && seen.length >= count);
      source.close();
      return { seen, last };
    };
    let { seen, last } = await follow(0, '', 0);
    await commit({ first: 1000 });
    ({ seen, last } = await follow(0, last, 1));
    expect(seen).toEqual(['first']);
    await commit({ same: 1000, late: 20_000, next: 500 });
    ({ seen, last } = await follow(1, last, 3));
    expect(seen).toEqual(['late', 'same', 'next']);
    await commit({ later: 10_000 });
    ({ seen, last } = await follow(0, last, 1));
    expect(seen).toEqual(['later']);
    ({ seen } = await follow(1, last, 0));
    expect(seen).toEqual([]);
  });
});
