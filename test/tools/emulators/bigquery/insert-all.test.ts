import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src/base/system/clock.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { cells, errorOf, rest } from './support/rest.ts';
import { type ServedRows, serveRows } from './support/served-rows.ts';

let rows: ServedRows;
let api: ReturnType<typeof rest>;
let laterMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + laterMs };

beforeAll(async () => {
  rows = await serveRows(
    {
      events: {
        columns: [
          { name: 'n', type: 'INT64' },
          { name: 'ratio', type: 'FLOAT64' },
          { name: 'isNew', type: 'BOOL' },
          { name: 'raw', type: 'BYTES' },
          { name: 'extra', type: 'JSON' },
          { name: 'tags', type: 'STRING', mode: 'REPEATED' },
          {
            name: 'metadata',
            type: 'RECORD',
            mode: 'REPEATED',
            fields: [{ name: 'Method', type: 'STRING' }],
          },
        ],
        rows: [],
      },
      daily: { columns: [], rows: [], wildcard: 'DAY' },
      cached: { columns: [], rows: [] },
    },
    { clock },
  );
  api = rest(rows.server);
});
afterAll(async () => rows?.[Symbol.asyncDispose]());
afterEach(() => {
  rows.server.clearFaults();
  laterMs = 0;
});

const time = '2026-03-01T10:00:00.000001Z';

function row(id: string, more: object = {}, insertId = id) {
  return { insertId, json: { id, timestamp: time, ...more } };
}

const path = (table: string) => `/datasets/logs_eu/tables/${table}/insertAll`;
const insert = (given: readonly object[], more: object = {}, table = 'events') =>
  api.post(path(table), { rows: given, ...more });

async function ids(like: string): Promise<unknown[]> {
  const answer = await api.query(`SELECT id FROM logs_eu.events WHERE id LIKE '${like}' ORDER BY id`);
  return cells(answer).map(([id]) => id);
}

const done = { kind: 'bigquery#tableDataInsertAllResponse' };
const stopped = { reason: 'stopped', location: '', debugInfo: '', message: '' };

describe('streamed rows', () => {
  test('are what the next query sees, with the values of all types', async () => {
    const given = row('all', {
      n: '9223372036854775807',
      ratio: 'NaN',
      isNew: true,
      raw: '/+8=',
      extra: '{"a": [1, 2.50]}',
      tags: ['x', 'y'],
      metadata: [{ method: 'GET' }, {}],
    });
    expect(await insert([given])).toMatchObject({ status: 200, json: done });
    const columns =
      'UNIX_MICROS(timestamp), n, ratio, isNew, raw, extra, tags, metadata[0].Method, metadata[1].Method AS m';
    const answer = await api.query(`SELECT ${columns} FROM logs_eu.events WHERE id = 'all'`);
    expect(cells(answer)).toEqual([
      [
        String(Date.parse(time) * 1000 + 1),
        '9223372036854775807',
        'NaN',
        'true',
        '/+8=',
        '{"a":[1,2.5]}',
        [{ v: 'x' }, { v: 'y' }],
        'GET',
        null,
      ],
    ]);
  });

  test('are also seen by a query whose former result is cached', async () => {
    const server = await rows.start({ queryCache: true });
    const cached = rest(server);
    const count = async () => cells(await cached.query('SELECT COUNT(*) FROM logs_eu.cached'));
    expect(await count()).toEqual([['0']]);
    await cached.post(path('cached'), { rows: [row('c')] });
    expect(await count()).toEqual([['1']]);
  });

  test('with an insert id of the last minute are ignored, in the same table', async () => {
    await insert([row('twice-1', {}, 'same'), row('twice-2', {}, 'same')]);
    await insert([row('twice-3', {}, 'same'), row('twice-4', {}, '')]);
    expect(await ids('twice-%')).toEqual(['twice-1', 'twice-4']);
    laterMs = 61_000;
    await insert([row('twice-5', {}, 'same')]);
    expect(await ids('twice-%')).toEqual(['twice-1', 'twice-4', 'twice-5']);
  });

  test('of a day go into its table, by a suffix of the template or by its name', async () => {
    const suffixed = await insert([row('d1')], { templateSuffix: '_20260301' }, 'daily');
    const named = await insert([row('d2')], {}, 'daily_20260301');
    expect([suffixed.json, named.json]).toEqual([done, done]);
    const answer = await api.query('SELECT id, _TABLE_SUFFIX FROM `logs_eu.daily_*` ORDER BY id');
    expect(cells(answer)).toEqual([
      ['d1', '20260301'],
      ['d2', '20260301'],
    ]);
    expect(errorOf(await insert([row('d3')], { templateSuffix: '_20260302' }, 'daily'))).toMatchObject({
      status: 501,
      reason: 'notImplemented',
    });
  });
});

