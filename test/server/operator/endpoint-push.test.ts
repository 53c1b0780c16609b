import { expect, test } from 'vitest';
import { endpointPusher } from '../../../src/app/gateway/push-endpoint.ts';
import { OriginError } from '../../../src/app/origin/tree/origin-error.ts';
import type { BranchChange } from '../../../src/app/origin/tree/remote.ts';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { type Caller, everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { Change } from '../../../src/calls/records/change-records.ts';
import type { EndpointEditing } from '../../../src/server/operator/endpoint-files/endpoint-editing.ts';
import { logsAll, runGateway } from '../listener/running-gateway.ts';

const unused = () => Promise.reject(new Error('not asked'));
const problem = { from: 3, to: 5, message: 'Unrecognized name: a', line: 2, column: 4 };
const row = { name: 'A', description: '', fields: [] };
const shape = { endpoint: logsAll, field: 'a', arguments: [], row, tables: undefined };

const editing: EndpointEditing = {
  ...{ read: unused, complete: unused, hover: unused, literals: unused, compare: unused },
  check: async ({ text }) => ({
    file: 'a.sql',
    ...(text === 'wrong' ? { problems: [problem] } : { problems: [], shape }),
  }),
  checkTests({ text }) {
    if (text === 'wrong') throw new GatewayError('BAD_USER_INPUT', 'The tests: YAML: wrong [at 1:1]');
  },
};

type Push = (change: BranchChange, signal: AbortSignal) => Promise<{ commit: string; files: string[] }>;

interface Opening {
  readonly caller?: Partial<Caller>;
  /** What the origin does with a change. Null without one. */
  readonly origin?: Push | null;
}

async function opened({ caller = {}, origin = async () => ({ commit: 'abc', files: [] }) }: Opening = {}) {
  const asked: BranchChange[] = [];
  const changes: Change[] = [];
  const pusher =
    origin &&
    endpointPusher({
      ...{ prefix: 'console/', endpointsDir: 'fetched/endpoints' },
      origin: {
        push: async (change, signal) => {
          asked.push(change);
          return origin(change, signal);
        },
      },
      endpoints: () => [
        { name: 'orders', file: 'fetched/endpoints/orders-1.sql' },
        { name: 'a "name"\n../ä', file: 'fetched/endpoints/odd.sql' },
        { name: 'gateway.own', file: 'schema/gateway/endpoints/own.sql' },
      ],
    });
  const holder = { name: 'owner', secret: 'key', redact: false, scopes: everyScope, ...caller };
  const gateway = await runGateway({
    access: keyAccess([holder]),
    editing: async () => editing,
    pushEndpoint: pusher ?? undefined,
    records: { calls: { record() {} }, changes: { record: (change) => void changes.push(change) } },
  });
  const post = async (body: object) => {
    const { status, body: text } = await gateway.call('/api/drafts/push', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: [['Content-Type', 'application/json']],
    });
    return { status, answer: JSON.parse(text) };
  };
  return { ...gateway, post, asked, changes };
}

const draft = { name: 'orders', text: 'SELECT 2', before: 'SELECT 1' };

test('the files of an endpoint go to a branch of their own, in the name of the key, and that is recorded', async () => {
  const { post, asked, changes, call } = await opened({ caller: { name: 'alice' } });
  const tests = { text: 'cases: []' };
  const { status, answer } = await post({ ...draft, test: tests });
  expect([status, answer]).toEqual([
    201,
    { branch: expect.stringMatching(/^console\/orders-[0-9a-f]{8}$/), commit: 'abc', files: [] },
  ]);
  expect(asked).toEqual([
    {
      ...{ branch: answer.branch, author: 'alice', message: 'Edit endpoint orders' },
      files: [
        { path: 'endpoints/orders-1.sql', text: 'SELECT 2', before: 'SELECT 1' },
        { path: 'endpoints/orders-1.test.yaml', ...tests },
      ],
    },
  ]);
  const details = { branch: answer.branch, commit: 'abc' };
  await expect.poll(() => changes).toEqual([{ action: 'endpoint.pushed', target: 'orders', details }]);
  expect(JSON.parse((await call('/api/caller')).body).pushesEndpoints).toBe(true);
});

test('a file of tests with an error is not pushed', async () => {
  const { post, asked } = await opened();
  const { status, answer } = await post({ ...draft, test: { text: 'wrong' } });
  expect([status, answer.error]).toEqual([400, 'The tests: YAML: wrong [at 1:1]']);
  expect(asked).toEqual([]);
});

test('a new endpoint is added, with the message that was given', async () => {
  const { post, asked } = await opened();
  await post({ name: 'new.one', text: 'SELECT 1' });
  await post({ name: 'new.one', text: 'SELECT 1', message: ' --force: why not ' });
  expect(asked.map(({ message }) => message)).toEqual(['Add endpoint new.one', '--force: why not']);
  expect(asked[0]?.files).toEqual([{ path: 'endpoints/new.one.sql', text: 'SELECT 1' }]);
  // Two pushes have two branches.
  expect(new Set(asked.map(({ branch }) => branch)).size).toBe(2);
});

