import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import { plainLog } from '../../../src/base/terminal/log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'collectors-'));
});
afterEach(() => rm(folder, { recursive: true }));

const endpoint = `/*
id: 00000000-0000-4000-8000-000000000002
name: app
sandbox: true
*/
WITH app AS (SELECT * FROM logs.app) SELECT id FROM app`;

const fields = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'event_message', type: 'STRING' },
  { name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'status', type: 'INT64' }] },
];

/** A gateway with one source, its engine process, and a key. */
async function start(source: object = {}) {
  await writeFile(path.join(folder, 'app.sql'), endpoint);
  await writeFile(
    path.join(folder, 'app.json'),
    JSON.stringify({ fields, aliases: ['app.logs'], ...source }),
  );
  const out: string[] = [];
  const folders = {
    RECORD_CALLS: 'false',
    DATA_DIR: path.join(folder, 'data'),
    ENDPOINTS_DIR: folder,
    SOURCES_DIR: folder,
  };
  const config = readConfig({ PORT: '0', API_KEY: 'key', ...folders });
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void out.push(text) };
  const reload = { output, watch: false, requests: { listen() {} } };
  const log: string[] = [];
  const gateway = await launchGateway(config, { log: plainLog((line) => void log.push(line)), reload });
  onTestFinished(() => gateway.close());
  const headers = { 'X-API-KEY': 'key' };
  return {
    ...{ out, log },
    close: () => gateway.close(),
    post: async (target: string, body: string, more: Record<string, string> = {}) => {
      const init = { method: 'POST', body, headers: { ...headers, ...more } };
      const response = await fetch(`${gateway.url}${target}`, init);
      return { status: response.status, body: await response.json() };
    },
    rows: async (sql: string) => {
      const query = new URLSearchParams({ sql });
      const response = await fetch(`${gateway.url}/api/endpoints/query/app?${query}`, { headers });
      return response.json();
    },
  };
}

test('events that are answered are in the next result, once', async () => {
  const { post, rows } = await start();
  const body = JSON.stringify([{ message: 'a', metadata: { status: 200 } }, { message: 'b' }]);
  const logged = { status: 200, body: { message: 'Logged!' } };
  expect(await post('/api/logs?source=app', body)).toEqual(logged);
  expect(await post('/api/logs?source_name=app.logs', body)).toEqual(logged);
  const sql = 'SELECT event_message AS m, (SELECT status FROM UNNEST(metadata)) AS s FROM app ORDER BY m';
  expect(await rows(sql)).toEqual({
    result: [
      { m: 'a', s: 200 },
      { m: 'b', s: null },
    ],
  });
});

test('of a body with a bad event, nothing is added, unless the others may be', async () => {
  const { post, rows } = await start();
  const body = '{"id":"1","message":"good"}\n{"id":"2","metadata":{"status":"many"}}\n';
  const rejected = [
    { source: 'app', unit: 'line', index: 2, reason: 'metadata.status: expected INT64, got "many"' },
  ];
  const refused = await post('/api/logs?source=app', body);
  expect(refused).toMatchObject({ status: 400, body: { rejected, rejectedCount: 1 } });
  const count = 'SELECT COUNT(*) AS n FROM app';
  expect(await rows(count)).toEqual({ result: [{ n: 0 }] });
  const partial = await post('/api/logs?source=app&partial=true', body);
  expect(partial).toMatchObject({ status: 200, body: { message: 'Logged!', rejected } });
  expect(await rows(count)).toEqual({ result: [{ n: 1 }] });
  const file = path.join(folder, 'data', 'rejected.ndjson');
  await expect.poll(async () => (await readFile(file, 'utf8')).trim().split('\n').length).toBe(2);
});

test('OTLP has its own answers, and names its source', async () => {
  const { post, rows } = await start({ unknownFields: 'ignore' });
  const record = (text: string) => ({ timeUnixNano: '1764061200000000000', body: { stringValue: text } });
  const resource = { attributes: [{ key: 'source', value: { stringValue: 'app' } }] };
  const body = JSON.stringify({
    resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record('hello')] }] }],
  });
  const json = { 'Content-Type': 'application/json' };
  expect(await post('/v1/logs', body, json)).toEqual({ status: 200, body: {} });
  expect(await rows('SELECT event_message AS m FROM app')).toEqual({ result: [{ m: 'hello' }] });
  expect(await post('/v1/logs', '{"resourceLogs": 5}', json)).toMatchObject({
    status: 400,
    body: { code: 3 },
  });
});

test('a source that takes new fields has them in the rows, and soon in the queries', async () => {
  const { post, rows, out } = await start({ unknownFields: 'add' });
  const event = { message: 'a', metadata: { region: 'eu', took: 1.5 }, tags: ['x', 'y'] };
  expect(await post('/api/logs?source=app', JSON.stringify(event))).toMatchObject({ status: 200 });
  await expect.poll(() => out.join('')).toContain('metadata.region STRING');
  const sql = 'SELECT m.region, m.took, tags FROM app CROSS JOIN UNNEST(metadata) AS m';
  await expect.poll(() => rows(sql)).toEqual({ result: [{ region: 'eu', took: 1.5, tags: ['x', 'y'] }] });
  const other = await post('/api/logs?source=app', JSON.stringify({ metadata: { region: 7 } }));
  expect(other.body.warnings).toEqual([expect.stringContaining('metadata.region: expected STRING, got 7')]);
  const others =
    'SELECT LAX_INT64(other_fields.metadata.region) AS region FROM app WHERE other_fields IS NOT NULL';
  await expect.poll(() => rows(others)).toEqual({ result: [{ region: 7 }] });
});

test('a gateway that stops logs what it has received since the last line', async () => {
  const { post, log, close } = await start();
  expect(await post('/api/logs?source=app', '{"metadata": 7}')).toMatchObject({ status: 400 });
  expect(log).toEqual([]);
  await close();
  expect(log.join('')).toMatch(/rows received.*source="app".*rejected=1/);
});
