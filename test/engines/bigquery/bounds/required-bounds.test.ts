import { afterAll, beforeAll, expect, test } from 'vitest';
import { BigQueryEngine } from '../../../../src/engines/bigquery/bigquery-engine.ts';
import { JobTexts } from '../../../../src/engines/bigquery/sql/job-text.ts';
import { prepareText } from '../../../../src/engines/bigquery/sql/prepare-text.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';
import { names, Workbench } from '../sql/support/workbench.ts';
import { deployment } from '../support/job-setup.ts';
import { ScriptedApi } from '../support/scripted-api.ts';
import { requestOf } from '../support/served-engine.ts';

const time: SqlType = { kind: 'TIMESTAMP' };
const columns = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'timestamp', type: time },
  { name: 'Seen', type: time },
  { name: 'n', type: { kind: 'INT64' } },
] as const;

let workbench: Workbench;
beforeAll(async () => {
  workbench = await Workbench.open({
    sources: { events: columns, others: columns, free: columns },
    parameters: new Map<string, SqlType>([['since', time]]),
  });
});
afterAll(() => workbench?.[Symbol.asyncDispose]());

const now = BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n;
const required = new Map([
  ['events', 'timestamp'],
  ['others', 'Seen'],
]);

/** The source that lacks a bound, in a query with a value of `@since` or without one. */
async function unbounded(sql: string, since: Value = now): Promise<string | undefined> {
  const { unbounded } = await workbench.runTexts(sql, now, { since });
  return unbounded((source) => required.get(source));
}

const events = 'SELECT id FROM logs.events WHERE';
const result = 'WITH result AS (SELECT id, timestamp, n FROM logs.events)';
test.each([
  `${events} timestamp >= @since`,
  `${events} timestamp > "2026-01-01" AND n > 1`,
  `${events} @since < TIMESTAMP`,
  `${events} DATE(timestamp) = "2026-11-20"`,
  `${events} timestamp BETWEEN @since AND CURRENT_TIMESTAMP()`,
  `${events} (@since IS NULL OR timestamp >= @since)`,
  'SELECT id FROM logs.others WHERE seen > @since',
  'SELECT id FROM logs.free',
  'SELECT 1 AS id',
  `${result} (SELECT * FROM result AS r WHERE r.timestamp >= "2026-11-20")`,
  `${result} SELECT 1 AS x`,
  `${result.replace('logs.events', 'logs.events WHERE timestamp > @since')} SELECT a.id FROM result AS a JOIN result AS b USING (id)`,
  'WITH a AS (SELECT id FROM logs.events) SELECT id FROM logs.free',
  `SELECT e.id FROM logs.events AS e JOIN logs.others AS o USING (id) WHERE e.timestamp > @since AND o.seen > @since`,
])('a bound is proved: %s', async (sql) => {
  expect(await unbounded(sql)).toBeUndefined();
});

test.each([
  ['SELECT id FROM logs.events', 'events'],
  ['SELECT id FROM logs.EVENTS AS e', 'events'],
  ['SELECT id FROM logs.events ORDER BY timestamp DESC LIMIT 10', 'events'],
  [`${events} timestamp < @since`, 'events'],
  [`${events} seen >= @since`, 'events'],
  [`${events} n > 1 OR timestamp >= @since`, 'events'],
  [`${events} NOT (timestamp < @since)`, 'events'],
  [`${events} timestamp >= @since AND 1 / n > 0`, 'events'],
  ['SELECT id FROM logs.others WHERE timestamp > @since', 'others'],
  ['SELECT id FROM (SELECT * FROM logs.events LIMIT 5) WHERE timestamp >= @since', 'events'],
  [
    `${result} SELECT a.id FROM result AS a, result AS b WHERE a.timestamp > @since AND b.timestamp > @since`,
    'events',
  ],
  [`${events} timestamp >= @since UNION ALL SELECT id FROM logs.events`, 'events'],
  [`SELECT id FROM logs.free WHERE EXISTS (SELECT 1 FROM logs.events)`, 'events'],
  ['SELECT e.id FROM logs.events AS e JOIN logs.others AS o USING (id) WHERE e.timestamp > @since', 'others'],
])('none is: %s', async (sql, source) => {
  expect(await unbounded(sql)).toBe(source);
});

test('a bound that a parameter makes is none without its value', async () => {
  expect(await unbounded(`${events} (@since IS NULL OR timestamp >= @since)`, null)).toBe('events');
});

test('the engine refuses such a query before it asks BigQuery anything', async () => {
  const api = new ScriptedApi({});
  const texts = new JobTexts((plan) => prepareText(plan, workbench.analyzer, names));
  const engine = new BigQueryEngine({
    ...{ api, project: 'p', texts, settings: deployment, clock: new ManualClock(1000) },
    log: { info() {}, warn() {}, error() {} },
    requiredTimeOf: (source) => required.get(source),
  });
  const request = requestOf(await workbench.plan('SELECT id FROM logs.events'));
  for (const refused of [
    engine.run(request),
    engine.estimate(request),
    engine.stream(request, async () => {}),
  ])
    await expect(refused).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('The source "events" is read within bounds of its time only'),
    });
  expect(api.calls).toEqual([]);
  await engine.close();
});
