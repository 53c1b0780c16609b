import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { cells, errorOf, pageTokenOf, rest } from './support/rest.ts';
import { type ServedRows, serveRows } from './support/served-rows.ts';

let rows: ServedRows;
let api: ReturnType<typeof rest>;

beforeAll(async () => {
  const instant = (second: number) => `2026-11-20T05:00:0${second}.5Z`;
  rows = await serveRows({
    events: {
      columns: [{ name: 'n', type: 'INT64' }],
      rows: [0, 1, 2, 3, 4].map((n) => ({ id: `row-${n}`, timestamp: instant(n), n })),
    },
  });
  api = rest(rows.server);
});
afterAll(async () => rows?.[Symbol.asyncDispose]());

const ordered = 'SELECT n FROM logs_eu.events ORDER BY n';

describe('jobs.query', () => {
  test('waits as long as requested, and reports when the job is not complete', async () => {
    rows.server.fail({ path: '/queries$', jobRunsMs: 'forever' });
    const answer = await api.query('SELECT 1', { timeoutMs: 1 });
    expect(answer.json).toMatchObject({
      jobComplete: false,
      jobReference: { projectId: 'test-project', location: 'US' },
    });
    for (const field of ['schema', 'rows', 'totalRows', 'pageToken'])
      expect(answer.json).not.toHaveProperty(field);
  });

  test('needs no job for a short query, where that is allowed', async () => {
    const optional = { jobCreationMode: 'JOB_CREATION_OPTIONAL' };
    const answer = await api.query(ordered, optional);
    expect(cells(answer)).toHaveLength(5);
    expect(answer.json).not.toHaveProperty('jobReference');
    const [job] = rows.server.jobs;
    expect(errorOf(await api.get(`/jobs/${job?.reference.jobId}`)).reason).toBe('notFound');
    expect((await api.get('/jobs?maxResults=1')).text).not.toContain(job?.reference.jobId);
    expect((await api.query(ordered, { ...optional, maxResults: 2 })).json).toMatchObject({
      jobReference: {},
      jobCreationReason: { code: 'LARGE_RESULTS' },
    });
    rows.server.fail({ path: '/queries$', jobRunsMs: 'forever' });
    expect((await api.query('SELECT 1', { ...optional, timeoutMs: 1 })).json).toMatchObject({
      jobReference: {},
      jobCreationReason: { code: 'LONG_RUNNING' },
    });
  });

  test('makes one job of the same request under one id', async () => {
    const job = async (sql: string, requestId: string) =>
      (await api.query(sql, { requestId })).json.jobReference;
    const first = await job('SELECT 1', 'abc');
    expect(await job('SELECT 1', 'abc')).toEqual(first);
    expect(await job('SELECT 1', 'ABC')).not.toEqual(first);
    expect(await job('SELECT 2', 'abc')).not.toEqual(first);
    expect(errorOf(await api.query('SELECT 1', { requestId: 'a'.repeat(37) })).reason).toBe('invalid');
  });

  test('reports the error of a query that fails on its data', async () => {
    expect(errorOf(await api.query('SELECT CAST(id AS INT64) FROM logs_eu.events'))).toEqual({
      status: 400,
      reason: 'invalidQuery',
      message: expect.stringMatching(/^Bad int64 value: row-\d$/),
    });
    expect(errorOf(await api.query('SELECT [1, NULL] AS list')).message).toBe(
      'Array cannot have a null element; error in writing field list',
    );
  });

  test('has rows that ran before in its cache, and bills nothing for them', async () => {
    const sql = 'SELECT SUM(n) AS cached FROM logs_eu.events';
    const caching = rest(await rows.start({ queryCache: true }));
    const ask = async (more?: object) => (await caching.query(sql, more)).json;
    expect(await ask()).toMatchObject({ cacheHit: false, totalBytesBilled: '10485760' });
    expect(await ask()).toMatchObject({ cacheHit: true, totalBytesBilled: '0' });
    expect(await ask({ useQueryCache: false })).toMatchObject({ cacheHit: false });
  });
});

