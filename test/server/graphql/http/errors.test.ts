import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { newKeyText } from '../../../../src/calls/access/key/key-text.ts';
import { codes, runGraphql, someRows } from './support/graphql-gateway.ts';

test.each([
  ['an empty text', '', 'GRAPHQL_PARSE_FAILED'],
  ['a syntax error', '{ logsAll(', 'GRAPHQL_PARSE_FAILED'],
  ['a field that there is not', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ['a required argument that is missing', '{ logsAll { id } }', 'GRAPHQL_VALIDATION_FAILED'],
  [
    'a member that the enum has not',
    '{ apiCounts(interval: YEARLY) { total } }',
    'GRAPHQL_VALIDATION_FAILED',
  ],
  ['no operation', 'fragment F on Query { __typename }', 'BAD_USER_INPUT'],
  ['two operations and no name', '{ __typename } query A { __typename }', 'BAD_USER_INPUT'],
  ['two named operations and no name', 'query A { __typename } query B { __typename }', 'BAD_USER_INPUT'],
  [
    'an argument that its parameter refuses',
    '{ logsAll(project: "a", count: "x") { id } }',
    'BAD_USER_INPUT',
  ],
  ['a limit out of range', '{ logsAllTables(project: "a") { edgeLogs(limit: 0) { id } } }', 'BAD_USER_INPUT'],
])('%s is %s', async (_what, query, code) => {
  const gateway = await runGraphql();
  for (let round = 0; round < 3; round++) {
    const reply = await gateway.post({ query });
    expect(new Set(codes(reply))).toEqual(new Set([code]));
  }
  expect(gateway.log).toEqual([]);
});

test.each([
  ['field', '{ KEY }'],
  ['enum member', '{ apiCounts(interval: KEY) { total } }'],
  ['second word where one is expected', 'query A KEY { __typename }'],
  ['text', '{ logsAll(project: "a", count: "KEY") { id } }'],
  ['query of its own', '{ logsAllQuery(project: "a", sql: "SELECT KEY") { rows } }'],
])('an error does not quote a key that stands as a %s', async (_what, query) => {
  const key = newKeyText();
  const gateway = await runGraphql();
  for (let round = 0; round < 3; round++) {
    const { json } = await gateway.post({ query: query.replace('KEY', key) });
    expect(json.errors).toHaveLength(1);
    expect(JSON.stringify(json)).not.toContain(key);
  }
});

test.each([
  ['missing', {}],
  ['null where it must not be', { interval: null }],
  ['no member of the enum', { interval: 'YEARLY' }],
  ['of another type', { interval: { deep: [[[1]]] } }],
])('a variable that is %s is BAD_USER_INPUT', async (_what, variables) => {
  const gateway = await runGraphql();
  const query = 'query ($interval: ApiCountsInterval!) { apiCounts(interval: $interval) { total } }';
  for (let round = 0; round < 3; round++) {
    const reply = await gateway.post({ query, variables });
    expect(codes(reply)).toEqual(['BAD_USER_INPUT']);
    expect(reply.json.data ?? null).toBeNull();
  }
  expect(gateway.calls).toEqual([]);
});

test('an error names the argument that it is about', async () => {
  const gateway = await runGraphql();
  const { json } = await gateway.post({ query: '{ logsAll(project: "a", count: "x") { id } }' });
  expect(json.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', argument: 'count' });
});

test.each([
  [
    'an argument that must not be null',
    'query ($v: Int) { logsAllTables(project: "a") { edgeLogs(limit: $v) { id } authLogs { id } } }',
    'limit',
  ],
  [
    "a directive's argument that must not be null",
    'query ($v: Boolean = true) { logsAllTables(project: "a") { authLogs { id } } logsAll(project: "a") { id @skip(if: $v) } }',
    '@skip',
  ],
])('null in a variable for %s is BAD_USER_INPUT', async (_what, query, argument) => {
  const gateway = await runGraphql();
  for (let round = 0; round < 3; round++) {
    const { json } = await gateway.post({ query, variables: { v: null } });
    expect(json.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument } }]);
    expect(json.data).toMatchObject({ logsAllTables: { authLogs: [{ id: 'a' }] } });
  }
});

