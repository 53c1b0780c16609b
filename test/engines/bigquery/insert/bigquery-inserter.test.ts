import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import type { InsertOptions, RowToInsert } from '../../../../src/engines/bigquery/insert/row-inserter.ts';
import { RowsRejected } from '../../../../src/engines/bigquery/insert/rows-rejected.ts';
import { rowsToInsert } from '../../../../src/rows/ingest/insert-all/insert-events.ts';
import type { FaultInput } from '../../../../src/tools/emulators/bigquery/faults/faults.ts';
import { rowEncoder } from '../../../support/row-encoder.ts';
import { cells, rest } from '../../../tools/emulators/bigquery/support/rest.ts';
import {
  dataset,
  type ServedRows,
  serveRows,
} from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { withoutCredentials } from '../api/support/test-api.ts';
import { servedInserter } from './support/served-inserter.ts';

/** Rows with values of all types, as a collector sends them. */
const columns = [
  { name: 'n', type: 'INT64' },
  { name: 'ratio', type: 'FLOAT64' },
  { name: 'price', type: 'NUMERIC' },
  { name: 'isNew', type: 'BOOL' },
  { name: 'raw', type: 'BYTES' },
  { name: 'extra', type: 'JSON' },
  { name: 'day', type: 'DATE' },
  { name: 'at', type: 'TIME' },
  { name: 'local', type: 'DATETIME' },
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  {
    name: 'metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'Method', type: 'STRING' },
      { name: 'seen', type: 'TIMESTAMP' },
    ],
  },
];
const varied = [
  {
    n: -9007199254740991,
    ratio: 0.1,
    price: '1.5',
    isNew: true,
    extra: { a: [1, null, 'x'] },
    tags: ['', 'ü'],
  },
  { raw: '/+8=', day: '0001-01-01', at: '23:59:59.999999', local: '9999-12-31T23:59:59', ratio: 'Infinity' },
  { metadata: [{ Method: 'GET', seen: '1969-12-31T23:59:59.999999Z' }, {}], extra: '"', tags: [] },
  { n: '9223372036854775807', price: '-99999999999999999999999999999.999999999', ratio: -0, isNew: false },
].map((row, i) => ({ id: `v${i}`, timestamp: `2026-11-20T05:00:0${i}.000001Z`, ...row }));

let rows: ServedRows;
let served: ReturnType<typeof servedInserter>;

beforeAll(async () => {
  withoutCredentials();
  rows = await serveRows(
    {
      edge: {
        columns: [
          { name: 'n', type: 'INT64' },
          { name: 'text', type: 'STRING' },
        ],
        rows: [],
      },
      streamed: { columns, rows: [] },
      imported: { columns, rows: varied },
      daily: { columns: [], rows: [], wildcard: 'DAY' },
      renamed: { columns: [], rows: [] },
    },
    { elsewhere: new Map([['renamed', { ...dataset, tableId: 'other-name' }]]) },
  );
});
afterAll(async () => rows?.[Symbol.asyncDispose]());
beforeEach(() => {
  served = servedInserter(rows.server);
});
afterEach(() => {
  served[Symbol.dispose]();
  rows.server.clearFaults();
});

const timestamp = '2026-11-20T05:00:00Z';

function row(id: string, values: object = {}): RowToInsert {
  const json = { id, timestamp, ...values };
  return { insertId: id, json: JSON.stringify(json), day: json.timestamp.slice(0, 10).replaceAll('-', '') };
}

const signal = new AbortController().signal;
const edge = { name: 'edge' };

function insert(given: readonly RowToInsert[], options: Partial<InsertOptions> = {}, source: object = edge) {
  const to = { ...edge, ...source };
  return served.inserter.insert(to, given, { partial: false, signal, timeoutMs: 20_000, ...options });
}

/** Inserts; the error. */
async function failing(...given: Parameters<typeof insert>): Promise<GatewayError> {
  const error: unknown = await insert(...given).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error(`No GatewayError: ${String(error)}`);
  return error;
}

async function query(sql: string): Promise<unknown[][]> {
  const answer = await rest(rows.server).query(sql);
  expect(answer.status).toBe(200);
  return cells(answer);
}

