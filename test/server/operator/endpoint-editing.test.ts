import { expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { type Caller, everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { EndpointShape } from '../../../src/server/graphql/shape/shape.ts';
import type { EndpointEditing } from '../../../src/server/operator/endpoint-files/endpoint-editing.ts';
import { fakeExecutor, logsAll, noRows, runGateway } from '../listener/running-gateway.ts';

const shape: EndpointShape = {
  endpoint: { ...logsAll, name: 'a.draft', cacheSeconds: 60, version: 'of the draft' },
  field: 'aDraft',
  arguments: [],
  row: { name: 'ADraft', description: '', fields: [] },
  tables: undefined,
};

const problem = { from: 3, to: 5, message: 'Unrecognized name: a', line: 2, column: 4 };

/** Answers the same to everything, with an error if the text says so. */
const editing: EndpointEditing = {
  read: async (name) => ({ file: `${name}.sql`, text: 'SELECT 1' }),
  check: async ({ text }) =>
    text === 'wrong' ? { file: 'a.sql', problems: [problem] } : { file: 'a.sql', problems: [], shape },
  checkTests() {},
  complete: async () => ({ from: 1, options: [{ kind: 'column', label: 'id' }] }),
  hover: async () => undefined,
  literals: async (sql) => ({ sql, literals: [] }),
  compare: async () => ({ state: 'same', verdict: 'answers are the same', changes: [] }),
};

async function opened(caller: Partial<Caller> = {}, has = true) {
  const holder = { name: 'owner', secret: 'key', redact: false, scopes: everyScope, ...caller };
  const executor = fakeExecutor(() => noRows);
  const gateway = await runGateway({
    access: keyAccess([holder]),
    editing: has ? async () => editing : undefined,
    executor,
  });
  const post = (step: string, body: object | string) =>
    gateway.call(`/api/drafts/${step}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: [['Content-Type', 'application/json']],
    });
  return { ...gateway, post, executor };
}

const draft = { name: 'a.draft', text: 'SELECT 1' };

test('operators get what is wrong in a text, and the endpoint that it would be', async () => {
  const { post, call } = await opened();
  const wrong = await post('check', { ...draft, text: 'wrong' });
  expect([wrong.status, JSON.parse(wrong.body)]).toEqual([200, { file: 'a.sql', problems: [problem] }]);
  const right = JSON.parse((await post('check', draft)).body);
  expect(right).toMatchObject({ problems: [], endpoint: { name: 'a.draft' }, reads: [] });
  expect(JSON.parse((await post('complete', { ...draft, position: 1 })).body).options).toHaveLength(1);
  expect((await post('hover', { ...draft, position: 1 })).body).toBe('null');
  expect(JSON.parse((await post('diff', draft)).body).state).toBe('same');
  expect(JSON.parse((await post('literals', { sql: 'SELECT 1' })).body).sql).toBe('SELECT 1');
  expect(JSON.parse((await call('/api/endpoint-files/a.b')).body)).toEqual({
    file: 'a.b.sql',
    text: 'SELECT 1',
  });
  expect(JSON.parse((await call('/api/caller')).body).editsEndpoints).toBe(true);
});

test('a text is tried as a call of an endpoint that is never cached, and recorded as a draft', async () => {
  const { post, executor } = await opened();
  const answer = await post('try', { ...draft, parameters: { project: 'shop', count: '5' } });
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { result: [] }]);
  const [asked] = executor.calls;
  expect(asked?.endpoint).toMatchObject({ isDraft: true, cacheSeconds: 0 });
  expect(asked?.asked.form).toBe('draft');
  expect(asked?.parameters.get('count')).toBe(5n);
});

test('a text is not tried with errors, without its required parameters, or with an invalid value', async () => {
  const { post, executor } = await opened();
  const wrong = await post('try', { ...draft, text: 'wrong' });
  expect([wrong.status, JSON.parse(wrong.body)]).toEqual([
    400,
    expect.objectContaining({ error: 'Unrecognized name: a [at 2:4]', location: { line: 2, column: 4 } }),
  ]);
  const missing = await post('try', draft);
  expect([missing.status, JSON.parse(missing.body).parameter]).toEqual([400, 'project']);
  const invalid = await post('try', { ...draft, parameters: { project: 'shop', count: 'many' } });
  expect([invalid.status, JSON.parse(invalid.body).parameter]).toEqual([400, 'count']);
  expect(executor.calls).toEqual([]);
});

test.each(['check', 'complete', 'hover', 'literals', 'diff', 'try'])(
  '%s refuses bodies of another form, and those that are too large',
  async (step) => {
    const { post } = await opened();
    for (const body of ['', '[]', '{}', '{"name": "a"}', '{"name": "a", "text": 1}'])
      expect((await post(step, body)).status).toBe(400);
    expect((await post(step, { ...draft, text: 'x'.repeat(1_000_001) })).status).toBe(413);
  },
);

test.each<[string, Partial<Caller>]>([
  ['without the scope admin', { scopes: new Set(['query', 'write', 'tables']) }],
  ['for some projects', { projects: new Set(['a']) }],
  ['for some endpoints', { endpoints: new Set(['logs.all']) }],
])('a key %s is refused all of it, and told so', async (_, caller) => {
  const { post, call, executor } = await opened(caller);
  for (const step of ['check', 'complete', 'hover', 'literals', 'diff', 'try'])
    expect((await post(step, draft)).status).toBe(403);
  expect((await call('/api/endpoint-files/logs.all')).status).toBe(403);
  expect(executor.calls).toEqual([]);
  expect(JSON.parse((await call('/api/caller')).body).editsEndpoints).toBe(false);
});

test('a gateway without the editing has no such routes', async () => {
  const { post, call } = await opened({}, false);
  expect((await post('check', draft)).status).toBe(404);
  expect(JSON.parse((await call('/api/caller')).body).editsEndpoints).toBe(false);
});