test('one failing field leaves its siblings whole', async () => {
  const gateway = await runGraphql({
    answer: (call) => {
      if (call.parameters.get('project') === 'bad')
        throw new GatewayError('QUERY_FAILED', 'division by zero');
      return someRows(call);
    },
  });
  const query = '{ bad: logsAll(project: "bad") { id } good: logsAll(project: "good") { id } }';
  for (let round = 0; round < 3; round++) {
    const { status, json } = await gateway.post({ query });
    expect(status).toBe(200);
    expect(json.data).toEqual({ bad: null, good: [{ id: 'a' }] });
    expect(json.errors).toMatchObject([
      { message: 'division by zero', path: ['bad'], extensions: { code: 'QUERY_FAILED' } },
    ]);
  }
  expect(gateway.log).toEqual([]);
});

test('one failing table leaves the other tables whole', async () => {
  let count = 0;
  const gateway = await runGraphql({
    answer: (call) => {
      if (count++ === 0) throw new GatewayError('OVERLOADED', 'too much to do', { retryAfterSeconds: 1.2 });
      return someRows(call);
    },
  });
  const query = '{ logsAllTables(project: "a") { edgeLogs { id } authLogs { id } } }';
  const { json } = await gateway.post({ query });
  expect(json.data).toEqual({ logsAllTables: { edgeLogs: null, authLogs: [{ id: 'a' }] } });
  expect(json.errors?.[0]?.extensions).toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 2 });
});

test.each([
  ['an error', () => Promise.reject(new Error('password=hunter2 at /srv/engine.ts'))],
  ['a text', () => Promise.reject('hunter2')],
  ['an error of the platform', () => JSON.parse('hunter2')],
])('a defect that throws %s is masked, and logged once each time', async (_what, answer) => {
  const gateway = await runGraphql({ answer });
  for (let round = 1; round <= 3; round++) {
    const reply = await gateway.post({ query: '{ logsAll(project: "a") { id } __typename }' });
    expect(reply.status).toBe(200);
    expect(reply.json.data).toEqual({ logsAll: null, __typename: 'Query' });
    expect(codes(reply)).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(reply.json.errors?.[0]?.path).toEqual(['logsAll']);
    expect(reply.text).not.toContain('hunter2');
    expect(gateway.log).toHaveLength(round);
  }
});

test('the deadline ends fields that still run with QUERY_TIMEOUT', async () => {
  const gateway = await runGraphql({
    requestTimeoutMs: 50,
    answer: (_call, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  const reply = await gateway.post({ query: '{ logsAll(project: "a") { id } }' });
  expect(codes(reply)).toEqual(['QUERY_TIMEOUT']);
  expect(gateway.log).toEqual([]);
});

test('a client that leaves aborts its runs, and is not logged as a defect', async () => {
  const left = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const gateway = await runGraphql({
    answer: (_call, { signal }) =>
      new Promise((_resolve, reject) => {
        begun.resolve();
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          left.resolve();
        });
      }),
  });
  const client = new AbortController();
  const call = gateway.fetch('/graphql?query={logsAll(project:"a"){id}}', { signal: client.signal });
  await begun.promise;
  client.abort();
  await expect(call).rejects.toThrow();
  await left.promise;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(gateway.log).toEqual([]);
});

test('the extensions of each operation report its calls', async () => {
  const gateway = await runGraphql();
  const query = '{ a: logsAll(project: "a") { id } b: apiCounts(interval: HOURLY) { total } }';
  const reply = await gateway.post([{ query }, { query: '{ __typename }' }], {
    'X-Request-Id': 'request-of-the-test-0001',
  });
  const [first, second] = JSON.parse(reply.text);
  const cache = { status: 'BYPASS', collapsed: false, stored: false, ageSeconds: 0, ttlSeconds: 0 };
  expect(first.extensions.gateway).toEqual({
    requestId: 'request-of-the-test-0001',
    calls: [
      { path: 'a', endpoint: 'logs.all', rows: 1, truncated: false, engineMs: 0, cache },
      { path: 'b', endpoint: 'api-counts', rows: 1, truncated: false, engineMs: 0, cache },
    ],
  });
  expect(second.extensions.gateway.calls).toEqual([]);
});