describe('an invalid row', () => {
  test('keeps the others of its request from being added', async () => {
    const { status, json } = await insert([row('kept-1'), row('kept-2', { n: 'abc' }), row('kept-3')]);
    expect(status).toBe(200);
    expect(json).toEqual({
      ...done,
      insertErrors: [
        {
          index: 1,
          errors: [
            {
              reason: 'invalid',
              location: 'n',
              debugInfo: '',
              message: 'Cannot convert value to integer (bad value): abc',
            },
          ],
        },
        { index: 0, errors: [stopped] },
        { index: 2, errors: [stopped] },
      ],
    });
    expect(await ids('kept-%')).toEqual([]);
  });

  test('does not remember the insert ids of the others', async () => {
    await insert([row('again-1'), row('again-2', { n: 'abc' })]);
    await insert([row('again-1')]);
    expect(await ids('again-%')).toEqual(['again-1']);
  });

  test('is left out with skipInvalidRows', async () => {
    const { json } = await insert([row('skip-1'), row('skip-2', { no: 1 })], { skipInvalidRows: true });
    expect(json).toMatchObject({
      insertErrors: [{ index: 1, errors: [{ location: 'no', message: 'no such field: no.' }] }],
    });
    expect(json.insertErrors).toHaveLength(1);
    expect(await ids('skip-%')).toEqual(['skip-1']);
  });

  test.each([
    [{ metadata: [{ method: 'GET', x: 1 }] }, 'metadata[0].x', 'no such field: x.'],
    [{ metadata: ['GET'] }, 'metadata[0]', 'This field: metadata is not a record.'],
    [{ n: [1] }, 'n', 'Array specified for non-repeated field: n.'],
    [{ extra: { a: 1 } }, 'extra', 'This field: extra is not a record.'],
    [{ tags: [null] }, 'tags[0]', 'Only optional fields can be set to NULL. Field: tags; Value: NULL'],
    [{ isNew: 'maybe' }, 'isNew', 'Cannot convert value to boolean (bad value): maybe'],
    [{ raw: '%' }, 'raw', 'Could not decode base64 string to bytes. Field: raw; Value: %'],
    [{ timestamp: 'now' }, 'timestamp', expect.stringContaining("Could not parse 'now' as a timestamp.")],
    [{ timestamp: null }, 'timestamp', 'Missing required field: Msg_0_CLOUD_QUERY_TABLE.timestamp.'],
  ])('is described: %j', async (values, location, message) => {
    const { json } = await insert([row('bad', values)]);
    expect(json.insertErrors).toEqual([
      { index: 0, errors: [{ reason: 'invalid', location, debugInfo: '', message }] },
    ]);
  });

  test('may have values of unknown fields with ignoreUnknownValues', async () => {
    expect((await insert([row('unknown', { no: 1 })], { ignoreUnknownValues: true })).json).toEqual(done);
    expect(await ids('unknown')).toEqual(['unknown']);
  });
});

test('requests are refused as a whole that have no rows, too many, or are for no table', async () => {
  expect(errorOf(await insert([]))).toMatchObject({ status: 400, reason: 'invalid' });
  const many = Array.from({ length: 50_001 }, () => ({ json: {} }));
  expect(errorOf(await insert(many)).message).toContain('limit: 50000 row count: 50001');
  expect(errorOf(await insert([row('a')], {}, 'nothing'))).toMatchObject({ status: 404, reason: 'notFound' });
  expect(errorOf(await insert([row('a')], { templateSuffix: '_20260301' }))).toMatchObject({ status: 404 });
  expect(errorOf(await insert([{ insertId: 'a', json: [1] }])).message).toContain('rows[0].json');
  expect(errorOf(await insert([row('a')], { insertId: 'a' })).message).toContain('Unknown name "insertId"');
});

test('faults fail single rows, or the request before and after the work', async () => {
  rows.server.fail({ path: '/insertAll$', rowErrors: [{ index: 0, reason: 'backendError' }] });
  const { json } = await insert([row('fault-1'), row('fault-2')]);
  expect(json).toMatchObject({
    insertErrors: [
      { index: 0, errors: [{ reason: 'backendError' }] },
      { index: 1, errors: [stopped] },
    ],
  });
  rows.server.fail({ path: '/insertAll$', status: { code: 503, reason: 'backendError' } });
  expect((await insert([row('fault-1')])).status).toBe(503);
  expect(await ids('fault-%')).toEqual([]);
  rows.server.fail({ path: '/insertAll$', reset: 'after' });
  await expect(insert([row('fault-1')])).rejects.toThrow();
  expect(await ids('fault-%')).toEqual(['fault-1']);
});
