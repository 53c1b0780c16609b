import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/engines/registry.ts';
import { Gateway, type Row } from './support/gateway.ts';
import { vectorEvents } from './support/vector-events.ts';
import { Workspace } from './support/workspace.ts';

const now = new Date();
const events = vectorEvents(now);
const start = new Date(now.getTime() - 3_600_000).toISOString();
const end = new Date(now.getTime() + 3_600_000).toISOString();

const text = await readFile('docs/supabase.md', 'utf8');

/** The source of each name of a sink, as the document lists them. */
const sources = [...text.matchAll(/^\| `([\w.-]+)` \| `(\w+)` \|$/gm)].map(
  ([, name = '', source = '']) => [name, source] as const,
);

let workspace: Workspace;
let gateway: Gateway;
const keys = { collector: '', studio: '' };

/** Sends a batch as Vector's HTTP sink does. */
function send(name: string, batch: readonly object[], isCompressed = false): Promise<Response> {
  const body = JSON.stringify(batch);
  return fetch(`${gateway.url}/api/logs?source_name=${name}`, {
    method: 'POST',
    headers: {
      'x-api-key': keys.collector,
      'Content-Type': 'application/json',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    },
    body: isCompressed ? gzipSync(body) : body,
  });
}

/** Asks as Studio does. */
async function ask(sql: string): Promise<Row[]> {
  const query = new URLSearchParams({
    ...{ project: 'default', iso_timestamp_start: start, iso_timestamp_end: end, sql },
  });
  const response = await fetch(`${gateway.url}/api/endpoints/query/logs.all?${query}`, {
    headers: { 'x-api-key': keys.studio, 'Content-Type': 'application/json', Accept: 'application/json' },
  });
  const answer = (await response.json()) as { result?: Row[] };
  if (answer.result === undefined) throw new Error(JSON.stringify(answer));
  return answer.result;
}

/** What the events of a sink say, newest first. */
const messagesOf = (name: string) =>
  (events[name] ?? []).map((event) => ('event_message' in event ? event.event_message : null)).reverse();

async function makeKey(name: string, scope: string): Promise<string> {
  const { stdout, code } = await workspace.run(['keys', 'create', '--name', name, '--scopes', scope]);
  expect(code).toBe(0);
  return stdout.trim();
}

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  [gateway, keys.collector, keys.studio] = await Promise.all([
    Gateway.serve(workspace),
    makeKey('collector', 'write'),
    makeKey('studio', 'query'),
  ]);
  expect(sources.map(([name]) => name).sort()).toEqual(Object.keys(events).sort());
  for (const [name, batch] of Object.entries(events)) {
    const answer = await send(name, batch);
    expect(await answer.text(), name).toBe('{"message":"Logged!"}');
  }
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