describe('jobs.insert', () => {
  test('answers before the job is done; its results can be waited for', async () => {
    rows.server.fail({ path: '/jobs$', jobRunsMs: 20 });
    const { json } = await api.insert(ordered, 'slow');
    expect(json).toMatchObject({
      kind: 'bigquery#job',
      id: 'test-project:US.slow',
      jobReference: { projectId: 'test-project', jobId: 'slow', location: 'US' },
      status: { state: 'RUNNING' },
    });
    expect((await api.get('/queries/slow?timeoutMs=0')).json).toMatchObject({ jobComplete: false });
    const results = await api.get('/queries/slow');
    expect(results.json).toMatchObject({ jobComplete: true, totalRows: '5', cacheHit: false });
    expect(cells(results)).toEqual([['0'], ['1'], ['2'], ['3'], ['4']]);
    expect((await api.get('/jobs/slow')).json).toMatchObject({
      status: { state: 'DONE' },
      statistics: {
        totalBytesProcessed: '40',
        query: {
          totalBytesBilled: '10485760',
          referencedTables: [{ projectId: 'test-project', datasetId: 'logs_eu', tableId: 'events' }],
        },
      },
    });
  });

  test('makes a job of a query that can not run, which has failed', async () => {
    expect((await api.insert('SELECT 1 +', 'wrong')).json).toMatchObject({
      status: {
        state: 'DONE',
        errorResult: {
          reason: 'invalidQuery',
          location: 'query',
          message: 'Syntax error: Unexpected end of statement at [1:11]',
        },
      },
    });
  });

  test('refuses such a query if the server is configured to', async () => {
    const refusing = rest(await rows.start({ invalidQueries: 'answer' }));
    expect(errorOf(await refusing.insert('SELECT 1 +', 'wrong'))).toMatchObject({
      status: 400,
      reason: 'invalidQuery',
    });
    expect(errorOf(await refusing.get('/jobs/wrong')).reason).toBe('notFound');
  });

  test('fails a job that would be billed more than it may', async () => {
    const query = { maximumBytesBilled: '10000000' };
    await api.insert('SELECT n FROM logs_eu.events', 'dear', { query });
    const message = 'Query exceeded limit for bytes billed: 10000000. 10485760 or higher required.';
    const errorResult = { reason: 'bytesBilledLimitExceeded', message };
    expect((await api.get('/jobs/dear')).json).toMatchObject({
      status: { state: 'DONE', errorResult },
      statistics: { query: { totalBytesBilled: '0' } },
    });
    expect(errorOf(await api.get('/queries/dear'))).toMatchObject(errorResult);
  });

  test('only returns what a dry run would read', async () => {
    const before = rows.server.jobs.length;
    const { json } = await api.insert('SELECT id, n FROM logs_eu.events', 'dry', {
      configuration: { dryRun: true },
    });
    expect(json).toMatchObject({
      status: { state: 'DONE' },
      statistics: { totalBytesProcessed: '200', query: { totalBytesBilled: '0', schema: {} } },
    });
    expect(json.jobReference).toEqual({ projectId: 'test-project', location: 'US' });
    expect(rows.server.jobs).toHaveLength(before);
  });
});

describe('pages', () => {
  test('are cut where the request says, and lead to the next by their token', async () => {
    await api.insert(ordered, 'paged');
    const first = await api.get('/queries/paged?maxResults=2');
    expect(cells(first)).toEqual([['0'], ['1']]);
    const second = await api.get(`/queries/paged?maxResults=2&pageToken=${pageTokenOf(first)}`);
    expect(cells(second)).toEqual([['2'], ['3']]);
    const last = await api.get(`/queries/paged?pageToken=${pageTokenOf(second)}`);
    expect(cells(last)).toEqual([['4']]);
    expect(pageTokenOf(last)).toBeUndefined();
    expect(last.json).toMatchObject({ totalRows: '5', schema: {}, jobComplete: true });
    expect(cells(await api.get('/queries/paged?startIndex=3'))).toEqual([['3'], ['4']]);
    expect(errorOf(await api.get('/queries/paged?pageToken=mine')).reason).toBe('invalid');
  });

  test('are cut at 10 MB', async () => {
    const sql = "SELECT REPEAT('x', 900000) AS long FROM UNNEST(GENERATE_ARRAY(1, 15))";
    const first = await api.query(sql);
    expect(cells(first)).toHaveLength(11);
    expect(first.json.totalRows).toBe('15');
    expect(pageTokenOf(first)).toBeDefined();
  });

  test('have timestamps as seconds, unless microseconds are asked for', async () => {
    const sql = 'SELECT MIN(timestamp) FROM logs_eu.events';
    expect(cells(await api.query(sql))).toEqual([['1.7951508005E9']]);
    const micros = { formatOptions: { useInt64Timestamp: true } };
    expect(cells(await api.query(sql, micros))).toEqual([['1795150800500000']]);
  });

  test('name types by their legacy names', async () => {
    const sql = 'SELECT 1 AS i, 1.5 AS f, TRUE AS b, STRUCT(1 AS x, [2] AS y) AS s, NUMERIC "1" AS n, 5';
    expect((await api.query(sql)).json.schema).toEqual({
      fields: [
        { name: 'i', type: 'INTEGER', mode: 'NULLABLE' },
        { name: 'f', type: 'FLOAT', mode: 'NULLABLE' },
        { name: 'b', type: 'BOOLEAN', mode: 'NULLABLE' },
        {
          name: 's',
          type: 'RECORD',
          mode: 'NULLABLE',
          fields: [
            { name: 'x', type: 'INTEGER', mode: 'NULLABLE' },
            { name: 'y', type: 'INTEGER', mode: 'REPEATED' },
          ],
        },
        { name: 'n', type: 'NUMERIC', mode: 'NULLABLE' },
        { name: 'f0_', type: 'INTEGER', mode: 'NULLABLE' },
      ],
    });
  });
});

