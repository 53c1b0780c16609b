import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithRedis, TestRedis } from '../support/redis.ts';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

/** Takes the engine a good while, and gives one row. */
const slow = `/*
id: 00000000-0000-4000-8000-000000000001
name: slow
cacheSeconds: 60
parameters:
  project:
    required: true
    example: a
*/
SELECT CONCAT('', @project) AS project, COUNT(*) AS n
FROM logs.edge_logs AS a, logs.edge_logs AS b, logs.edge_logs AS c
WHERE CONCAT(a.id, b.id, c.id, @project) != ''
`;

describeWithRedis('three replicas with one Redis', () => {
  let workspace: Workspace;
  let redis: TestRedis;
  const gateways: Gateway[] = [];

  beforeAll(async () => {
    [workspace, redis] = await Promise.all([Workspace.withShippedSchema(), TestRedis.start()]);
    await workspace.write('endpoints/slow.sql', slow);
    const rows = Array.from({ length: 60 }, () => edgeRow('2025-01-31T10:00:00Z', 'project', '/rest/v1'));
    const file = await workspace.writeRows('rows.ndjson', rows);
    for (const name of ['one', 'two', 'three']) {
      const settings = { DATA_DIR: workspace.path(name), REDIS_URL: redis.url, DUCKDB_THREADS: '1' };
      expect(await workspace.run(['import', 'edge_logs', file], settings)).toMatchObject({ code: 0 });
      gateways.push(await Gateway.serve(workspace, settings));
    }
  });
  afterAll(async () => {
    await workspace?.remove();
    await redis?.remove();
  });

  /** Runs that the engines of all replicas have made for the endpoint. */
  async function engineRuns(): Promise<number> {
    const texts = await Promise.all(gateways.map((gateway) => gateway.call('/metrics')));
    const counts = texts.flatMap(({ body }) => [
      ...body.matchAll(/^gateway_engine_queries_total\{[^}]*endpoint="slow"[^}]*\} (\d+)$/gm),
    ]);
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** So many requests at once, spread over the replicas. */
  async function ask(project: string, count: number) {
    const requests = Array.from({ length: count }, (_, index) =>
      gateways[index % gateways.length]?.query('slow', { project }),
    );
    const replies = await Promise.all(requests);
    return new Set(replies.map((reply) => `${reply?.status} ${reply?.body}`));
  }

  it('answer 1,000 identical requests at once by one run, or each by its own where Redis is slow', async () => {
    let attempts = 0;
    // On a busy machine, Redis may take longer than a replica waits for it.
    await eventually('one run answered all', async () => {
      attempts += 1;
      const before = await engineRuns();
      const answers = await ask(`a${attempts}`, 1000);
      expect([...answers]).toEqual([expect.stringMatching(/^200 /)]);
      const runs = (await engineRuns()) - before;
      expect(runs).toBeLessThanOrEqual(gateways.length);
      return runs === 1;
    });
  });

  it('answer while Redis is frozen, each by itself, and together again afterwards', async () => {
    redis.freeze();
    expect([...(await ask('b', 30))]).toEqual([expect.stringMatching(/^200 /)]);
    redis.thaw();
    let round = 0;
    await eventually('they share runs again', async () => {
      const before = await engineRuns();
      await ask(`c${round++}`, 30);
      return (await engineRuns()) - before === 1;
    });
  });
});
