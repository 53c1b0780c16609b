import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { Workbench } from '../sql/support/workbench.ts';

let workbench: Workbench;

const string: SqlType = { kind: 'STRING' };
const time: SqlType = { kind: 'TIMESTAMP' };
const columns = [
  { name: 'id', type: string },
  { name: 'timestamp', type: time },
  { name: 'Seen', type: time },
  { name: 'n', type: { kind: 'INT64' } },
] as const;

beforeAll(async () => {
  workbench = await Workbench.open({
    sources: {
      events: columns,
      'days_*': [...columns, { name: '_TABLE_SUFFIX', type: string }],
      others: columns,
    },
    parameters: new Map<string, SqlType>([
      ['since', time],
      ['from', string],
      ['n', { kind: 'INT64' }],
    ]),
  });
});
afterAll(async () => workbench?.[Symbol.asyncDispose]());

const now = BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n;

/** The conditions of the subqueries in place of sources. */
async function boundsOf(sql: string, values?: Readonly<Record<string, Value>>): Promise<string[]> {
  const { bounded } = await workbench.runTexts(sql, now, values);
  const text = bounded?.sql ?? '';
  return [...text.matchAll(/\(SELECT \* FROM `[^`]+` WHERE (.*?)\) AS \S+/g)].map(([, found = '']) => found);
}

const day = { since: now };

test.each([
  ['DATE(timestamp) >= "2026-11-01"', {}, "`timestamp` >= TIMESTAMP(DATE '2026-11-01')"],
  [
    'DATE(timestamp) <= CURRENT_DATE()',
    {},
    '`timestamp` < TIMESTAMP(DATE_ADD(CURRENT_DATE(), INTERVAL 1 DAY))',
  ],
  ['TIMESTAMP_TRUNC(timestamp, DAY) > @since', day, '`timestamp` > @since'],
  ['TIMESTAMP_TRUNC(timestamp, WEEK(MONDAY)) > @since', day, undefined],
  ['(@since IS NULL OR timestamp > @since)', day, '`timestamp` > @since'],
  ['IF(@n = 1, timestamp < @since, timestamp > @since)', { n: 2n, since: now }, '`timestamp` > @since'],
  ['CASE @n WHEN 1 THEN timestamp < @since ELSE TRUE END AND n > 1', { n: 1n, since: now }, undefined],
  [
    `CASE WHEN @from = 'a' THEN timestamp > CURRENT_TIMESTAMP() - INTERVAL 2 HOUR END`,
    { from: 'a' },
    '`timestamp` > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 2 HOUR)',
  ],
  [
    'CASE WHEN TRUE THEN timestamp >= TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), WEEK(MONDAY)) END',
    {},
    '`timestamp` >= TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), WEEK(MONDAY))',
  ],
  ['(@since IS NULL OR seen > @since)', day, '`Seen` > @since'],
  ['timestamp > @since', day, undefined],
  ['(@since IS NULL OR timestamp > @since)', {}, undefined],
  ['(n = 1 OR timestamp > @since)', day, undefined],
  ['(timestamp > @since OR n = 1)', day, undefined],
  ['IF(@n = 1, n = 1, @since < timestamp)', { n: 2n, since: now }, '`timestamp` > @since'],
  ['NOT (timestamp > @since)', day, undefined],
  ['TIMESTAMP_TRUNC(timestamp, DAY) <= @since', day, undefined],
  ['DATE(timestamp, @from) >= "2026-11-01"', {}, undefined],
  ['DATE(timestamp) >= "2026-11-01" AND 10 / n > 1', {}, undefined],
  [
    'DATE(timestamp) >= "2026-11-01" AND SAFE_DIVIDE(10, n) > 1',
    {},
    "`timestamp` >= TIMESTAMP(DATE '2026-11-01')",
  ],
])('a condition leads to these bounds: %s', async (condition, values, bounds) => {
  const found = await boundsOf(`SELECT COUNT(*) FROM logs.events WHERE ${condition}`, values);
  expect(found).toEqual(bounds === undefined ? [] : [bounds]);
});

const bound = "`timestamp` >= TIMESTAMP '2026-01-01 00:00:00+00'";

test.each([
  ['WITH e AS (SELECT * FROM logs.events) SELECT n FROM e WHERE timestamp >= "2026-01-01"', [bound]],
  ['SELECT n FROM (SELECT timestamp AS t, n FROM logs.events) WHERE t >= "2026-01-01"', [bound]],
  [
    'SELECT e.n FROM logs.events AS e JOIN logs.others AS o USING (id) WHERE DATE(o.timestamp) >= "2026-01-01"',
    ["`timestamp` >= TIMESTAMP(DATE '2026-01-01')"],
  ],
  ['WITH e AS (SELECT * FROM logs.events) SELECT e.n FROM e, e AS f WHERE e.timestamp >= "2026-01-01"', []],
  ['WITH e AS (SELECT * FROM logs.events) SELECT e.n FROM e AS f, e WHERE e.timestamp >= "2026-01-01"', []],
  ['SELECT n FROM (SELECT * FROM logs.events LIMIT 9) WHERE timestamp >= "2026-01-01"', []],
  ['SELECT n FROM (SELECT *, COUNT(*) OVER () AS c FROM logs.events) WHERE timestamp >= "2026-01-01"', []],
  ['SELECT n FROM (SELECT DISTINCT * FROM logs.events) WHERE timestamp >= "2026-01-01"', []],
  ['SELECT n FROM (SELECT *, CAST(id AS INT64) AS i FROM logs.events) WHERE timestamp >= "2026-01-01"', []],
  ['SELECT n FROM (SELECT *, DATE(n, 1, 1) AS d FROM logs.events) WHERE timestamp >= "2026-01-01"', []],
  [
    'SELECT n FROM (SELECT *, DATE("2026-01-01") + n * INTERVAL 1 DAY > "2026-02-01" AS d FROM logs.events) WHERE timestamp >= "2026-01-01"',
    [],
  ],
  ['SELECT n FROM (SELECT *, INTERVAL n DAY AS d FROM logs.events) WHERE timestamp >= "2026-01-01"', []],
  ['SELECT n FROM (SELECT *, DATE(timestamp, id) AS d FROM logs.events) WHERE timestamp >= "2026-01-01"', []],
  [
    'SELECT n FROM (SELECT *, EXTRACT(HOUR FROM timestamp AT TIME ZONE id) AS h FROM logs.events) WHERE timestamp >= "2026-01-01"',
    [],
  ],
  [
    'SELECT n FROM (SELECT *, DATE(timestamp, "Asia/Tokyo") AS d FROM logs.events) WHERE timestamp >= "2026-01-01"',
    [bound],
  ],
  [
    'SELECT 1 FROM logs.others AS o LEFT JOIN (SELECT * FROM logs.events) AS e USING (id) WHERE e.timestamp >= "2026-01-01"',
    [],
  ],
  [
    'SELECT n FROM (SELECT * FROM logs.events TABLESAMPLE SYSTEM (9 PERCENT)) WHERE timestamp >= "2026-01-01"',
    [],
  ],
  ['SELECT n FROM (SELECT * FROM logs.`days_*`) WHERE timestamp >= "2026-01-01"', []],
])('bounds reach the place of the source if no row is lost: %s', async (sql, bounds) => {
  expect(await boundsOf(sql)).toEqual(bounds);
});

test('the newest rows of any column with a time come from a range of it', async () => {
  const sql = 'SELECT id, seen FROM logs.events AS t WHERE n = 1 ORDER BY seen DESC LIMIT 7';
  const { newest } = await workbench.runTexts(sql, now);
  expect(newest).toMatchObject({ column: 'Seen', count: 7, timeColumn: 1 });
  expect(newest?.textFrom(now).sql).toContain(
    "(SELECT * FROM `my-project-1.logs_eu.events` WHERE `Seen` >= TIMESTAMP '2026-11-20 06:00:00+00') AS t",
  );
});