describe.each(sources)('what the collector sends to %s', (name, source) => {
  test('is in the table, newest first, once', async () => {
    expect((await send(name, events[name] ?? [], true)).status).toBe(200);
    const rows = await ask(
      `select id, timestamp, event_message from ${source} order by timestamp desc limit 100`,
    );
    expect(rows.map((row) => row.event_message)).toEqual(messagesOf(name));
  });

  test('is counted by minute', async () => {
    const rows = await ask(
      `SELECT timestamp_trunc(t.timestamp, minute) as timestamp, count(t.timestamp) as count FROM ${source} t
       WHERE t.timestamp > '${start}' GROUP BY timestamp ORDER BY timestamp ASC`,
    );
    const counts = rows.map(({ count }) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(events[name]?.length);
  });

  test('is found by id, with its metadata', async () => {
    const [first] = await ask(`select id from ${source} order by timestamp asc limit 1`);
    const sql = `select id, timestamp, event_message, metadata from ${source} where id = '${first?.id}' limit 1`;
    expect(await ask(sql)).toMatchObject([{ id: first?.id, event_message: messagesOf(name).at(-1) }]);
  });
});

describe('fields of metadata', () => {
  test('of requests', async () => {
    const rows = await ask(
      `-- a comment
       select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code
       from edge_logs
       cross join unnest(metadata) as m
       cross join unnest(m.request) as request
       cross join unnest(m.response) as response
       where (response.status_code between 500 and 599)
       order by timestamp desc
       limit 100;`,
    );
    expect(rows).toMatchObject([
      { method: 'POST', path: '/auth/v1/token?grant_type=password', search: null, status_code: 500 },
    ]);
  });

  test('of requests, charted by status', async () => {
    const rows = await ask(
      `SELECT timestamp_trunc(t.timestamp, hour) as timestamp,
         count(CASE WHEN NOT (response.status_code >= 500) THEN 1 END) as ok_count,
         count(CASE WHEN response.status_code >= 500 THEN 1 END) as error_count,
       FROM edge_logs t
         cross join unnest(metadata) as m
         cross join unnest(m.request) as request
         cross join unnest(m.response) as response
       where t.timestamp > '${start}'
       GROUP BY timestamp ORDER BY timestamp ASC`,
    );
    const sum = (column: string) => rows.reduce((all, row) => all + Number(row[column]), 0);
    expect([sum('ok_count'), sum('error_count')]).toEqual([2, 1]);
  });

  test('of the auth service', async () => {
    const rows = await ask(
      `select id, auth_logs.timestamp, event_message, metadata.level, metadata.status, metadata.path,
         metadata.msg as msg, metadata.error, metadata.duration, event.action
       from auth_logs cross join unnest(metadata) as metadata left join unnest(metadata.auth_event) as event
       order by timestamp desc limit 100`,
    );
    expect(rows).toMatchObject([
      { level: 'error', status: 403, path: '/user', error: 'invalid claim' },
      { level: 'info', action: 'login', msg: 'Login' },
      { level: 'info', status: 200, path: '/token', msg: 'request completed', duration: 51_234_567 },
    ]);
    const failed = await ask(
      `select count(*) as count from auth_logs cross join unnest(metadata) as metadata
       where IFNULL(metadata.level, '') IN ('error', 'fatal') OR IFNULL(SAFE_CAST(metadata.status AS INT64), 0) >= 500`,
    );
    expect(failed).toEqual([{ count: 1 }]);
  });

  test('of the database', async () => {
    const rows = await ask(
      `select postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint
       from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed
       order by timestamp desc limit 100`,
    );
    expect(rows.map((row) => row.error_severity)).toEqual(['ERROR', 'LOG']);
  });

  test('of the storage service', async () => {
    const rows = await ask(
      `select m.level, m.tenantId, context.host, context.pid
       from storage_logs cross join unnest(metadata) as m left join unnest(m.context) as context
       order by timestamp desc limit 100`,
    );
    expect(rows).toMatchObject([
      { level: null, tenantId: 'default', host: null },
      { level: 'warn', host: 'f3a1', pid: 7 },
      { level: 'info', host: 'f3a1', pid: 7 },
    ]);
  });

  test('of functions', async () => {
    const rows = await ask(
      `select function_logs.timestamp, metadata.event_type, metadata.level, metadata.function_id
       from function_logs cross join unnest(metadata) as metadata order by timestamp desc limit 100`,
    );
    expect(rows).toMatchObject([{ event_type: 'Boot', level: 'log' }]);
  });
});

test("a project's requests by area are counted for URLs only, which the events of Kong don't have", async () => {
  const url = `${gateway.url}/api/endpoints/query/usage.api-counts?interval=hourly&project=default`;
  const response = await fetch(url, { headers: { 'x-api-key': keys.studio } });
  expect(await response.json()).toMatchObject({ result: [] });
});

test('the keys may do no more than they need', async () => {
  const asStudio = { method: 'POST', headers: { 'x-api-key': keys.studio }, body: '{}' };
  expect((await fetch(`${gateway.url}/api/logs?source_name=postgres.logs`, asStudio)).status).toBe(403);
  const asCollector = { headers: { 'x-api-key': keys.collector } };
  const url = `${gateway.url}/api/endpoints/query/logs.all?project=default`;
  expect((await fetch(url, asCollector)).status).toBe(403);
});

test('the service in the compose file has settings and a health check that exist', async () => {
  const [, yaml = ''] = /^```yaml\n(.*?)^```/ms.exec(text) ?? [];
  const { environment, healthcheck } = parse(yaml).analytics;
  const settings = await readFile('docs/settings.md', 'utf8');
  for (const name of Object.keys(environment)) expect(settings).toContain(`| \`${name}\` |`);
  expect(readConfig({ ...environment, PORT: String(environment.PORT) })).toMatchObject({
    port: 4000,
    host: '0.0.0.0',
  });
  const [, url = ''] = /fetch\('http:\/\/127\.0\.0\.1:4000(\/\w+)'\)/.exec(healthcheck.test.at(-1)) ?? [];
  expect((await gateway.call(url, { key: null })).status).toBe(200);
});
