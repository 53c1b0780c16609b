import { expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { fuzz } from './fuzz.ts';

/** `node test/fuzz/run.ts` sends a hundred thousand. */
const requests = 1_000;

test('malformed input of every kind is answered, never with a 5xx, and never in the words of the engine', async () => {
  const workspace = await Workspace.withShippedSchema();
  onTestFinished(() => workspace.remove());
  const gateway = await Gateway.serve(workspace, { API_KEY: 'key', RATE_LIMIT_FAILED_KEYS: 'none' });
  const seed = Math.floor(Math.random() * 1e9);
  const { port } = new URL(gateway.url);
  const { statuses, findings } = await fuzz({
    port: Number(port),
    requests,
    seed,
    atOnce: 16,
    silenceMs: 10_000,
  });
  expect(findings).toEqual([]);
  for (const status of [200, 400, 401, 404]) expect(statuses.get(status)).toBeGreaterThan(0);
  expect((await gateway.call('/readyz')).status).toBe(200);
}, 120_000);
