import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rest } from './support/rest.ts';
import { type ServedRows, serveRows } from './support/served-rows.ts';

let rows: ServedRows;
let api: ReturnType<typeof rest>;

/** Ten days with ten rows each: the present is 2026-11-20 06:00. */
const days = Array.from({ length: 10 }, (_, i) => `2026-11-${11 + i}`);
const events = days.flatMap((day) =>
  Array.from({ length: 10 }, (_, i) => ({ id: `${day} ${i}`, timestamp: `${day}T0${i % 6}:00:00Z`, n: i })),
);
const columns = [{ name: 'n', type: 'INT64' }];

beforeAll(async () => {
  rows = await serveRows({
    events: { columns, rows: events },
    arrived: { columns, rows: events, partitioned: 'DAY' },
    daily: { columns, rows: events, wildcard: 'DAY' },
    empty: { columns, rows: [] },
  });
  api = rest(rows.server);
});
afterAll(async () => rows?.[Symbol.asyncDispose]());

interface Read {
  readonly statistics: { readonly query: Readonly<Record<string, string>> };
}

/** What a dry run and a run of a query say that it reads: partitions, and bytes. */
async function readBy(
  sql: string,
  query: object = {},
): Promise<readonly [partitions: number, bytes: number]> {
  const read = async (configuration: object) => {
    const { json, text } = await api.insert(sql, `job_${Math.random().toString(36).slice(2)}`, {
      configuration,
      query,
    });
    const { jobReference } = json as { jobReference: { jobId?: string } };
    const { jobId } = jobReference ?? {};
    if (jobId !== undefined) await api.get(`/queries/${jobId}`);
    const job = jobId === undefined ? json : (await api.get(`/jobs/${jobId}`)).json;
    if (job.statistics === undefined) throw new Error(text);
    const { totalPartitionsProcessed, totalBytesProcessed } = (job as unknown as Read).statistics.query;
    return [Number(totalPartitionsProcessed), Number(totalBytesProcessed)] as const;
  };
  const estimated = await read({ dryRun: true });
  expect(await read({})).toEqual(estimated);
  return estimated;
}

const parameter = (type: string, value: string) => ({
  parameterMode: 'NAMED',
  queryParameters: [{ name: 'p', parameterType: { type }, parameterValue: { value } }],
});