describe('stopping', () => {
  test('by cancelling: the embedded engine stops, too', async () => {
    const sql =
      'SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 100000)) a, UNNEST(GENERATE_ARRAY(1, 100000)) b WHERE MOD(a * b, 7) = 3';
    const runs: Promise<unknown>[] = [];
    const run: DuckDbEngine['run'] = (request) => {
      const running = rows.engine.run(request);
      runs.push(running);
      return running;
    };
    const watched = rest(await rows.start({ engine: { run } }));
    await watched.insert(sql, 'endless');
    expect((await watched.post('/jobs/endless/cancel', {})).json).toMatchObject({
      kind: 'bigquery#jobCancelResponse',
    });
    const stopped = {
      reason: 'stopped',
      message: 'Job execution was cancelled: User requested cancellation',
    };
    expect(errorOf(await watched.get('/queries/endless'))).toEqual({ status: 499, ...stopped });
    expect((await watched.get('/jobs/endless')).json).toMatchObject({ status: { errorResult: stopped } });
    expect(runs).toHaveLength(1);
    await expect(runs[0]).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('by the time that the job may take', async () => {
    rows.server.fail({ path: '/jobs$', jobRunsMs: 'forever' });
    await api.insert('SELECT 1', 'late', { configuration: { jobTimeoutMs: '20' } });
    expect(errorOf(await api.get('/queries/late'))).toEqual({
      status: 499,
      reason: 'stopped',
      message: 'Job execution was cancelled: Job timed out after 0.02s',
    });
  });

  test('a job that is done changes nothing', async () => {
    await api.insert('SELECT 1', 'done');
    await api.get('/queries/done');
    expect((await api.post('/jobs/done/cancel', {})).json).toMatchObject({
      job: { status: { state: 'DONE' } },
    });
    expect((await api.get('/queries/done')).status).toBe(200);
    expect(errorOf(await api.post('/jobs/never/cancel', {}))).toMatchObject({
      status: 404,
      reason: 'notFound',
    });
  });
});

describe('locations', () => {
  test('outside the US and the EU must be given', async () => {
    const regional = rest(await rows.start({ location: 'europe-west4' }));
    expect((await regional.insert(ordered, 'here')).json).toMatchObject({
      jobReference: { location: 'europe-west4' },
    });
    expect(errorOf(await regional.get('/queries/here')).message).toBe('Not found: Job test-project:here');
    expect(errorOf(await regional.get('/jobs/here?location=EU')).message).toBe(
      'Not found: Job test-project:EU.here',
    );
    expect((await regional.get('/queries/here?location=EUROPE-WEST4')).status).toBe(200);
    expect((await regional.post('/jobs/here/cancel?location=europe-west4', {})).status).toBe(200);
  });

  test("have to be the data's", async () => {
    expect(errorOf(await api.query(ordered, { location: 'EU' })).message).toBe(
      'Not found: Dataset test-project:logs_eu was not found in location EU',
    );
    expect((await api.query('SELECT 1', { location: 'eu' })).json).toMatchObject({ location: 'EU' });
  });
});

test('closing cancels running work', async () => {
  const server = await rows.start();
  server.fail({ path: '/jobs$', jobRunsMs: 'forever' });
  const other = rest(server);
  await other.insert('SELECT 1', 'forever');
  const waiting = other.get('/queries/forever').catch(() => 'gone');
  await sleep(10);
  await server.close();
  expect(await waiting).toBe('gone');
});
