import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

/** Things that no log may hold. */
const secrets = {
  key: 'the-key-of-this-test',
  wrongKey: 'the-wrong-key-of-this-test',
  project: 'the-project-of-this-test',
  sql: "SELECT 'the query of this test' AS a FROM edge_logs",
  row: 'the row of this test',
};

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const row = { ...edgeRow(new Date(), secrets.project, '/rest/v1'), event_message: secrets.row };
  await workspace.run(['import', 'edge_logs', await workspace.writeRows('rows.ndjson', [row])]);
  const settings = { LOG_FORMAT: 'json', API_KEY: secrets.key };
  gateway = await Gateway.serve(workspace, settings);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly requestId?: string;
  readonly [field: string]: unknown;
}

const lines = (): Line[] =>
  gateway.command.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The line of the request with an id. */
async function lineOf(requestId: string): Promise<Line> {
  let found: Line | undefined;
  await eventually(`a line of ${requestId}`, () => {
    found = lines().find((line) => line.requestId === requestId);
    return found !== undefined;
  });
  return found as Line;
}

const query = { project: secrets.project, interval: 'hourly' };
const document = JSON.stringify({
  query:
    'query ($p: String!) { usageApiCounts(interval: HOURLY, project: $p) { timestamp } logsAll(project: $p) { id } }',
  variables: { p: secrets.project },
});

test('a request of REST is one line: endpoint, key, status, cache, rows, engine, bytes, time', async () => {
  const requestId = randomUUID();
  const { body } = await gateway.query('usage.api-counts', query, { headers: { 'X-Request-Id': requestId } });
  const line = await lineOf(requestId);
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    msg: 'request',
    requestId,
    method: 'GET',
    path: '/api/endpoints/query/usage.api-counts',
    key: 'API_KEY',
    endpoint: 'usage.api-counts',
    version: '1',
    cache: 'miss',
    rows: 1,
    engineMs: expect.any(Number),
    bytes: Buffer.byteLength(body),
    status: 200,
    durationMs: expect.any(Number),
  });
  expect(line.engineMs).toBeGreaterThan(0);
});

test('answers from the cache are told alike, by whatever way they go', async () => {
  await gateway.query('usage.api-counts', query);
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const id of ids) await gateway.query('usage.api-counts', query, { headers: { 'X-Request-Id': id } });
  for (const id of ids) {
    expect(await lineOf(id)).toMatchObject({
      key: 'API_KEY',
      endpoint: 'usage.api-counts',
      cache: 'hit',
      rows: 1,
      engineMs: 0,
      status: 200,
    });
  }
});

test('a request of GraphQL is one line, whatever it calls, and also from the cache', async () => {
  const post = { method: 'POST', body: document };
  const json = { 'Content-Type': 'application/json' };
  const cached = JSON.stringify({
    query: `{ usageApiCounts(interval: HOURLY, project: "${secrets.project}") { timestamp } }`,
  });
  const first = randomUUID();
  const { body } = await gateway.call('/graphql', { ...post, headers: { ...json, 'X-Request-Id': first } });
  expect(await lineOf(first)).toMatchObject({
    bytes: Buffer.byteLength(body),
    method: 'POST',
    path: '/graphql',
    key: 'API_KEY',
    endpoint: expect.stringMatching(/^(usage\.api-counts,logs\.all|logs\.all,usage\.api-counts)$/),
    rows: 2,
    status: 200,
  });
  for (let round = 0; round < 4; round++) {
    const id = randomUUID();
    await gateway.call('/graphql', {
      method: 'POST',
      body: cached,
      headers: { ...json, 'X-Request-Id': id },
    });
    expect(await lineOf(id)).toMatchObject({
      endpoint: 'usage.api-counts',
      cache: 'hit',
      rows: 1,
      engineMs: 0,
    });
  }
});

test('GraphQL that has no single operation, or none that can run, is told with its bytes, too', async () => {
  for (const asked of [
    [{ query: '{ a: __typename }' }, { query: '{ b: __typename }' }],
    { query: '{ nothing }' },
    { query: '{' },
  ]) {
    const id = randomUUID();
    const { body } = await gateway.call('/graphql', {
      method: 'POST',
      body: JSON.stringify(asked),
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': id },
    });
    expect(await lineOf(id)).toMatchObject({ bytes: Buffer.byteLength(body) });
  }
});