async function ids(like: string, table = 'edge'): Promise<unknown[]> {
  return (await query(`SELECT id FROM logs_eu.\`${table}\` WHERE id LIKE '${like}' ORDER BY id`)).flat();
}

const insertRequests = () => rows.server.requests.filter(({ path }) => path.endsWith('/insertAll'));

describe('rows', () => {
  test('are in the table when it resolves', async () => {
    expect(await insert([row('a1', { n: '1' }), row('a2')])).toEqual([]);
    expect(await ids('a%')).toEqual(['a1', 'a2']);
  });

  test('have the values of the same rows in the embedded store', async () => {
    const source = rows.store.sources.find(({ name }) => name === 'streamed');
    if (source === undefined) throw new Error('No such source');
    const lines = varied.map((values) => JSON.stringify(values)).map(rowEncoder(source));
    await insert(rowsToInsert(source)({ text: lines.join('\n') }), {}, source);
    const all = (table: string) => query(`SELECT * FROM logs_eu.${table} ORDER BY id`);
    expect(await all('streamed')).toEqual(await all('imported'));
    expect(await all('streamed')).toHaveLength(varied.length);
  });

  test('of a wildcard source go to the table of their day, by requests for its template', async () => {
    const given = [row('d1'), row('d2', { timestamp: '2026-11-21T00:00:00Z' }), row('d3')];
    const before = insertRequests().length;
    await insert(given, {}, { name: 'daily', wildcard: 'DAY' });
    expect(await query('SELECT id, _TABLE_SUFFIX FROM `logs_eu.daily_*` ORDER BY id')).toEqual([
      ['d1', '20261120'],
      ['d2', '20261121'],
      ['d3', '20261120'],
    ]);
    const sent = insertRequests().slice(before);
    expect(sent.map(({ path }) => path.split('/tables/')[1])).toEqual(['daily/insertAll', 'daily/insertAll']);
    expect(sent.map(({ body }) => JSON.parse(body).templateSuffix)).toEqual(['_20261120', '_20261121']);
  });

  test('go to the table that the settings name', async () => {
    await insert([row('r1')], {}, { name: 'renamed' });
    expect(await ids('r1', 'other-name')).toEqual(['r1']);
  });

  test('are sent in as many requests as the limits of BigQuery need', async () => {
    const before = insertRequests().length;
    const many = Array.from({ length: 50_001 }, (_, i) => row(`m${i}`));
    await insert(many);
    const text = 'x'.repeat(4_000_000);
    await insert(['large1', 'large2', 'large3'].map((id) => row(id, { text })));
    expect(
      insertRequests()
        .slice(before)
        .map(({ body }) => JSON.parse(body).rows.length),
    ).toEqual([50_000, 1, 2, 1]);
    expect(await query("SELECT COUNT(*) FROM logs_eu.edge WHERE id LIKE 'm%'")).toEqual([['50001']]);
    expect(await query("SELECT COUNT(*) FROM logs_eu.edge WHERE id LIKE 'large%'")).toEqual([['3']]);
  });

  test('that are none need no request', async () => {
    const before = insertRequests().length;
    expect(await insert([])).toEqual([]);
    expect(insertRequests()).toHaveLength(before);
  });
});

