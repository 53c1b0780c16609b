import { expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { fuzz } from './fuzz.ts';

/** `node test/fuzz/run.ts` sends a hundred thousand. */
const requests = 1_000;

test('input of every kind is answered, never with a 5xx, in the words of the engine or with rows of others', async () => {
  const workspace = await Workspace.withShippedSchema();
  onTestFinished(() => workspace.remove());
  const gateway = await Gateway.serve(workspace, { API_KEY: 'key', RATE_LIMIT_FAILED_KEYS: 'none' });
  const seed = Math.floor(Math.random() * 1e9);
  const { port } = new URL(gateway.url);
  const hidden = 'only-for-others';
  const timestamp = new Date().toISOString();
  const body = ['p', 'q'].map((project) =>
    JSON.stringify({ id: project, timestamp, project, event_message: project === 'p' ? 'mine' : hidden }),
  );
  const added = await gateway.call('/api/sources/edge_logs/rows', { method: 'POST', body: body.join('\n') });
  expect(added.status).toBe(200);
  const boundKey = await gateway.createKey({ name: 'bound', projects: ['p'] });
  const { statuses, findings } = await fuzz({
    port: Number(port),
    requests,
    boundKeys: [boundKey],
    hidden,
    seed,
    atOnce: 16,
    silenceMs: 10_000,
  });
  expect(findings).toEqual([]);
  for (const status of [200, 400, 401, 403, 404]) expect(statuses.get(status)).toBeGreaterThan(0);
  expect((await gateway.call('/readyz')).status).toBe(200);
});