test('a failure is told by its status and code', async () => {
  const [unknown, refused, wrong] = [randomUUID(), randomUUID(), randomUUID()];
  await gateway.query('nothing', {}, { headers: { 'X-Request-Id': unknown } });
  await gateway.query('logs.all', {}, { headers: { 'X-Request-Id': refused } });
  await gateway.query('logs.all', query, { key: secrets.wrongKey, headers: { 'X-Request-Id': wrong } });
  expect(await lineOf(unknown)).toMatchObject({ status: 404, error: 'NOT_FOUND', key: 'API_KEY' });
  expect(await lineOf(refused)).toMatchObject({ status: 400, error: 'BAD_USER_INPUT', endpoint: 'logs.all' });
  const line = await lineOf(wrong);
  expect(line).toMatchObject({ status: 401, error: 'UNAUTHENTICATED' });
  expect(line).not.toHaveProperty('key');
});

test('an id that could harm the log is replaced, and the trace of the caller is kept', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { headers } = await gateway.call('/readyz', {
    headers: { 'X-Request-Id': '"},"level":"error', traceparent },
  });
  const requestId = headers.get('x-request-id') ?? '';
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await lineOf(requestId)).toMatchObject({ path: '/readyz', traceparent });

  const forged = await gateway.call('/readyz', { headers: { traceparent: '00-x-y-01","level":"error' } });
  expect(await lineOf(forged.headers.get('x-request-id') ?? '')).not.toHaveProperty('traceparent');
});

test('a client that leaves is told of, too', async () => {
  const requestId = randomUUID();
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write(
    `POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${secrets.key}\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  expect(await lineOf(requestId)).toMatchObject({ status: 499, aborted: true, key: 'API_KEY' });
});

test('what is not HTTP is one line as well', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.end('GET / HTTP/1.1\r\nHost : x\r\n\r\n');
  await eventually('there is a line without a path', () =>
    lines().some(({ msg, status, path }) => msg === 'request' && status === 400 && path === undefined),
  );
  socket.destroy();
});

test('an error of GraphQL is told of, though its status is 200', async () => {
  const json = { 'Content-Type': 'application/json' };
  const codeOf = async (body: unknown) => {
    const id = randomUUID();
    const headers = { ...json, 'X-Request-Id': id };
    await gateway.call('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
    return (await lineOf(id)).error;
  };
  const fails = { query: '{ logsAll(project: "a", start: "no time") { id } }' };
  // The second time, it is known, and goes another way.
  for (let round = 0; round < 2; round++) expect(await codeOf(fails)).toBe('BAD_USER_INPUT');
  expect(await codeOf([fails, fails])).toBe('BAD_USER_INPUT');
  expect(await codeOf({ query: '{ nothing }' })).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(await codeOf({ query: '{ __typename }' })).toBeUndefined();
});

test('no key, value, query or row is in the log, and every line is an object', async () => {
  const requestId = randomUUID();
  await gateway.query('logs.all', { ...query, sql: secrets.sql, api_key: secrets.key });
  await gateway.query('logs.all', { ...query, sql: `${secrets.sql} FROM` });
  await gateway.query('logs.all', query, { headers: { 'X-Request-Id': requestId } });
  await lineOf(requestId);
  const { stdout, stderr } = gateway.command;
  for (const secret of Object.values(secrets)) expect(stdout + stderr).not.toContain(secret);
  expect(stderr).toBe('');
  expect(lines().length).toBeGreaterThan(10);
});

test('the last lines are there when it stops', async () => {
  const other = await Workspace.withShippedSchema();
  try {
    const stopping = await Gateway.serve(other, { LOG_FORMAT: 'json' });
    const ids = Array.from({ length: 200 }, () => randomUUID());
    await Promise.all(ids.map((id) => stopping.call('/livez', { headers: { 'X-Request-Id': id } })));
    const { stdout, code } = await stopping.stop();
    expect(code).toBe(0);
    const told = new Set(stdout.match(/"requestId":"[^"]+"/g));
    for (const id of ids) expect(told).toContain(`"requestId":"${id}"`);
    expect(stdout).toMatch(/"signal":"SIGTERM","msg":"Stopping"\}\n(?:.*\n)*.*"msg":"Stopped"\}\n$/);
  } finally {
    await other.remove();
  }
});
