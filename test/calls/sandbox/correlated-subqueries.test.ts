import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodesOf, type PlanNode, planOf } from './support/query-plan.ts';
import { openWorld, type World } from './support/world.ts';

/**
 * Behind the border, DuckDB still joins correlated subqueries by equal columns. Otherwise it would compare each row of the outer query
 * with each row of the inner one.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Whether an operator has rows of a table or of an outer query below it. */
function hasRows(node: PlanNode): boolean {
  return nodesOf(node).some(({ name }) => /SCAN/.test(name.replace('DUMMY_SCAN', '')));
}

/** The operators that combine each row of one side with each of the other. Small tables are joined without hashes. */
function products(plan: PlanNode): string[] {
  return nodesOf(plan)
    .filter(({ name }) => /CROSS_PRODUCT|NL_JOIN|NESTED_LOOP/.test(name))
    .filter(({ extra_info }) => !/ = |IS NOT DISTINCT FROM/.test(JSON.stringify(extra_info.Conditions ?? '')))
    .filter(({ children }) => children.every(hasRows))
    .map(({ name }) => name);
}

const outer = 'postgres_logs a';
const inner = 'function_logs b';

describe.each([
  `select count(*) n from ${outer} where exists (select 1 from ${inner} where b.id = a.id)`,
  `select count(*) n from ${outer} where not exists (select 1 from ${inner} where b.id = a.id)`,
  `select count(*) n from postgres_logs a where exists (select 1 from postgres_logs b where b.id = a.id)`,
  `select (select count(*) from ${inner} where b.id = a.id) x from ${outer}`,
  `select (select b.event_message from ${inner} where b.id = a.id) x from ${outer}`,
  `select (select b.event_message from ${inner} where b.id = a.id order by b.timestamp desc limit 1) x from ${outer}`,
  `select array(select b.event_message from ${inner} where b.id = a.id order by b.timestamp) x from ${outer}`,
  `select count(*) n from ${outer} where a.event_message in (select b.event_message from ${inner} where b.id = a.id)`,
  `select id from ${outer} order by (select count(*) from ${inner} where b.id = a.id)`,
  `select event_message from ${outer} group by event_message having exists (select 1 from ${inner} where b.event_message = a.event_message)`,
  `select count(*) n from ${outer} join auth_logs c on c.id = a.id and exists (select 1 from ${inner} where b.id = c.id)`,
  `select count(*) n from ${outer} where exists (select 1 from ${inner} where b.id = a.id and exists (select 1 from auth_logs c where c.id = b.id))`,
  `select count(*) n from ${outer} where exists (select 1 from ${inner} join auth_logs c on c.id = b.id where b.id = a.id)`,
  `with w as (select upper(id) as k from function_logs) select count(*) n from ${outer} where exists (select 1 from w where w.k = upper(a.id))`,
  `with w as (select id from function_logs) select count(*) n from w a where exists (select 1 from w where w.id = a.id)`,
  `select count(*) n from ${outer} where exists (select 1 from ${inner}, unnest(b.metadata) m where m.function_id = a.id)`,
  `select if(a.id like 'x%', 0, (select cast(b.event_message as int64) from ${inner} where b.id = a.id)) x from ${outer}`,
  `select count(*) n from ${outer} where a.id like 'x%' or exists (select 1 from ${inner} where b.id = a.id and b.timestamp < timestamp_add(a.timestamp, interval 1 minute))`,
])('%s', (sql) => {
  test('combines rows by equal columns', async () => {
    const plan = await planOf(world, await world.sqlOf(sql));
    expect(products(plan)).toEqual([]);
    expect(JSON.stringify(plan)).toMatch(/is_included/);
  });
});

test('without equal columns, it can only compare all rows', async () => {
  const sql = `select count(*) n from ${outer} where exists (select 1 from ${inner} where b.id > a.id or b.event_message = a.id)`;
  expect(products(await planOf(world, await world.sqlOf(sql)))).not.toEqual([]);
});
