import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiCounts, type EdgeRow, edgeRow } from './support/edge-rows.ts';
import { Gateway, type Row } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

const realRowsFile = '../shared/data/ndjson/edge_logs.ndjson.gz';
const hasRealRows = existsSync(realRowsFile);

const minute = 60_000;
const now = Date.now();
const ago = (milliseconds: number) => new Date(now - milliseconds);

/** Far enough from the ends of all windows for the time that the tests take. */
const recentRows = [
  ...Array.from({ length: 300 }, (_, n) => {
    const path =
      ['/rest/v1/a', '/auth/v1/token', '/storage/v1/object', '/realtime/v1', '/graphql'][n % 5] ?? '';
    return edgeRow(ago(5 * minute + n * 10_037), 'busy', path);
  }),
  ...Array.from({ length: 300 }, (_, n) => edgeRow(ago(70 * minute + n * 31 * minute), 'busy', '/rest/v1/b')),
  edgeRow(ago(20 * minute), 'busy', '/rest/storage/auth/realtime/rest'),
  edgeRow(ago(21 * minute), 'busy', '/auth/v1', '/auth/v1', '/other'),
  edgeRow(ago(22 * minute), 'other.busy', '/rest/v1'),
  edgeRow(ago(23 * minute), 'busy'),
  { ...edgeRow(ago(24 * minute), 'busy'), metadata: [] },
  { ...edgeRow(ago(25 * minute), 'busy'), metadata: [{}] },
  edgeRow(ago(7 * 24 * 60 * minute + 5 * minute), 'busy', '/rest/v1/old'),
];

const micros = ['000000', '000001', '000002'].map((digits) => `2025-01-31T10:00:00.${digits}Z`);
const boundaryRows = micros.map((timestamp) => edgeRow(timestamp, 'exact', '/rest/v1'));

let workspace: Workspace;
let gateway: Gateway;
let realRows: EdgeRow[] = [];

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  const files = [await workspace.writeRows('edge.ndjson', [...recentRows, ...boundaryRows])];
  if (hasRealRows) {
    realRows = gunzipSync(await readFile(realRowsFile))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    files.push(realRowsFile);
  }
  const imported = await workspace.run(['import', 'edge_logs', ...files]);
  // Whoever waits for five seconds is told how far it has come.
  expect(imported.stderr.replace(/^.*: (?:\d+%|committing)\n/gm, '')).toBe('');
  expect(imported.stdout).toContain(
    `imported ${recentRows.length + boundaryRows.length} rows into edge_logs`,
  );
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

test('the line that says it is ready tells what there is', () => {
  const rows = (recentRows.length + boundaryRows.length + realRows.length).toLocaleString('en');
  expect(gateway.command.stdout).toBe(`Ready at ${gateway.url} (2 endpoints, 9 sources, ${rows} rows)\n`);
  expect(gateway.command.stderr).toBe('');
});

describe('usage.api-counts', () => {
  const windows = [
    { interval: 'minutely', since: ago(60 * minute), bucketLength: 16 },
    { interval: 'hourly', since: ago(60 * minute), bucketLength: 13 },
    { interval: 'daily', since: ago(7 * 24 * 60 * minute), bucketLength: 10 },
  ];

  test.each(windows)('counts requests by area, $interval', async ({ interval, since, bucketLength }) => {
    const expected = apiCounts(recentRows, /busy/, since, bucketLength);
    expect(expected.length).toBeGreaterThan(0);
    expect(await gateway.rows('usage.api-counts', { interval, project: 'busy' })).toEqual(expected);
  });

  test('takes the project as a regular expression on the URL', async () => {
    const project = '^https://busy\\.example';
    const expected = apiCounts(recentRows, /^https:\/\/busy\.example/, ago(60 * minute), 13);
    expect(await gateway.rows('usage.api-counts', { interval: 'hourly', project })).toEqual(expected);
  });

  test('has no rows for a project without requests', async () => {
    const reply = await gateway.query('usage.api-counts', { interval: 'daily', project: 'nobody' });
    expect(reply.body).toBe('{"result":[]}');
  });

  test.each([
    [{ project: 'a' }, /"interval".*hourly, daily, minutely/],
    [{ interval: 'weekly', project: 'a' }, /"interval".*hourly, daily, minutely/],
    [{ interval: 'daily' }, /"project"/],
    [{ interval: 'daily', project: '' }, /"project"/],
    [{ interval: 'daily', project: '(' }, /"project"/],
  ])('refuses %o', async (parameters, error) => {
    const reply = await gateway.query('usage.api-counts', parameters);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toEqual({
      error: expect.stringMatching(error),
      code: expect.any(String),
      parameter: expect.stringMatching(/^\w+$/),
    });
  });
});