test('a served name of any characters is one line of a message, and a part of a branch', async () => {
  const { post, asked } = await opened();
  expect((await post({ ...draft, name: 'a "name"\n../ä' })).status).toBe(201);
  expect(asked[0]).toMatchObject({
    branch: expect.stringMatching(/^console\/a-name-\.--[0-9a-f]{8}$/),
    message: 'Edit endpoint a "name" ../ä',
    files: [{ path: 'endpoints/odd.sql' }],
  });
});

test('a text with errors is refused with their place, and nothing is pushed', async () => {
  const { post, asked, changes } = await opened();
  expect(await post({ ...draft, text: 'wrong' })).toEqual({
    status: 400,
    answer: {
      ...{ error: 'Unrecognized name: a [at 2:4]', code: 'BAD_USER_INPUT' },
      location: { line: 2, column: 4 },
    },
  });
  expect([asked, changes]).toEqual([[], []]);
});

test.each([
  [{ name: '../../up' }, 'is no name of an endpoint'],
  [{ name: '-x' }, 'is no name of an endpoint'],
  [{ name: 'a\nb' }, 'is no name of an endpoint'],
  [{ name: '.git/config' }, 'is no name of an endpoint'],
  [{ name: 'orders', before: undefined }, 'has this name'],
  [{ name: 'gateway.own' }, 'is none of the project'],
  [{ name: '' }, 'name: '],
  [{ message: 'one\ntwo' }, 'message: expected one line'],
  [{ message: 'one\u2028two' }, 'message: expected one line'],
  [{ message: 'a\u0000b' }, 'message: expected one line'],
  [{ message: '  ' }, 'message: '],
  [{ message: 'x'.repeat(201) }, 'message: '],
  [{ branch: 'main' }, 'branch'],
  [{ test: { text: 'a', file: '../x' } }, 'file'],
])('%j is refused', async (more, reason) => {
  const { post, asked } = await opened();
  const { status, answer } = await post({ ...draft, ...more });
  expect([status, answer.error]).toEqual([400, expect.stringContaining(reason)]);
  expect(asked).toEqual([]);
});

test.each<[string, Partial<Caller>]>([
  ['without the scope admin', { scopes: new Set(['query', 'write', 'tables']) }],
  ['for some projects', { projects: new Set(['a']) }],
  ['for some endpoints', { endpoints: new Set(['logs.all']) }],
])('a key %s pushes nothing, and is told so', async (_, caller) => {
  const { post, call, asked } = await opened({ caller });
  expect((await post(draft)).status).toBe(403);
  expect(asked).toEqual([]);
  expect(JSON.parse((await call('/api/caller')).body).pushesEndpoints).toBe(false);
});

test('a gateway without the setting says so', async () => {
  const { post, call } = await opened({ origin: null });
  const { status, answer } = await post(draft);
  expect([status, answer.error]).toEqual([404, expect.stringContaining('ENDPOINTS_PUSH_PREFIX is not set')]);
  expect(JSON.parse((await call('/api/caller')).body).pushesEndpoints).toBe(false);
});

test.each<[Error, number, RegExp]>([
  [
    new OriginError('unusable', 'there is no program git: install it, or use a tarball'),
    ...([503, /^The branch console\/orders-\w+ was not pushed: there is no program git[^.]*\.$/] as const),
  ],
  [
    new OriginError('unreachable', 'git: could not resolve host'),
    503,
    /pushed: git: could not resolve host\.$/,
  ],
  [
    new OriginError('unreachable', 'git: The requested URL returned error: 403'),
    ...([503, /error: 403\. The credentials of ENDPOINTS_FROM may have no right to push\.$/] as const),
  ],
  [new GatewayError('CONFLICT', 'It has changed.'), 409, /^It has changed\.$/],
])('%s is answered, and not recorded', async (error, status, text) => {
  const { post, changes } = await opened({ origin: () => Promise.reject(error) });
  const reply = await post(draft);
  expect([reply.status, reply.answer.error]).toEqual([status, expect.stringMatching(text)]);
  expect(changes).toEqual([]);
});

test('a push that was stopped may have been done', async () => {
  const push = endpointPusher({
    ...{ prefix: 'p-', endpointsDir: 'e', endpoints: () => [] },
    origin: { push: () => Promise.reject(new OriginError('unreachable', 'git: it took too long')) },
  });
  const stopped = AbortSignal.abort(new GatewayError('QUERY_TIMEOUT', 'The request timed out.'));
  const change = { name: 'a', files: { text: 'SELECT 1' }, author: 'x' };
  await expect(push(change, stopped)).rejects.toMatchObject({
    code: 'QUERY_TIMEOUT',
    message: expect.stringMatching(
      /^The request timed out\. The repository may have the branch p-a-\w+, or not\.$/,
    ),
  });
});
