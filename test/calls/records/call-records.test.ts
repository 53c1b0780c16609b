import { expect, test } from 'vitest';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { CallRecord } from '../../../src/calls/records/call-record.ts';
import { CallRecords } from '../../../src/calls/records/call-records.ts';
import type { RecordRow } from '../../../src/calls/records/record-writer.ts';
import { ManualClock } from '../executor/support/manual-clock.ts';

const key = { name: 'dashboard', id: 'key_00000001', scopes: everyScope, redact: false };
const token = { name: 'ada', scopes: everyScope, redact: false, isToken: true, issuer: key } as const;
const request = { requestId: 'r', api: 'rest', client: 'curl', status: 200, durationMs: 5, bytes: 100 };
const hit: CallRecord = { endpoint: 'orders', version: 1, cache: 'hit', rows: 2, engineMs: 0 };
const ran = (parameters: ReadonlyMap<string, string> = new Map()): CallRecord => ({
  ...{ endpoint: 'orders', version: 1, cache: 'miss', rows: 3, engineMs: 4.567 },
  asked: { form: 'stored', class: 'default', parameters },
  run: { truncated: true, queueMs: 1, planningMs: 0 },
});

function recording(shown: readonly string[] = []) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12, 0, 30));
  const rows: RecordRow[] = [];
  const records = new CallRecords({
    writer: { add: (row) => void rows.push(row), close: async () => {} },
    ...{ clock, secret: 'a secret', shownParameters: new Set(shown) },
  });
  return { clock, rows, records };
}

test('gives each call that ran a row, with where its time went', () => {
  const { rows, records } = recording();
  records.record([ran()], key, request);
  expect(rows).toMatchObject([
    {
      timestamp: '2026-01-01T12:00:30.000Z',
      ...{ call_count: 1, key: 'dashboard', key_id: 'key_00000001', endpoint: 'orders', version: 1 },
      ...{ query: 'stored', cache: 'miss', row_count: 3, bytes: 100, truncated: true },
      ...{ duration_ms: 5, queue_ms: 1, planning_ms: 0, engine_ms: 4.57 },
      ...{ status: 200, request_id: 'r', api: 'rest', client: 'curl' },
    },
  ]);
});

test('counts answers of the cache by key, endpoint and minute', async () => {
  const { clock, rows, records } = recording();
  for (let n = 0; n < 1_000; n++) records.record([hit], key, request);
  records.record([hit], token, request);
  expect(rows).toEqual([]);
  await clock.advance(10_000);
  expect(rows).toMatchObject([
    {
      timestamp: '2026-01-01T12:00:00.000Z',
      call_count: 1000,
      row_count: 2000,
      bytes: 100_000,
      duration_ms: 5000,
    },
    { call_count: 1, key: 'dashboard', subject: 'ada' },
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
});

test('counts calls beyond two hundred a second of a key, too: none is lost', async () => {
  const { rows, records } = recording();
  for (let n = 0; n < 2_500; n++) records.record([ran()], key, request);
  await records.close();
  expect(rows).toHaveLength(201);
  const others = recording();
  for (let n = 0; n < 500; n++) others.records.record([ran()], key, request);
  others.records.record([ran()], { ...key, id: 'key_00000002', name: 'other' }, request);
  expect(others.rows.at(-1)).toMatchObject({ key: 'other', query: 'stored' });
  expect(rows.reduce((sum, row) => sum + Number(row.call_count), 0)).toBe(2_500);
  expect(rows.reduce((sum, row) => sum + Number(row.row_count), 0)).toBe(7_500);
});

test('gives the bytes of a response to the first of its calls', () => {
  const { rows, records } = recording();
  records.record([ran(), { ...ran(), endpoint: 'other' }], key, request);
  expect(rows.map(({ endpoint, bytes }) => [endpoint, bytes])).toEqual([
    ['orders', 100],
    ['other', 0],
  ]);
});

test('has a digest of the parameters, and only the values that are to be shown', () => {
  const { rows, records } = recording(['shop']);
  const asked = (person: string) =>
    new Map([
      ['shop', 'north'],
      ['person', person],
    ]);
  records.record([ran(asked('ada')), ran(asked('ada')), ran(asked('bob'))], key, request);
  const [first, second, third] = rows.map((row) => row.parameters_digest);
  expect(first).toBe(second);
  expect(first).not.toBe(third);
  expect(rows[0]).toMatchObject({ parameters: { shop: 'north' } });
  expect(JSON.stringify(rows)).not.toContain('ada');
  const other = recording();
  other.records.record([ran(asked('ada'))], key, request);
  expect(other.rows[0]).not.toHaveProperty('parameters');
});

test('tells failed calls by their code, and shortens what clients call themselves', () => {
  const { rows, records } = recording();
  const failed = { endpoint: 'orders', version: 1, rows: 0, engineMs: 9, code: 'QUERY_FAILED' };
  records.record([failed], undefined, { ...request, status: 422, client: 'curl/8 '.repeat(50) });
  const client = 'curl/8 '.repeat(50).slice(0, 200);
  expect(rows).toMatchObject([{ code: 'QUERY_FAILED', status: 422, engine_ms: 9, client }]);
  expect(rows[0]).not.toHaveProperty('key');
});

test('never has a key, and only the beginnings of long values', () => {
  const { rows, records } = recording(['shop']);
  const client = `MyApp/1.0 (key egw_${'a1B2'.repeat(9)})`;
  records.record([ran(new Map([['shop', 'x'.repeat(10_000_000)]]))], key, { ...request, client });
  expect(rows).toMatchObject([{ client: 'MyApp/1.0 (key ***)', parameters: { shop: 'x'.repeat(200) } }]);
});
