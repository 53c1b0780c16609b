import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cells, errorOf, pageTokenOf, rest } from './support/rest.ts';
import { type ServedRows, serveRows } from './support/served-rows.ts';

let rows: ServedRows;
let api: ReturnType<typeof rest>;

beforeAll(async () => {
  rows = await serveRows({ events: { columns: [], rows: [] } });
  api = rest(rows.server);
});
afterAll(async () => rows?.[Symbol.asyncDispose]());
afterEach(() => rows.server.clearFaults());

const three = 'SELECT x FROM UNNEST([1, 2, 3]) AS x ORDER BY x';

describe('a fault', () => {
  test('is for the requests that match it, and for so many of them', async () => {
    const status = { code: 503, reason: 'backendError', message: 'Try again', retryAfter: 1 };
    rows.server.fail({ method: 'POST', path: '/queries$', skip: 1, times: 2, status });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await api.query('SELECT 1')).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
  });

  test('of a status carries nothing out, and has the form of an error', async () => {
    rows.server.fail({ path: '/jobs$', status: { code: 500, reason: 'internalError' } });
    expect(errorOf(await api.insert('SELECT 1', 'unmade'))).toMatchObject({
      status: 500,
      reason: 'internalError',
    });
    expect(errorOf(await api.get('/jobs/unmade')).reason).toBe('notFound');
    rows.server.fail({ status: { code: 502 } });
    expect(await api.query('SELECT 1')).toMatchObject({
      status: 502,
      text: expect.stringContaining('<!DOCTYPE'),
    });
  });

  test('that resets the connection does so before or after the work, or amid the answer', async () => {
    rows.server.fail({ path: '/jobs$', reset: 'before' });
    await expect(api.insert('SELECT 1', 'reset-before')).rejects.toThrow();
    expect((await api.get('/jobs/reset-before')).status).toBe(404);
    rows.server.fail({ path: '/jobs$', reset: 'after' });
    await expect(api.insert('SELECT 1', 'reset-after')).rejects.toThrow();
    expect((await api.get('/jobs/reset-after')).status).toBe(200);
    rows.server.fail({ path: '/queries', reset: 'body' });
    await expect(api.query('SELECT 1')).rejects.toThrow();
    rows.server.fail({ path: '/queries', reset: 'cut' });
    await expect(api.query('SELECT 1')).rejects.toThrow();
  });

  test('that hangs never answers', async () => {
    rows.server.fail({ path: '/queries', hang: 'before' });
    const signal = AbortSignal.timeout(50);
    const asked = fetch(`${rows.server.url}/projects/test-project/queries/x`, { signal });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('cuts pages short, empties them, or repeats their token', async () => {
    await api.insert(three, 'pages');
    rows.server.fail({ path: '/queries/', rowsPerPage: 2 });
    const short = await api.get('/queries/pages');
    expect(cells(short)).toEqual([['1'], ['2']]);
    rows.server.fail({ path: '/queries/', emptyPage: true });
    const empty = await api.get(`/queries/pages?pageToken=${pageTokenOf(short)}`);
    expect(empty.json).not.toHaveProperty('rows');
    expect(pageTokenOf(empty)).toBe(pageTokenOf(short));
    rows.server.fail({ path: '/queries/', repeatToken: true });
    const repeated = await api.get(`/queries/pages?pageToken=${pageTokenOf(short)}`);
    expect(cells(repeated)).toEqual([['3']]);
    expect(pageTokenOf(repeated)).toBe(pageTokenOf(short));
  });

  test('changes the answer', async () => {
    rows.server.fail({
      set: { totalRows: 3, 'rows.0.f.0.v': { a: 1 } },
      remove: ['schema', 'rows.1.f.0'],
      repeat: ['kind'],
    });
    const { json, text } = await api.query(three);
    expect(json).toMatchObject({
      totalRows: 3,
      rows: [{ f: [{ v: { a: 1 } }] }, { f: [] }, { f: [{ v: '3' }] }],
    });
    expect(json).not.toHaveProperty('schema');
    expect(text.match(/"kind":"bigquery#queryResponse"/g)).toHaveLength(2);
    rows.server.fail({ body: 'no JSON' });
    expect((await api.query(three)).text).toBe('no JSON');
  });

  test('reports an incomplete job as often as the fault requires', async () => {
    await api.insert(three, 'polled');
    rows.server.fail({ path: '/queries/polled', incomplete: true, times: 2 });
    const complete: unknown[] = [];
    for (let i = 0; i < 3; i++) complete.push((await api.get('/queries/polled')).json.jobComplete);
    expect(complete).toEqual([false, false, true]);
  });

  test('fails a job', async () => {
    rows.server.fail({ path: '/jobs$', jobError: { reason: 'resourcesExceeded', message: 'Too much' } });
    expect((await api.insert(three, 'failed')).json).toMatchObject({
      status: { state: 'DONE', errorResult: { reason: 'resourcesExceeded', message: 'Too much' } },
    });
    expect(errorOf(await api.get('/queries/failed'))).toMatchObject({
      status: 400,
      reason: 'resourcesExceeded',
    });
  });

  test('reports the transient failure of a job as one that only a new job can get over', async () => {
    rows.server.fail({ path: '/jobs$', jobError: { reason: 'backendError', message: 'Try again' } });
    await api.insert(three, 'passing');
    expect(errorOf(await api.get('/queries/passing'))).toMatchObject({
      status: 400,
      reason: 'jobBackendError',
    });
    expect((await api.get('/jobs/passing')).json).toMatchObject({
      status: { errorResult: { reason: 'backendError' } },
    });
  });

  test('can be ordered, and called off, over HTTP', async () => {
    const faults = new URL('/faults', rows.server.url);
    const order = (body: object) => fetch(faults, { method: 'POST', body: JSON.stringify(body) });
    expect((await order({ times: 0, status: { code: 429, reason: 'rateLimitExceeded' } })).status).toBe(200);
    expect((await order({ stauts: {} })).status).toBe(400);
    expect((await api.query('SELECT 1')).status).toBe(429);
    await fetch(faults, { method: 'DELETE' });
    expect((await api.query('SELECT 1')).status).toBe(200);
  });
});

test('requests are on record, with their headers and bodies', async () => {
  await api.post(
    '/queries?prettyPrint=false',
    { query: 'SELECT 1', useLegacySql: false },
    { 'x-test': 'yes' },
  );
  const request = rows.server.requests.at(-1);
  expect(request).toMatchObject({
    method: 'POST',
    path: '/bigquery/v2/projects/test-project/queries',
    headers: { 'x-test': 'yes' },
    body: '{"query":"SELECT 1","useLegacySql":false}',
  });
});