describe('a table that is partitioned by the day of its timestamp', () => {
  /** Ten INT64 of each partition, and as many TIMESTAMPs. */
  const perDay = 10 * 8 + 10 * 8;

  test.each([
    ['', 10],
    [`WHERE timestamp >= '2026-11-19'`, 2],
    [`WHERE timestamp > '2026-11-19 23:59:59.999999'`, 1],
    [`WHERE timestamp > '2026-11-19 23:59:59.999998'`, 2],
    [`WHERE timestamp < '2026-11-12'`, 1],
    [`WHERE timestamp <= '2026-11-12'`, 2],
    [`WHERE '2026-11-12' > timestamp AND n > 5`, 1],
    [`WHERE timestamp = '2026-11-15 01:00:00'`, 1],
    [`WHERE timestamp BETWEEN '2026-11-12' AND '2026-11-14'`, 3],
    ['WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 2 DAY)', 3],
    [`WHERE timestamp >= TIMESTAMP(DATE_SUB(DATE '2026-11-20', INTERVAL 1 DAY))`, 2],
    ['WHERE timestamp >= CAST(NULL AS TIMESTAMP)', 0],
    [`WHERE timestamp > '2027-01-01'`, 0],
  ])('has only these read: %s', async (where, partitions) => {
    expect(await readBy(`SELECT timestamp, n FROM logs_eu.events ${where}`)).toEqual([
      partitions,
      partitions * perDay,
    ]);
  });

  test.each([
    `WHERE DATE(timestamp) = '2026-11-19'`,
    `WHERE TIMESTAMP_ADD(timestamp, INTERVAL 1 DAY) > '2026-11-20'`,
    `WHERE timestamp > '2026-11-19' OR n = 1`,
    `WHERE CASE WHEN n = 1 THEN TRUE ELSE timestamp > '2026-11-19' END`,
    'WHERE timestamp >= (SELECT MAX(timestamp) FROM logs_eu.empty)',
    `WHERE timestamp > TIMESTAMP_ADD('2026-11-19', INTERVAL n DAY)`,
    'WHERE timestamp >= TIMESTAMP_MICROS(CAST(1e15 * RAND() AS INT64))',
  ])('is read as a whole: %s', async (where) => {
    expect((await readBy(`SELECT timestamp, n FROM logs_eu.events ${where}`))[0]).toBe(10);
  });

  test('is pruned by parameters', async () => {
    const sql = (value: string) => `SELECT n, timestamp FROM logs_eu.events WHERE timestamp >= ${value}`;
    expect(await readBy(sql('@p'), parameter('TIMESTAMP', '2026-11-18T00:00:00Z'))).toEqual([3, 3 * perDay]);
    expect((await readBy(sql('CAST(@p AS TIMESTAMP)'), parameter('STRING', '2026-11-18')))[0]).toBe(3);
  });

  test('is pruned by conditions of the query that reads it, not by those outside of it', async () => {
    const [late, from] = [`timestamp >= '2026-11-20'`, 'FROM logs_eu.events'];
    const inside = `SELECT n FROM (SELECT * ${from} WHERE ${late}) AS e WHERE n > 1`;
    expect((await readBy(inside))[0]).toBe(1);
    const outside = `SELECT n FROM (SELECT *, n + 1 AS m ${from}) AS e WHERE ${late} AND m > 1`;
    expect((await readBy(outside))[0]).toBe(10);
    const entry = `WITH e AS (SELECT * ${from} WHERE ${late}) SELECT n FROM e JOIN e AS f USING (n)`;
    expect((await readBy(entry))[0]).toBe(1);
  });

  test('is not read by an entry of WITH that nothing refers to', async () => {
    const unused =
      'WITH unused AS (SELECT * FROM logs_eu.events), a AS (SELECT n FROM unused), b AS (SELECT 1)';
    expect(await readBy(`${unused} SELECT * FROM b`)).toEqual([0, 0]);
    expect(rows.server.jobs[0]?.planned?.bytesBilled).toBe(0);
  });

  test('has partitions that any of several places reads, for each the columns of its own', async () => {
    const sql = `SELECT timestamp FROM logs_eu.events WHERE timestamp >= '2026-11-20'
      UNION ALL SELECT MIN(timestamp) FROM logs_eu.events WHERE timestamp < '2026-11-13' AND n > 0`;
    expect(await readBy(sql)).toEqual([3, 80 + 2 * perDay]);
  });

  test.each([
    ['JOIN logs_eu.arrived AS b ON a.n = b.n', 1],
    ['LEFT JOIN logs_eu.arrived AS b ON a.n = b.n', 1],
    ['RIGHT JOIN logs_eu.arrived AS b ON a.n = b.n', 10],
  ])('is pruned below a join as far as the join keeps the meaning: %s', async (join, partitions) => {
    const sql = `SELECT COUNT(*) FROM logs_eu.events AS a ${join} WHERE a.timestamp >= '2026-11-20'`;
    expect((await readBy(sql))[0]).toBe(partitions + 10);
  });

  test('counts rows that have arrived meanwhile', async () => {
    const sql = `SELECT n, timestamp FROM logs_eu.events WHERE timestamp >= '2026-12-01'`;
    expect((await readBy(sql))[0]).toBe(0);
    const json = { id: 'new', timestamp: '2026-12-02T00:00:00Z', n: 1 };
    await api.post('/datasets/logs_eu/tables/events/insertAll', { rows: [{ json }] });
    expect(await readBy(sql)).toEqual([1, 16]);
  });
});

test.each([
  [`arrived WHERE _PARTITIONTIME >= '2026-11-19'`, 2, 2],
  [`arrived WHERE _PARTITIONDATE = '2026-11-19'`, 1, 1],
  [`arrived WHERE timestamp >= '2026-11-19'`, 10, 10],
  ["`daily_*` WHERE _TABLE_SUFFIX BETWEEN '20261112' AND '20261113'", 0, 2],
  ['empty', 0, 0],
])('another table is pruned by its own columns: %s', async (from, partitions, read) => {
  const [processed, bytes] = await readBy(`SELECT n FROM logs_eu.${from}`);
  const perRow = from.includes('timestamp') ? 16 : 8;
  expect([processed, bytes]).toEqual([partitions, read * 10 * perRow]);
});

test('a table says how it is partitioned', async () => {
  const table = async (name: string) => (await api.get(`/datasets/logs_eu/tables/${name}`)).json;
  expect(await table('events')).toMatchObject({ timePartitioning: { type: 'DAY', field: 'timestamp' } });
  expect((await table('arrived')).timePartitioning).toEqual({ type: 'DAY' });
  expect(await table('daily_20231114')).not.toHaveProperty('timePartitioning');
});
