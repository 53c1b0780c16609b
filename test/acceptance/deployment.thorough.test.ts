import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithRedis, TestRedis } from '../support/redis.ts';
import { dataset, type ServedRows, serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';
import { Balancer } from './support/balancer.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

vi.setConfig({ testTimeout: 90_000 });

const endpoint = (id: number, name: string, settings: string) => `/*
id: 00000000-0000-4000-8000-00000000000${id}
name: ${name}
${settings}
parameters:
  least: {type: INT64, required: true, example: "0"}
*/
SELECT id, status FROM logs.edge WHERE status >= @least ORDER BY id`;

/** What docs/deploying.md describes: three replicas behind a balancer, one Redis, one BigQuery, keys in Redis. */
describeWithRedis('three replicas with Redis and BigQuery', () => {
  let workspace: Workspace;
  let redis: TestRedis;
  let bigquery: ServedRows;
  let settings: Record<string, string>;
  let balancer: Balancer;

  beforeAll(async () => {
    const timestamp = '2026-11-20T05:00:00Z';
    const rows = [200, 404, 500].map((status) => ({ id: `${status}`, timestamp, status }));
    [workspace, redis, bigquery] = await Promise.all([
      Workspace.create(),
      TestRedis.start(),
      serveRows({ edge: { columns: [{ name: 'status', type: 'INTEGER' }], rows } }),
    ]);
    await workspace.write('endpoints/cached.sql', endpoint(1, 'cached', 'cacheSeconds: 600'));
    await workspace.write('endpoints/fresh.sql', endpoint(2, 'fresh', 'maxRows: 10'));
    settings = {
      SOURCES_DIR: bigquery.sourcesDir,
      ENGINE: 'bigquery',
      GOOGLE_CLOUD_PROJECT: dataset.projectId,
      BIGQUERY_DATASET: dataset.datasetId,
      BIGQUERY_EMULATOR_HOST: bigquery.server.url,
      REDIS_URL: redis.url,
      KEYS_STORE: 'redis',
      SHUTDOWN_DELAY_MS: '1000',
    };
    balancer = new Balancer(await Promise.all([1, 2, 3].map(() => Gateway.serve(workspace, settings))));
  });
  afterAll(async () => {
    balancer?.close();
    await workspace?.remove();
    await redis?.remove();
    await bigquery?.[Symbol.asyncDispose]();
  });

  const jobs = () => bigquery.server.jobs.length;
  const ask = (least: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => balancer.query('cached', { least })));

  /** Asks for rows that are cached, and for some that aren't, without end. */
  function underLoad() {
    const statuses = new Map<string, number>();
    let isLoaded = true;
    const client = async () => {
      while (isLoaded) {
        const name = Math.random() < 0.2 ? 'fresh' : 'cached';
        const outcome = await balancer.query(name, { least: '0' }).then(
          ({ status }) => `${status}`,
          (error: unknown) => String(error),
        );
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 6 }, client);
    return async () => {
      isLoaded = false;
      await Promise.all(clients);
      return [...statuses.keys()];
    };
  }

  it('share results: one job for whoever asks the same', async () => {
    // A busy machine can let Redis seem away for a moment, in which each runs it by itself.
    let least = 301;
    await eventually('one job is enough', async () => {
      const before = jobs();
      const replies = await ask(`${least++}`, 90);
      expect(new Set(replies.map(({ status, body }) => `${status} ${body}`))).toEqual(
        new Set(['200 {"result":[{"id":"404","status":404},{"id":"500","status":500}]}']),
      );
      return jobs() - before === 1;
    });
  });

  it('share keys: one that is made is let in by all, one that is revoked by none', async () => {
    const made = await workspace.run(['keys', 'create', '--name', 'someone'], settings);
    expect(made.code).toBe(0);
    const key = made.stdout.trim();
    const statuses = () =>
      Promise.all(
        balancer.replicas.map(async (each) => (await each.query('cached', { least: '300' }, { key })).status),
      );
    await eventually(
      'it is let in by all',
      async () => (await statuses()).every((status) => status === 200),
      2,
    );
    expect((await workspace.run(['keys', 'revoke', 'someone'], settings)).code).toBe(0);
    await eventually(
      'it is let in by none',
      async () => (await statuses()).every((status) => status === 401),
      2,
    );
  });

  it('are replaced one by one without a request that fails', async () => {
    const end = underLoad();
    for (const old of balancer.replicas) {
      const stopped = old.stop('SIGTERM');
      await eventually('the balancer knows', () => balancer.readyCount === 2);
      const { code, stderr } = await stopped;
      expect(code).toBe(0);
      expect(stderr).not.toContain('error:');
      const replacement = await Gateway.serve(workspace, settings);
      balancer.replicas = [...balancer.replicas.filter((each) => each !== old), replacement];
      await eventually('the balancer knows', () => balancer.readyCount === 3);
    }
    expect(await end()).toEqual(['200']);
  });

  it('go on when one is killed: what it was asked is asked again', async () => {
    const end = underLoad();
    await sleep(200);
    const [killed, ...others] = balancer.replicas;
    await killed?.stop('SIGKILL');
    await eventually('the balancer knows', () => balancer.readyCount === 2);
    await sleep(300);
    expect(await end()).toEqual(['200']);
    balancer.replicas = [...others, await Gateway.serve(workspace, settings)];
    await eventually('the balancer knows', () => balancer.readyCount === 3);
  });

  it('go on without Redis, ready, each by itself', async () => {
    await redis.kill();
    const before = jobs();
    const replies = await ask('400', 30);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(jobs() - before).toBeLessThan(15);
    expect(balancer.readyCount).toBe(3);
    await redis.start();
    let least = 401;
    // On a busy machine, one of them finds Redis too slow now and then, and goes on by itself for a moment.
    const sharing = async () => {
      const earlier = jobs();
      await ask(`${least++}`, 30);
      return jobs() - earlier === 1;
    };
    await eventually('they share runs again', sharing, 30);
  });

  it('give what is cached without BigQuery, refuse the rest, and stay ready', async () => {
    await ask('300', 3);
    bigquery.server.fail({ times: 0, status: { code: 503, reason: 'backendError' } });
    try {
      expect((await balancer.query('cached', { least: '300' })).status).toBe(200);
      const refused = await balancer.query('fresh', { least: '0' });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(balancer.readyCount).toBe(3);
    } finally {
      bigquery.server.clearFaults();
    }
    await eventually(
      'rows come again',
      async () => (await balancer.query('fresh', { least: '0' })).status === 200,
      30,
    );
  });
});