describe('rejected rows', () => {
  const mixed = (id: string) => [row(`${id}1`), row(`${id}2`, { n: 'abc' }), row(`${id}3`, { no: 1 })];
  const reasons = [
    { index: 1, reason: 'n: Cannot convert value to integer (bad value): abc' },
    { index: 2, reason: 'no: no such field: no.' },
  ];

  test('keep all others from being added, and are named', async () => {
    const error = await failing(mixed('k'));
    expect(error).toBeInstanceOf(RowsRejected);
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT', rejected: reasons, added: 0 });
    expect(error.message).toBe(
      'Rejected rows of edge: row 2: n: Cannot convert value to integer (bad value): abc; row 3: no: no such field: no.. No row was added.',
    );
    expect(await ids('k%')).toEqual([]);
  });

  test('are returned, and the others added, with partial', async () => {
    expect(await insert(mixed('p'), { partial: true })).toEqual(reasons);
    expect(await ids('p%')).toEqual(['p1']);
  });

  test('are those that no request can carry, before anything is sent', async () => {
    const before = insertRequests().length;
    const error = await failing([row('l1'), row('l2', { n: 'x'.repeat(11_000_000) })]);
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT', rejected: [{ index: 1 }] });
    expect(error.message).toContain('more than BigQuery accepts');
    expect(insertRequests()).toHaveLength(before);
  });

  test('are those of a wildcard source without a day', async () => {
    const { day: _, ...dayless } = row('w1');
    const given = [dayless, row('w2')];
    expect(await insert(given, { partial: true }, { name: 'daily', wildcard: 'DAY' })).toEqual([
      { index: 0, reason: expect.stringContaining('timestamp: required') },
    ]);
    expect(await query("SELECT id FROM `logs_eu.daily_*` WHERE id LIKE 'w%'")).toEqual([['w2']]);
  });

  test('of a later request leave those of the former requests, which the error says', async () => {
    const text = 'x'.repeat(6_000_000);
    const error = await failing([row('late1', { text }), row('late2', { text, n: 'abc' })]);
    expect(error).toMatchObject({ rejected: [{ index: 1 }], added: 1 });
    expect(error.message).toContain('row 2: n: Cannot convert');
    expect(error.message).toContain('Rows before them that were added: 1.');
    expect(await ids('late%')).toEqual(['late1']);
  });

  test('do not tell the names of tables', async () => {
    const message = 'no such field in test-project:logs_eu.edge, or other:set.table';
    rows.server.fail({ rowErrors: [{ index: 0, reason: 'invalid', message }] });
    expect((await failing([row('t1')])).message).toContain('no such field in logs.edge, or a table');
  });
});

test('rows of too many days are refused', async () => {
  const days = Array.from({ length: 101 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString());
  const given = days.map((time, i) => row(`day${i}`, { timestamp: time }));
  expect(await failing(given, {}, { name: 'daily', wildcard: 'DAY' })).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('more than 100 days'),
  });
});

describe('a failure', () => {
  test.each([
    ['an error', { status: { code: 503, reason: 'backendError' } }],
    ['too many requests', { status: { code: 429, reason: 'rateLimitExceeded' } }],
    ['a lost connection before the work', { reset: 'before' }],
    ['a lost connection after the work', { reset: 'after' }],
    ['half a response', { reset: 'body' }],
    ['errors of rows', { rowErrors: [{ index: 0, reason: 'backendError' }] }],
    ['rows that were only stopped', { rowErrors: [{ index: 0, reason: 'stopped' }] }],
  ] as [string, FaultInput][])('that passes is retried, and each row added once: %s', async (name, fault) => {
    const id = name.replaceAll(' ', '-');
    rows.server.fail({ ...fault, path: '/insertAll$', times: 2 });
    await insert([row(`${id}-1`), row(`${id}-2`)]);
    expect(await ids(`${id}-%`)).toEqual([`${id}-1`, `${id}-2`]);
  });

  test.each([
    [{ code: 503, reason: 'backendError' }, 'BACKEND_UNAVAILABLE', 1],
    [{ code: 500, reason: 'internalError', retryAfter: 7 }, 'BACKEND_UNAVAILABLE', 7],
    [{ code: 403, reason: 'quotaExceeded' }, 'OVERLOADED', 60],
    [{ code: 429 }, 'OVERLOADED', 5],
    [{ code: 400, reason: 'timeout' }, 'BACKEND_UNAVAILABLE', 1],
    [{ code: 403, reason: 'accessDenied' }, 'BACKEND_UNAVAILABLE', undefined],
    [{ code: 404, reason: 'notFound' }, 'BACKEND_UNAVAILABLE', undefined],
    [{ code: 400, reason: 'invalid' }, 'BACKEND_UNAVAILABLE', undefined],
    [{ code: 413 }, 'BACKEND_UNAVAILABLE', undefined],
  ])('that lasts has the code that collectors need: %j', async (status, code, retryAfterSeconds) => {
    rows.server.fail({
      path: '/insertAll$',
      times: 3,
      status: { ...status, message: 'about project:set.table' },
    });
    // Not enough time to wait for what BigQuery asks for.
    const error = await failing([row('lasting')], { timeoutMs: 'retryAfter' in status ? 5000 : 20_000 });
    expect(error).toMatchObject({
      code,
      details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    });
    expect(error.details.retryAfterSeconds).toBe(retryAfterSeconds);
    expect(error.message).not.toContain('project');
    expect(served.warnings.at(-1)).toContain(
      'reason' in status ? 'about project:set.table' : `status":${status.code}`,
    );
  });

  test('names the source whose table is missing', async () => {
    expect((await failing([row('x')], {}, { name: 'nothing' })).message).toBe(
      'BigQuery does not have the table for the rows of nothing. The operator of the gateway must fix this.',
    );
  });

  test('of rows for lack of quota is not retried', async () => {
    rows.server.fail({ path: '/insertAll$', times: 0, rowErrors: [{ index: 0, reason: 'quotaExceeded' }] });
    const before = insertRequests().length;
    expect(await failing([row('q')])).toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: 60 },
    });
    expect(insertRequests()).toHaveLength(before + 1);
  });

  test('of an unreadable response is not a success', async () => {
    rows.server.fail({ path: '/insertAll$', times: 0, body: '{}' });
    expect(await failing([row('u')])).toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      details: { retryAfterSeconds: 1 },
    });
  });

  test('while BigQuery is down is immediate', async () => {
    rows.server.fail({ path: '/insertAll$', times: 0, status: { code: 503, reason: 'backendError' } });
    rows.server.fail({ path: '/jobs$', times: 0, status: { code: 503, reason: 'backendError' } });
    for (let i = 0; i < 5; i++) await failing([row('down')]);
    const before = insertRequests().length;
    expect(await failing([row('down')])).toMatchObject({
      message: 'BigQuery is not available at the moment.',
    });
    expect(insertRequests()).toHaveLength(before);
  });
});

