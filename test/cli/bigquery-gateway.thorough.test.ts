import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { launchGateway } from '../../src/app/gateway/launch-gateway.ts';
import { type LogFields, plainLog } from '../../src/base/terminal/log.ts';
import { importCommand } from '../../src/cli/import/import.ts';
import { type ServedRows, serveRows } from '../tools/emulators/bigquery/support/served-rows.ts';

let rows: ServedRows;
let folder: string;

beforeAll(async () => {
  const timestamp = '2026-11-20T05:00:00Z';
  rows = await serveRows({
    edge: {
      columns: [{ name: 'status', type: 'INTEGER' }],
      rows: [200, 404, 500].map((status) => ({ id: `${status}`, timestamp, status })),
    },
  });
});
afterAll(() => rows?.[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bigquery-gateway-'));
  rows.server.clearFaults();
});
afterEach(() => rm(folder, { recursive: true }));

const sql = `/*
id: 00000000-0000-4000-8000-000000000001
name: statuses
sandbox: true
parameters:
  least: {type: INT64}
*/
WITH statuses AS (SELECT id, timestamp, status FROM logs.edge WHERE status >= COALESCE(@least, 0))
SELECT status FROM statuses ORDER BY status`;

async function start(environment: Record<string, string> = {}) {
  const lines: [string, LogFields][] = [];
  await writeFile(path.join(folder, 'statuses.sql'), sql);
  const line = (message: string, fields: LogFields = {}) => void lines.push([message, fields]);
  const config = readConfig({
    PORT: '0',
    API_KEY: 'key',
    DATA_DIR: path.join(folder, 'data'),
    ENDPOINTS_DIR: folder,
    SOURCES_DIR: rows.sourcesDir,
    ENGINE: 'bigquery',
    GOOGLE_CLOUD_PROJECT: 'test-project',
    BIGQUERY_DATASET: 'logs_eu',
    BIGQUERY_EMULATOR_HOST: rows.server.url,
    ...environment,
  });
  const gateway = await launchGateway(config, { log: { ...plainLog(() => {}), warn: line, info: line } });
  onTestFinished(() => gateway.close());
  const call = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(`${gateway.url}${target}`, {
      ...init,
      headers: { 'X-API-KEY': 'key', ...init.headers },
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const query = (parameters: Record<string, string> = {}) =>
    call(`/api/endpoints/query/statuses?${new URLSearchParams(parameters)}`);
  return { call, query, lines, config };
}

describe('a gateway on BigQuery', () => {
  test('does not start with a table for a source that there isn’t', async () => {
    await expect(start({ BIGQUERY_TABLES: 'edges=other.edge' })).rejects.toThrow(
      'BIGQUERY_TABLES: unknown source "edges". Known sources: edge',
    );
  });

  test('answers stored queries, and those of callers in SQL and LQL', async () => {
    const { query } = await start();
    expect(await query({ least: '300' })).toMatchObject({
      status: 200,
      body: '{"result":[{"status":404},{"status":500}]}',
    });
    const own = await query({ sql: 'SELECT COUNT(*) AS n FROM statuses' });
    expect(own.body).toBe('{"result":[{"n":3}]}');
    expect(Number(own.headers.get('x-bytes-processed'))).toBeGreaterThan(0);
    expect(Number(own.headers.get('x-bytes-billed'))).toBeGreaterThan(0);
    expect(own.headers.get('server-timing')).toMatch(/\bengine;dur=\d/);
    const lql = await query({ lql: 's:status f:statuses status:500' });
    expect(lql.body).toBe('{"result":[{"status":500}]}');
  });

  test.each([
    ['true', [200, 503]],
    ['false', [404]],
  ])('has a console for browsers with CONSOLE=%s', async (CONSOLE, statuses) => {
    const { call } = await start({ CONSOLE });
    // Without its build, it says so.
    expect(statuses).toContain((await call('/', { headers: { Accept: 'text/html' } })).status);
  });

  test('needs no data folder, and makes none', async () => {
    await start();
    expect(await readdir(folder)).toEqual(['statuses.sql']);
  });

  test('says where rows belong when it is sent some', async () => {
    const { call, config } = await start();
    const reply = await call('/api/sources/edge/rows', { method: 'POST', body: '{"id":"x"}\n' });
    expect(reply).toMatchObject({
      status: 404,
      body: '{"error":"This gateway reads rows from BigQuery. Add rows there.","code":"NOT_FOUND"}',
    });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const environment = {
      stdin: process.stdin,
      stdout,
      stderr,
      clock: { now: () => Date.now(), elapsed: () => 0 },
    };
    expect(await importCommand({ source: 'edge', files: ['x'] }, config, environment)).toBe(1);
    expect(String(stderr.read())).toMatch(/^With ENGINE=bigquery, rows are stored in BigQuery/);
  });

  test('says in /readyz that BigQuery was reached', async () => {
    const { call, lines } = await start();
    expect((await call('/readyz')).body).toBe('{"status":"ok","bigquery":"reached"}');
    expect(lines).toEqual([['BigQuery was reached', { project: 'test-project' }]]);
  });

  test('starts without BigQuery, and says so', async () => {
    rows.server.fail({ path: '/', times: 0, status: { code: 503, reason: 'backendError', message: 'Gone' } });
    const { call, query, lines } = await start();
    expect((await call('/readyz')).body).toBe('{"status":"ok","bigquery":"not reached"}');
    expect(lines).toEqual([
      ['BigQuery has not been reached yet', { project: 'test-project', reason: 'Gone' }],
    ]);
    const failed = await query();
    expect(failed.status).toBe(503);
    expect(failed.headers.get('Retry-After')).toMatch(/^\d+$/);
  });

  test('counts what it asks of BigQuery', async () => {
    const { call, query } = await start();
    await query();
    const { body } = await call('/metrics');
    expect(body).toMatch(/^gateway_bigquery_\w+\{.*\} [1-9]/m);
    expect(body).toContain('engine="bigquery"');
  });

  test('shows nothing of a table that there is not to callers, and all of it in the log', async () => {
    const { query, lines } = await start({ BIGQUERY_TABLES: 'edge=nowhere-2026' });
    const { status, body } = await query();
    expect(status).toBe(503);
    expect(body).not.toMatch(/nowhere|test-project|logs_eu/);
    expect(JSON.stringify(lines)).toContain('nowhere-2026');
  });

  test('sends the labels, the location and the limit of the settings', async () => {
    const { query } = await start({
      BIGQUERY_LABELS: 'Team=My Team',
      BIGQUERY_MAX_BYTES_BILLED: '100000000',
      BIGQUERY_LOCATION: 'US',
    });
    expect((await query()).status).toBe(200);
    const sent = rows.server.requests.findLast(
      ({ method, path }) => method === 'POST' && path.endsWith('/jobs'),
    );
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      jobReference: { projectId: 'test-project', location: 'US' },
      configuration: {
        labels: { team: 'my_team', endpoint: 'statuses' },
        query: { maximumBytesBilled: '100000000', useLegacySql: false },
      },
    });
  });

  test('takes events of collectors, and names those that BigQuery would not', async () => {
    const { call, query } = await start();
    const post = (events: object) =>
      call('/api/logs?source=edge', { method: 'POST', body: JSON.stringify(events) });
    const timestamp = '2026-11-20T06:00:00Z';
    const event = { id: 'new', timestamp, status: 599 };
    expect(await post([event])).toMatchObject({ status: 200, body: '{"message":"Logged!"}' });
    expect(await post([event])).toMatchObject({ status: 200 });
    expect((await query({ least: '590' })).body).toBe('{"result":[{"status":599}]}');
    const refused = await post([{ ...event, id: 'bad', status: 'many' }]);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('status: expected INT64, got \\"many\\"');
    expect((await post([{ ...event, id: 'other', region: 'eu' }])).body).toContain('region: unknown field');
  });
});
