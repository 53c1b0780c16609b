import { afterAll, beforeAll, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { describeWithRedis, TestRedis } from '../support/redis.ts';
import { keysComeAndGo } from './support/keys-come-and-go.ts';

describeWithRedis('while two replicas run', () => {
  let workspace: Workspace;
  let redis: TestRedis;
  beforeAll(async () => {
    [workspace, redis] = await Promise.all([Workspace.withShippedSchema(), TestRedis.start()]);
  });
  afterAll(async () => {
    await workspace?.remove();
    await redis?.remove();
  });

  test('keys in Redis come and go at once on both', async () => {
    const settings = { REDIS_URL: redis.url, KEYS_STORE: 'redis' };
    const gateways = await Promise.all(
      ['one', 'two'].map((name) =>
        Gateway.serve(workspace, { ...settings, LOG_FORMAT: 'text', DATA_DIR: workspace.path(name) }),
      ),
    );
    await keysComeAndGo(workspace, gateways, settings);
  });
});