describe('time', () => {
  test('is limited; rows that were added meanwhile can be sent again', async () => {
    rows.server.fail({ path: '/insertAll$', hang: 'after' });
    const error = await failing([row('slow')], { timeoutMs: 300 });
    expect(error).toMatchObject({ code: 'BACKEND_UNAVAILABLE', details: { retryAfterSeconds: 1 } });
    await expect.poll(() => ids('slow')).toEqual(['slow']);
    await insert([{ ...row('slow-again'), insertId: 'slow' }]);
    expect(await ids('slow%')).toEqual(['slow']);
  });

  test('ends with the caller', async () => {
    rows.server.fail({ path: '/insertAll$', hang: 'before' });
    const leaving = new AbortController();
    const before = insertRequests().length;
    const running = insert([row('left')], { signal: leaving.signal });
    await expect.poll(() => insertRequests().length).toBe(before + 1);
    leaving.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
  });

  test('ends with the gateway', async () => {
    rows.server.fail({ path: '/insertAll$', hang: 'before' });
    const before = insertRequests().length;
    const running = failing([row('closed')]);
    await expect.poll(() => insertRequests().length).toBe(before + 1);
    served.inserter.close();
    expect(await running).toMatchObject({ code: 'BACKEND_UNAVAILABLE', message: 'The gateway is stopping.' });
  });
});

test('rows on their way are bounded; more are refused at once', async () => {
  served[Symbol.dispose]();
  served = servedInserter(rows.server, { maxBytesInFlight: 1000 });
  rows.server.fail({ path: '/insertAll$', hang: 'before', times: 2 });
  const leaving = new AbortController();
  const before = insertRequests().length;
  const large = insert([row('b'.repeat(2000))], { signal: leaving.signal });
  await expect.poll(() => insertRequests().length).toBe(before + 1);
  expect(await failing([row('more')])).toMatchObject({
    code: 'OVERLOADED',
    details: { retryAfterSeconds: 1 },
  });
  leaving.abort(new Error('gone'));
  await expect(large).rejects.toThrow('gone');
  rows.server.clearFaults();
  await insert([row('more')]);
  expect(await ids('more')).toEqual(['more']);
});
