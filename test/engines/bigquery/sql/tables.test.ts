import { afterAll, beforeAll, expect, test } from 'vitest';
import { logSetting, Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open(logSetting);
});
afterAll(() => bench[Symbol.asyncDispose]());

const edge = '`my-project-1.logs_eu.edge_logs`';
const auth = '`my-project-1.logs_eu.auth_logs`';
const billing = '`example.com:old-project.money.Billing 2026`';

test.each([
  ['a path', 'select id from logs.edge_logs', `select id from ${edge} AS \`edge_logs\``],
  ['an alias', 'select e.id from logs.edge_logs e', `select e.id from ${edge} e`],
  ['letter case', 'select id from LOGS.Edge_Logs', `select id from ${edge} AS \`Edge_Logs\``],
  ['quoted parts', 'select e.id from `logs`.`edge_logs` as e', `select e.id from ${edge} as e`],
  [
    'a quoted whole, which is its own alias',
    'select `logs.edge_logs`.id from `logs.edge_logs`',
    `select \`logs.edge_logs\`.id from ${edge} AS \`logs.edge_logs\``,
  ],
  ['comments between', 'select e.id from logs /* . */ . -- x\n edge_logs e', `select e.id from ${edge} e`],
  ['another table', 'select id from logs.billing', `select id from ${billing} AS \`billing\``],
  [
    'arrays of its rows',
    'select m.path from logs.edge_logs, edge_logs.metadata as m left join unnest(edge_logs.metadata)',
    `select m.path from ${edge} AS \`edge_logs\`, edge_logs.metadata as m left join unnest(edge_logs.metadata)`,
  ],
  [
    'a path to an array',
    'select metadata.path from logs.edge_logs.metadata',
    `select metadata.path from ${edge}.metadata`,
  ],
  [
    'a CTE of the same name',
    'with edge_logs as (select id from logs.edge_logs) select edge_logs.id from edge_logs',
    `with edge_logs as (select id from ${edge} AS \`edge_logs\`) select edge_logs.id from edge_logs`,
  ],
  [
    'an array of the same path',
    'select m.path from (select metadata as edge_logs from logs.auth_logs) as logs, logs.edge_logs as m',
    `select m.path from (select metadata as edge_logs from ${auth} AS \`auth_logs\`) as logs, logs.edge_logs as m`,
  ],
  [
    'texts and comments',
    `select 'logs.edge_logs' as \`logs.edge_logs\` -- logs.edge_logs\nfrom logs.auth_logs`,
    `select 'logs.edge_logs' as \`logs.edge_logs\` -- logs.edge_logs\nfrom ${auth} AS \`auth_logs\``,
  ],
  [
    'letters of several bytes before it',
    `select 'é😀', id from logs.edge_logs`,
    `select 'é😀', id from ${edge} AS \`edge_logs\``,
  ],
  [
    'joins, subqueries and set operations',
    'select a.n from logs.edge_logs a join logs.auth_logs using (id) where exists (select 1 from logs.billing) union all (select n from logs.edge_logs)',
    `select a.n from ${edge} a join ${auth} AS \`auth_logs\` using (id) where exists (select 1 from ${billing} AS \`billing\`) union all (select n from ${edge} AS \`edge_logs\`)`,
  ],
  [
    'subqueries of window functions',
    'select sum((select max(n) from logs.auth_logs)) over () as s from logs.edge_logs',
    `select sum((select max(n) from ${auth} AS \`auth_logs\`)) over () as s from ${edge} AS \`edge_logs\``,
  ],
  [
    'CTEs that nothing reads, and one that is read twice',
    'with u as (select 1 as x from logs.billing), e as (select id from logs.edge_logs) select a.id from e a, e b',
    `with u as (select 1 as x from ${billing} AS \`billing\`), e as (select id from ${edge} AS \`edge_logs\`) select a.id from e a, e b`,
  ],
  [
    'PIVOT',
    'select * from logs.edge_logs pivot (count(edge_logs.n) for edge_logs.id in ("a"))',
    `select * from ${edge} AS \`edge_logs\` pivot (count(edge_logs.n) for edge_logs.id in ("a"))`,
  ],
  [
    'UNPIVOT, whose table the analyzer puts elsewhere',
    'select v from logs.edge_logs unpivot (v for w in (n))',
    `select v from ${edge} AS \`edge_logs\` unpivot (v for w in (n))`,
  ],
])('%s: only names of sources are replaced', async (_, sql, expected) => {
  expect(await bench.sql(sql)).toBe(`${expected}\nLIMIT 101`);
});

test('a source that the tree reads and the text doesn’t show is refused', async () => {
  const plan = await bench.plan('select id from logs.edge_logs');
  await expect(bench.jobText({ ...plan, sql: 'select id from logs.auth_logs' })).rejects.toThrow(
    'Not supported: reading logs.edge_logs in this way',
  );
});

test.each([
  [
    'a CTE',
    'with `other-project.d.t` as (select 1 as x) select x from `other-project.d.t`',
    '`other-project.d.t`',
  ],
  ['an array', 'select 1 from logs.edge_logs as `d.t`, `d.t`.metadata', '`d.t`'],
  [
    'a source that is its own alias',
    'select 1 from `logs.edge_logs`, `logs.edge_logs`.metadata',
    '`logs.edge_logs`',
  ],
  ['a wildcard', 'with `d.*` as (select 1 as x) select (select x from `d.*`)', '`d.*`'],
  [
    'a view of all jobs',
    'select 1 from (select [struct(1 as x)] as information_schema) as `region-eu`, `region-eu`.information_schema',
    '`information_schema`',
  ],
])('%s by a name that BigQuery reads as another table is refused', async (_, sql, name) => {
  const plan = await bench.plan(sql);
  await expect(bench.jobText(plan)).rejects.toThrow(`Not supported: reading from the name ${name}`);
});

test('some days of a wildcard table are tables of BigQuery', async () => {
  const columns = [
    { name: 'n', type: { kind: 'INT64' } },
    { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  ] as const;
  await using days = await Workbench.open({ sources: { 'events_*': columns }, parameters: new Map() });
  const sql =
    'select e.n from `logs.events_2026*` e join logs.events_20260131 using (n) join logs.`events_*` f using (n)';
  const dataset = '`my-project-1.logs_eu.events_';
  expect(await days.sql(sql)).toBe(
    `select e.n from ${dataset}2026*\` e join ${dataset}20260131\` AS \`events_20260131\` using (n) join ${dataset}*\` f using (n)\nLIMIT 101`,
  );
});
