import { expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { type Caller, everyScope } from '../../../src/calls/access/caller/caller.ts';
import { runGateway } from '../listener/running-gateway.ts';

async function opened(caller: Partial<Caller> = {}) {
  const holder = { name: 'owner', secret: 'key', redact: false, scopes: everyScope, ...caller };
  const gateway = await runGateway({ access: keyAccess([holder]) });
  const profile = (body: string) =>
    gateway.call('/api/endpoint-profiles/logs.all', {
      method: 'POST',
      body,
      headers: [['Content-Type', 'application/json']],
    });
  return { ...gateway, profile };
}

test('a run of an endpoint is measured for operators, with values as for a call', async () => {
  const { profile, executor } = await opened();
  const answer = await profile(JSON.stringify({ parameters: { project: 'shop', count: '5' } }));
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { milliseconds: 5, steps: [] }]);
  expect(executor.calls[0]?.parameters.get('count')).toBe(5n);
  const missing = await profile('{}');
  expect([missing.status, JSON.parse(missing.body).parameter]).toEqual([400, 'project']);
  expect((await profile('{"more": 1}')).status).toBe(400);
});

test.each<[string, Partial<Caller>]>([
  ['without the scope admin', { scopes: new Set(['query', 'tables']) }],
  ['for some projects', { projects: new Set(['shop']) }],
])('a key %s gets none', async (_, caller) => {
  const { profile, executor } = await opened(caller);
  expect((await profile('{"parameters": {"project": "shop"}}')).status).toBe(403);
  expect(executor.calls).toEqual([]);
});