describe('logs.all', () => {
  const timestamps = (rows: readonly Row[]) => rows.map(({ timestamp }) => timestamp);
  const instants = micros.map(
    (text) => Date.parse(`${text.slice(0, 23)}Z`) * 1000 + Number(text.slice(23, 26)),
  );

  test('answers the rows of one project, newest first, in the order of the columns', async () => {
    const reply = await gateway.query('logs.all', { project: 'exact' });
    const newest = boundaryRows.at(-1);
    expect(reply.body).toMatch(
      `{"result":[{"id":"${newest?.id}","timestamp":1738317600000002,"event_message":"GET /rest/v1","metadata":[{`,
    );
    expect(timestamps(JSON.parse(reply.body).result)).toEqual(instants.toReversed());
  });

  test('excludes the start and includes the end, to the microsecond', async () => {
    const [first = '', second = '', third = ''] = micros;
    const between = async (iso_timestamp_start: string, iso_timestamp_end: string) =>
      timestamps(
        await gateway.rows('logs.all', { project: 'exact', iso_timestamp_start, iso_timestamp_end }),
      );
    expect(await between(first, second)).toEqual([instants[1]]);
    expect(await between(first, third)).toEqual([instants[2], instants[1]]);
    expect(await between('', first)).toEqual([instants[0]]);
    expect(await between('2025-01-31T11:00:00.000001+01:00', '')).toEqual([instants[2]]);
    expect(await between(third, first)).toEqual([]);
  });

  test('shows rows without requests and without metadata', async () => {
    const rows = await gateway.rows('logs.all', {
      project: 'busy',
      iso_timestamp_start: ago(26 * minute).toISOString(),
      iso_timestamp_end: ago(23 * minute).toISOString(),
    });
    const odd = new Map(recentRows.slice(-4, -1).map((row) => [row.id, row]));
    const shown = rows.filter(({ id }) => odd.has(String(id)));
    expect(shown.map(({ metadata }) => metadata)).toEqual([
      [expect.objectContaining({ request: [] })],
      [],
      [expect.objectContaining({ request: [] })],
    ]);
  });

  test.each([
    [{}, /"project"/],
    [{ project: 'a', iso_timestamp_start: 'yesterday' }, /"iso_timestamp_start"/],
    [{ project: 'a', iso_timestamp_end: '2025-02-30T00:00:00Z' }, /"iso_timestamp_end"/],
    [
      { project: 'a', iso_timestamp_end: '2025-01-31T24:00:00Z' },
      /"iso_timestamp_end".*2025-01-31T24:00:00Z/,
    ],
  ])('refuses %o', async (parameters, error) => {
    const reply = await gateway.query('logs.all', parameters);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toEqual({
      error: expect.stringMatching(error),
      code: expect.any(String),
      parameter: expect.stringMatching(/^\w+$/),
    });
  });

  test.skipIf(!hasRealRows)(
    'answers the newest 100 real rows of each project as they were imported',
    async () => {
      const byId = new Map(realRows.map((row) => [row.id, row]));
      for (const project of new Set(realRows.map((row) => row.project ?? ''))) {
        const ofProject = realRows.filter((row) => row.project === project);
        const newest = ofProject.map(({ timestamp }) => toMicros(timestamp)).sort((a, b) => b - a);
        const rows = await gateway.rows('logs.all', { project });
        expect(timestamps(rows)).toEqual(newest.slice(0, 100));
        for (const { id, event_message, metadata } of rows) {
          const imported = byId.get(String(id));
          expect(event_message).toBe(imported?.event_message);
          expect(withoutNulls(metadata)).toEqual(withoutNulls(imported?.metadata));
        }
      }
    },
  );
});

describe('both endpoints', () => {
  const project = { project: 'exact' };

  test('are called by UUID in any letter case and in the legacy spellings', async () => {
    const wanted = (await gateway.query('logs.all', project)).body;
    const id = '2f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f10';
    for (const path of [
      `/api/endpoints/query/${id}`,
      `/api/endpoints/query/${id.toUpperCase()}`,
      '/api/endpoints/query/name/logs.all',
      '/endpoints/query/logs.all',
      `/endpoints/query/${id}`,
    ]) {
      expect((await gateway.call(`${path}?project=exact`)).body).toBe(wanted);
    }
  });

  test('take a key in either header, and tell nothing without one', async () => {
    const bearer = { key: null, headers: { Authorization: 'Bearer a-key' } };
    expect((await gateway.query('logs.all', project, bearer)).status).toBe(200);
    for (const key of [null, 'a-ke', 'a-key2', '']) {
      for (const name of ['logs.all', 'no.such.endpoint']) {
        const reply = await gateway.query(name, project, { key });
        expect({ status: reply.status, body: reply.body }).toEqual({
          status: 401,
          body: '{"error":"Unauthorized","code":"UNAUTHENTICATED"}',
        });
      }
    }
  });

  test.each([
    [404, 'GET', '/api/endpoints/query/no.such.endpoint', {}],
    [404, 'GET', '/api/nothing', {}],
    [404, 'GET', '/api/endpoints/query/name/2f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f10', {}],
    [405, 'DELETE', '/api/endpoints/query/logs.all', {}],
    [405, 'POST', '/endpoints/query/logs.all', { body: '{}' }],
    [400, 'POST', '/api/endpoints/query/logs.all', { body: '{"project":' }],
    [400, 'GET', '/api/endpoints/query/logs.all?project=%ff', {}],
    [415, 'POST', '/api/endpoints/query/logs.all', { body: 'a', headers: { 'Content-Type': 'text/plain' } }],
    [
      413,
      'POST',
      '/api/endpoints/query/logs.all',
      { body: JSON.stringify({ project: 'a'.repeat(12_000_001) }) },
    ],
  ])('answer %i with an error text to %s %s', async (status, method, path, options) => {
    const headers = { 'Content-Type': 'application/json', ...('headers' in options ? options.headers : {}) };
    const reply = await gateway.call(path, { method, ...options, headers });
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('answer HEAD without a body and OPTIONS without a key, for browsers', async () => {
    const head = await gateway.query('logs.all', project, { method: 'HEAD' });
    expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: '' });
    const preflight = await gateway.query('logs.all', project, { method: 'OPTIONS', key: null });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-API-Key');
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('are ready without a key', async () => {
    expect((await gateway.call('/readyz', { key: null })).status).toBe(200);
  });
});

function toMicros(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`) * 1000 + Number(timestamp.slice(23, 26));
}

/** Rows leave out what is NULL or empty, answers show it. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, part]) => part !== null && !isEmpty(part));
  return Object.fromEntries(present.map(([key, part]) => [key, withoutNulls(part)]));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
