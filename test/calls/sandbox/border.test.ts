import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitQuery } from '../../../src/engines/duckdb/emit/emit-query.ts';
import { emitContext } from '../../../src/engines/duckdb/run/emit-context.ts';
import { compileLql } from '../../../src/sql/lql/compile/compile-lql.ts';
import { newPlan, statementOf } from '../../../src/sql/plan/plan.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';
import { demoSources } from '../../../src/tools/demo/rows/call.ts';
import { type PlanNode, planOf } from './support/query-plan.ts';
import { openWorld, ownProject, type World } from './support/world.ts';

/**
 * Nothing that a caller wrote is computed from rows that the stored entries leave out: in DuckDB's plan, after optimisation, it stands
 * above the border. Every text and number of a caller is a mark here, by which it is known in the plan.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const marks = /zqz|8765309/;

const shapes = [
  `select count(*) n from $t where event_message like '%zqz%'`,
  `select count(*) n from $t where event_message = 'zqz'`,
  `select count(*) n from $t where event_message >= 'zqz' and event_message < 'zqz9'`,
  `select id from $t where id in ('zqz1', 'zqz2', 'zqz3') order by timestamp desc limit 5`,
  `select * from $t where starts_with(event_message, 'zqz')`,
  `select * from $t where event_message like '%zqz%' order by timestamp desc limit 5`,
  `select count(*) n from (select if(event_message like 'zqz%', 'zqzlong', '') s from $t) where strpos(s, 'zqz9') > 0`,
  `select case when id like 'zqz%' then length(event_message) / 8765309 end x from $t`,
  `select count(*) n from $t where regexp_contains(event_message, r'zqz.*8765309')`,
  `select count(*) n from $t where farm_fingerprint(event_message) = 8765309`,
  `select count(*) n from $t where to_hex(md5(event_message)) = 'zqz'`,
  `select count(*) n from $t where json_value(event_message, '$.zqz') = 'zqz'`,
  `select count(*) n from $t where to_json_string(metadata) like '%zqz%'`,
  `select count(*) n from $t where timestamp > timestamp '2026-11-20 01:00:00' and event_message like '%zqz%'`,
  `select count(*) n from $t where extract(second from timestamp) = 8765309`,
  `select count(*) n from $t where timestamp_add(timestamp, interval 8765309 second) > timestamp '2026-11-20 01:00:00'`,
  `select event_message, count(*) n from $t group by event_message having event_message > 'zqz'`,
  `select substr(id, 1, 8765309) k, count(*) n from $t group by k`,
  `select distinct event_message from $t where event_message <> 'zqz'`,
  `select count(*) n from $t a join $t b on a.id = b.id and a.event_message like 'zqz%'`,
  `select count(*) n from $t a join (select 'zqz1' k union all select 'zqz2') b on a.event_message = b.k`,
  `select count(*) n from $t a left join $t b on concat(a.id, 'zqz') = b.id`,
  `select count(*) n from $t where event_message in (select concat('zqz', s) from unnest(['a', 'b']) s)`,
  `select count(*) n from $t a where exists (select 1 from $t b where b.id = concat(a.id, 'zqz'))`,
  `select (select max(b.event_message) from $t b where b.id > concat(a.id, 'zqz')) x from $t a`,
  `select count(*) n from $t a where not exists (select 1 from $t b where b.id = a.id and b.event_message like '%zqz%')`,
  `select array(select concat(b.id, 'zqz') from $t b where b.event_message = concat(a.event_message, 'zqz')) x from $t a`,
  `select count(*) n from $t a where exists (select 1 from $t b, unnest(b.metadata) m where to_json_string(m) = concat(a.id, 'zqz'))`,
  `select if(a.id = 'zqz', (select cast(b.event_message as int64) from $t b where b.id = a.id), 8765309) x from $t a`,
  `select row_number() over (partition by concat(event_message, 'zqz') order by timestamp) r from $t`,
  `select * from $t where true qualify rank() over (order by concat(id, 'zqz')) = 1`,
  `select id from $t order by concat(event_message, 'zqz') limit 3`,
  `select id from $t where event_message like 'zqz%' union all select id from $t where id = 'zqz'`,
  `with w as (select * from $t where event_message like '%zqz%') select count(*) n from w a join w b using (id)`,
  `select count(*) n from $t, unnest(metadata) m where to_json_string(m) like '%zqz%'`,
  `select any_value(if(id = 'zqz', error('zqz'), 1)) x from $t`,
];

function textOf({ extra_info }: PlanNode): string {
  return JSON.stringify(extra_info);
}

/** Whether the condition of the border is computed here, and not only passed on. */
function isBorder(node: PlanNode): boolean {
  const isListed = ({ extra_info }: PlanNode) => {
    const { Projections: listed = [] } = extra_info;
    return (Array.isArray(listed) ? listed : [listed]).includes('is_included');
  };
  return isListed(node) && !node.children.some((child) => isListed(child));
}

