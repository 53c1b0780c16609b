import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

/** A cached endpoint over what `logs.all` reads, and one that takes no queries. */
const cached = `/*
id: 5e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d84
name: cached
cacheSeconds: 60
sandbox: true
parameters:
  project: {required: true}
*/
WITH edges AS (SELECT id, timestamp, event_message, metadata FROM logs.edge_logs WHERE project = @project)
SELECT id FROM edges ORDER BY id LIMIT 1
`;
const closed = `/*
id: 6e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d84
name: closed
*/
WITH a AS (SELECT 1 AS x) SELECT x FROM a
`;

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await workspace.write('endpoints/cached.sql', cached);
  await workspace.write('endpoints/closed.sql', closed);
  const rows = [
    edgeRow('2025-01-01T00:00:01Z', 'own', '/rest/v1', '/auth/v1'),
    edgeRow('2025-01-01T00:00:02Z', 'own', '/rest/v1'),
    edgeRow('2025-01-01T00:00:03Z', 'other', '/secret'),
  ];
  expect((await workspace.run(['import', 'edge_logs', await workspace.writeRows('e', rows)])).stderr).toBe(
    '',
  );
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

const paths = 'SELECT r.path FROM edge_logs, UNNEST(metadata) AS m, UNNEST(m.request) AS r ORDER BY path';
const ownPaths = [{ path: '/auth/v1' }, { path: '/rest/v1' }, { path: '/rest/v1' }];
const route = '/api/endpoints/query/logs.all';
const result = ({ status, body }: { status: number; body: string }) =>
  status === 200 ? JSON.parse(body).result : `${status} ${JSON.parse(body).error}`;

function send(type: string, body: string) {
  return gateway.call(`${route}?project=own`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });
}

describe('a query of the caller', () => {
  test('is taken from the query string and from bodies', async () => {
    expect(await gateway.rows('logs.all', { project: 'own', sql: paths })).toEqual(ownPaths);
    expect(result(await send('application/json', JSON.stringify({ sql: paths })))).toEqual(ownPaths);
    const form = new URLSearchParams({ sql: paths }).toString();
    expect(result(await send('application/x-www-form-urlencoded', form))).toEqual(ownPaths);
  });

  test('in LQL means the SQL that it stands for; SQL counts more, and empty is absent', async () => {
    const lql = 'f:edge_logs m.request.path:"/auth/v1" s:event_message';
    const message = [{ event_message: 'GET /rest/v1 /auth/v1' }];
    expect(await gateway.rows('logs.all', { project: 'own', lql })).toEqual(message);
    expect(await gateway.rows('logs.all', { project: 'own', sql: '', lql })).toEqual(message);
    expect(await gateway.rows('logs.all', { project: 'own', sql: paths, lql })).toEqual(ownPaths);
    expect(await gateway.rows('logs.all', { project: 'own', sql: '', lql: '' })).toHaveLength(2);
  });

  test('may use the parameters of the endpoint', async () => {
    const sql = 'SELECT @project AS project, COUNT(*) AS n FROM edge_logs';
    expect(await gateway.rows('logs.all', { project: 'own', sql })).toEqual([{ project: 'own', n: 2 }]);
  });

  test('is refused with the place in its own text, and without a word of the tables behind', async () => {
    const ask = async (parameters: Record<string, string>) =>
      result(await gateway.query('logs.all', { project: 'own', ...parameters }));
    expect(await ask({ sql: 'SELECT 1\nFROM  auth_users' })).toMatch(
      /^400 Table not found: auth_users \[at 2:7\]/,
    );
    expect(await ask({ sql: 'SELECT 1; SELECT 2' })).toMatch(/^400 Syntax error.*\[at 1:11\]/);
    expect(await ask({ lql: 'f:edge_logs nope:1' })).toMatch(/^400 LQL: .*nope.*\[at 1:13\]/);
    const refused = 'SELECT 1,\n ST_GEOGPOINT(1, 2) FROM edge_logs';
    expect(await ask({ sql: refused })).toMatch(
      /^422 Not supported: the function ST_GEOGPOINT.* \[at 2:2\]$/,
    );
    const { body } = await gateway.query('logs.all', { project: 'own', sql: refused });
    expect(JSON.parse(body)).toMatchObject({ parameter: 'sql', location: { line: 2, column: 2 } });
    expect(result(await gateway.query('closed', { sql: 'SELECT 1' }))).toMatch(/^400 The endpoint "closed"/);
    expect(result(await gateway.query('closed', { lql: 'x' }))).toMatch(/^400 The endpoint "closed"/);
  });

  test('has its columns, its rows and whether they were cut in GraphQL', async () => {
    const ask = async (args: string) => {
      const query = `{ logsAllQuery(project: "own"${args}) { columns { name type } rows truncated } }`;
      const headers = { 'Content-Type': 'application/json' };
      const reply = await gateway.call('/graphql', {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      return JSON.parse(reply.body);
    };
    const sql = 'SELECT 9007199254740993 AS big, [STRUCT(1.5 AS x)] AS list, NULL AS nothing';
    const { data } = await ask(`, sql: ${JSON.stringify(`${sql} FROM edge_logs LIMIT 1`)}`);
    expect(data.logsAllQuery.columns).toEqual([
      { name: 'big', type: 'INT64' },
      { name: 'list', type: 'ARRAY<STRUCT<x FLOAT64>>' },
      { name: 'nothing', type: 'INT64' },
    ]);
    expect(data.logsAllQuery).toMatchObject({
      rows: [{ list: [{ x: 1.5 }], nothing: null }],
      truncated: false,
    });
    const lql = await ask(', sql: "", lql: "f:edge_logs s:id"');
    expect(lql.data.logsAllQuery.rows).toHaveLength(2);
    const [error] = (await ask('')).errors;
    expect(error).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    const [refused] = (await ask(', sql: "SELECT 1 FROM secrets"')).errors;
    expect(refused.extensions).toEqual({ code: 'SANDBOX_VIOLATION', argument: 'sql' });
  });

  test('is cached by what it asks, whatever the spelling', async () => {
    const status = async (sql: string) => {
      const reply = await gateway.query('cached', { project: 'own', sql });
      return [reply.status, reply.headers.get('cache-status')?.replace(/;? ?ttl=\d+/, '')];
    };
    const [, first] = await status('SELECT COUNT(*) AS n FROM edges');
    expect(first).toContain('fwd=uri-miss');
    expect(await status('select  count(*) as n -- again\nfrom Edges')).toEqual([
      200,
      'endpoint-gateway; hit',
    ]);
    expect((await status('SELECT COUNT(*) AS m FROM edges'))[1]).toContain('fwd=uri-miss');
    expect(
      (await gateway.query('cached', { project: 'other', sql: 'SELECT COUNT(*) AS n FROM edges' })).body,
    ).toBe('{"result":[{"n":1}]}');
  });

  test('is redacted where that is asked for', async () => {
    const sql = "SELECT CONCAT('from 10.0.', '0.9') AS text, ['10.0.0.9'] AS list";
    const headers = { 'LF-ENDPOINT-REDACT-PII': 'true' };
    const reply = await gateway.query('logs.all', { project: 'own', sql }, { headers });
    expect(reply.body).toBe('{"result":[{"text":"from REDACTED","list":["REDACTED"]}]}');
  });
});