/** The operators of a plan, each with whether it stands at the border or below. */
function* operators(node: PlanNode, isBelow = false): Generator<{ node: PlanNode; isBelow: boolean }> {
  const atOrBelow = isBelow || isBorder(node);
  yield { node, isBelow: atOrBelow };
  for (const child of node.children) yield* operators(child, atOrBelow);
}

/** Operators that compute something of a caller's for rows of others. */
function violations(plan: PlanNode): string[] {
  return [...operators(plan)]
    .filter(
      ({ node, isBelow }) =>
        (isBelow || /SCAN/.test(node.name.replace('DUMMY_SCAN', ''))) && marks.test(textOf(node)),
    )
    .map(({ node }) => `${node.name} ${textOf(node)}`);
}

describe.each(demoSources)('what is computed from %s', (source) => {
  test.each(shapes)('%s', async (shape) => {
    const plan = await planOf(world, await world.sqlOf(shape.replaceAll('$t', source)));
    expect(violations(plan)).toEqual([]);
    // Where DuckDB shows nothing of the caller's, the test would see nothing.
    expect(JSON.stringify(plan)).toMatch(/is_included/);
  });

  test('a query in LQL', async () => {
    const { tables } = world.endpoint('logs.all');
    const lql = `f:${source} m.project:zqz event_message:~zqz`;
    const sql = compileLql(
      source === 'storage_logs' ? lql : `f:${source} event_message:~zqz`,
      tables.map(({ name, plan }) => ({ name, columns: plan.columns })),
    );
    expect(violations(await planOf(world, await world.sqlOf(sql)))).toEqual([]);
  });
});

test.each(['odd', 'layers', 'recursive'])(
  'entries of %s, made of joins, unions and each other',
  async (endpoint) => {
    for (const { name } of world.endpoint(endpoint).tables) {
      const sql = `select count(*) n from \`${name}\` as x where to_json_string(x) like '%zqz%'`;
      expect(violations(await planOf(world, await world.sqlOf(sql, { endpoint })))).toEqual([]);
    }
  },
);

test('bounds of time are below the border, and nothing else of the condition', async () => {
  const sql = await world.sqlOf(
    `select count(*) n from edge_logs where timestamp >= timestamp '2026-11-20 01:02:03' and event_message like '%zqz%'`,
  );
  const below = [...operators(await planOf(world, sql))]
    .filter(({ isBelow }) => isBelow)
    .map(({ node }) => textOf(node));
  expect(below.join()).toContain('2026-11-20 01:02:03');
});

test('the newest rows are found by time, from the scan on', async () => {
  const plan = await planOf(
    world,
    await world.sqlOf(
      `select id, event_message from edge_logs where event_message like '%zqz%' order by timestamp desc limit 2`,
    ),
  );
  const scans = [...operators(plan)].filter(({ node }) => /SCAN/.test(node.name));
  expect(scans.map(({ node }) => textOf(node)).join()).toMatch(/Dynamic Filter \(timestamp\)/);
});

describe('a stored query', () => {
  const parameters = new Map<string, SqlType>([
    ['project', { kind: 'STRING' }],
    ['pattern', { kind: 'STRING' }],
  ]);

  async function emitted(select: string): Promise<string> {
    const sql = `with mine as (select t.* from logs.function_logs t, unnest(t.metadata) m where m.project_ref = @project) ${select}`;
    const statement = await world.analyzer.analyze(sql, { catalog: world.catalog, parameters });
    const values = new Map([
      ['project', ownProject],
      ['pattern', '%zqz%'],
    ]);
    const context = emitContext(
      newPlan({ isCallers: false, sql, statement, columns: [], parameters }),
      values,
      0n,
    );
    return emitQuery(statement, context).sql;
  }

  test('has the border where a parameter stands behind its entries', async () => {
    const plan = await planOf(
      world,
      await emitted('select count(*) n from mine where event_message like @pattern'),
    );
    expect(JSON.stringify(plan)).toMatch(/is_included/);
    expect(violations(plan)).toEqual([]);
  });

  test('has it where the parameter stands in a WITH clause behind its own', async () => {
    const nested = `with w as (select * from mine where event_message like @pattern) select * from w`;
    const plan = await planOf(world, await emitted(`select count(*) n from (${nested})`));
    expect(JSON.stringify(plan)).toMatch(/is_included/);
    expect(violations(plan)).toEqual([]);
  });

  test('has none where nothing behind its entries is of the caller', async () => {
    expect(await emitted(`select count(*) n from mine where event_message like '%x%'`)).not.toMatch(
      /is_included/,
    );
  });
});

test('without the border, the marks would be found below', async () => {
  const { plan } = await world.queries.plan(
    world.endpoint('logs.all'),
    `select count(*) n from function_logs where event_message like '%zqz%'`,
  );
  const context = emitContext(plan, new Map([['project', ownProject]]), 0n);
  const { sql } = emitQuery(statementOf(plan), { ...context, hasBorder: false, rowLimit: 10 });
  const scans = [...operators(await planOf(world, sql))].filter(({ node }) =>
    /SCAN|UNNEST|FILTER/.test(node.name),
  );
  expect(scans.some(({ node }) => marks.test(textOf(node)))).toBe(true);
});
