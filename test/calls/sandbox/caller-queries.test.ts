import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { openWorld, ownProject, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** The error of a query, as `CODE text`. */
async function refusalOf(sql: string, endpoint = 'logs.all'): Promise<string> {
  const error = await world.queries.plan(world.endpoint(endpoint), sql).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error(`No refusal of ${sql}`, { cause: error });
  return `${error.code} ${error.message}`;
}
const column = async (sql: string, endpoint?: string) =>
  (await world.rows(sql, endpoint === undefined ? {} : { endpoint })).map((row) => Object.values(row)[0]);
const key = async (sql: string) => (await world.queries.plan(world.endpoint('logs.all'), sql)).key;

const ownIds = ['own 0 of edge_logs', 'own 2 of edge_logs', 'own 4 of edge_logs'];

describe("a caller's query", () => {
  test('reads the rows of the stored CTEs', async () => {
    expect(await column('select id from edge_logs order by id')).toEqual(ownIds);
    expect(await column('SELECT `id` FROM Edge_Logs AS t ORDER BY T.ID DESC;')).toEqual(
      [...ownIds].reverse(),
    );
  });

  test('has columns with the names that it gives them', async () => {
    const rows = await world.rows(
      'select ID, event_message as Text, 1, 2 from edge_logs order by id limit 1',
    );
    expect(rows).toEqual([{ ID: ownIds[0], Text: 'own 0 message', f0_: 1, f1_: 2 }]);
    const [all = {}] = await world.rows('select * from auth_logs limit 1');
    expect(Object.keys(all)).toEqual(['id', 'timestamp', 'event_message', 'metadata']);
  });

  test('may use the parameters of the endpoint', async () => {
    expect(await column('select @project')).toEqual([ownProject]);
    expect(await column('select @PROJECT')).toEqual([ownProject]);
  });

  test('returns rows up to maxRows, not up to the stored LIMIT', async () => {
    const result = await world.ask('select id from edge_logs', { endpoint: 'layers' });
    expect(result.rows).toHaveLength(2);
    expect(result.truncated).toBe(true);
    expect(await column('select id from own', 'odd')).toHaveLength(3);
  });

  test('may stand between comments and before one that is not ended by a line', async () => {
    expect(await column('/* é ) */ -- (\n  select 1 # x\n; -- the end')).toEqual([1]);
    expect(await column('/*a*/select count(*) from edge_logs -- (')).toEqual([3]);
  });

  test('answers a record as the columns that it holds, as BigQuery does', async () => {
    const sql = 'select as struct id, 1 as one from edge_logs order by id limit 1';
    expect(await world.rows(sql)).toEqual([{ id: ownIds[0], one: 1 }]);
    expect(await world.rows('select as struct 1 as a, 2 as b')).toEqual([{ a: 1, b: 2 }]);
  });
});

describe('names', () => {
  test("mean the caller's own CTE where there is one, and the stored one in its own body", async () => {
    expect(await column('with edge_logs as (select 1 as x) select x from edge_logs')).toEqual([1]);
    const narrowed =
      'with edge_logs as (select id from edge_logs where id like "%2%") select id from edge_logs';
    expect(await column(narrowed)).toEqual([ownIds[1]]);
    const others = `with edge_logs as (select 'mine' as id), b as (select id from Edge_logs) select id from b`;
    expect(await column(others)).toEqual(['mine']);
    const before = `with b as (select id from edge_logs), edge_logs as (select 'mine' as id) select id from b order by 1`;
    expect(await column(before)).toEqual(ownIds);
    const nested = `select (with edge_logs as (select 7 as x) select x from edge_logs) from edge_logs`;
    expect(await column(nested)).toEqual([7, 7, 7]);
  });

  test("of stored CTEs mean what they did before the caller's came", async () => {
    const sql = `with billing_records as (select 'mine' as id) select id from edge_logs order by id limit 1`;
    expect(await column(sql, 'layers')).toEqual([ownIds[0]]);
    const own = `with own as (select 'mine' as id) select Renamed from \`weird name\` order by 1`;
    expect(await column(own, 'odd')).toEqual(ownIds);
  });

  test('may be odd', async () => {
    expect(await column('select renamed from `weird name` order by 1 limit 1', 'odd')).toEqual([ownIds[0]]);
    expect(await column('select x from `a.b`', 'odd')).toEqual([1]);
    expect(await column('select x from `select`', 'odd')).toEqual([2]);
    expect(await column('select x from `édge`', 'odd')).toEqual(['𝄞']);
    expect(await column('select count(*) from pairs', 'odd')).toEqual([3]);
  });

  test('of recursive CTEs are found wherever they stand', async () => {
    expect(await column('select n from late order by n', 'recursive')).toEqual([1, 2, 3, 4]);
    expect(await column('select count(*) from own', 'recursive')).toEqual([3]);
    const mine =
      'with recursive counter as (select 9 as n union all select n + 1 from counter where n < 11) select * from counter order by 1';
    expect(await column(mine, 'recursive')).toEqual([9, 10, 11]);
    expect(await column(mine)).toEqual([9, 10, 11]);
  });

  test('of stored CTEs do not lead to tables that are called alike', async () => {
    expect(await refusalOf('select * from logs.edge_logs', 'odd')).toBe(
      'SANDBOX_VIOLATION Table not found: logs.edge_logs',
    );
    expect(await column('select x from logs, unnest(logs.edge_logs) as x', 'odd')).toEqual([1]);
  });

  test('of CTEs that are not read are left out of the plan', async () => {
    const { plan } = await world.queries.plan(
      world.endpoint('logs.all'),
      'select 1 from auth_logs, auth_logs b',
    );
    expect(plan.sql).toContain('logs.auth_logs');
    expect(plan.sql).not.toContain('logs.edge_logs');
  });
});

describe('a refusal', () => {
  test('says what is wrong, and where in the text of the caller', async () => {
    expect(await refusalOf('select id\nfrom edge_logs\njoin\tauth_users using (id)')).toMatch(
      /^SANDBOX_VIOLATION Table not found: auth_users \[at 3:6\]\. Tables: auth_logs, /,
    );
    expect(await refusalOf('select nope from edge_logs')).toBe(
      'BAD_USER_INPUT Unrecognized name: nope [at 1:8]',
    );
    expect(await refusalOf('select\n  1 +')).toBe(
      'BAD_USER_INPUT Syntax error: Unexpected end of statement [at 2:6]',
    );
    expect(await refusalOf("/* 1\n2 */ select '𝄞',\tx from edge_logs.metadata")).toMatch(/\[at 2:18\]$/);
    expect(await refusalOf("/* 1\n2 */ select\t'𝄞' from edge_logs.metadata")).toMatch(
      /Table not found: edge_logs\.metadata \[at 2:22\]/,
    );
  });

  test('is what a result with one name for two columns meets', async () => {
    expect(await refusalOf('select id, 1 as ID, 2 as id_1 from edge_logs')).toBe(
      'BAD_USER_INPUT Duplicate column names in the result are not supported. Found duplicate(s): ID',
    );
  });

  test('is what endpoints without sandbox or CTEs give', async () => {
    expect(await refusalOf('select 1', 'closed')).toBe(
      'BAD_USER_INPUT The endpoint "closed" does not accept ad-hoc queries',
    );
    expect(await refusalOf('select 1', 'bare')).toBe(
      'BAD_USER_INPUT The endpoint "bare" has no tables to query: its stored query has no WITH clause',
    );
  });

  test('of one text is the same error again', async () => {
    const plan = () =>
      world.queries.plan(world.endpoint('logs.all'), 'select nothing').catch((error) => error);
    expect(await plan()).toBe(await plan());
  });
});

describe('the key of a query', () => {
  test('is one for texts that ask the same', async () => {
    const same = [
      'select id, count(*) as n from edge_logs where id like "own%" group by id order by n desc',
      'SELECT id,COUNT(*) AS n\nFROM edge_logs WHERE id LIKE "own%"\tGROUP BY id ORDER BY n DESC -- x',
      "/* x */ Select id, Count( * ) n From `edge_logs` Where id Like 'own%' Group By 1 Order By 2 Desc;",
    ];
    expect(new Set(await Promise.all(same.map(key))).size).toBe(1);
  });

  test('is another one for texts that ask something else', async () => {
    const different = [
      'select id from edge_logs',
      'select ID from edge_logs',
      'select id from auth_logs',
      'select id from edge_logs limit 1',
      'select id from edge_logs limit 2',
      'select id from edge_logs where id = "a"',
      'select id from edge_logs where id = "A"',
      'select id from edge_logs where id = "a "',
      'select id from edge_logs where id = @project',
      'select id from edge_logs where id = "@project"',
      'select id from edge_logs order by id',
      'select id from edge_logs order by id desc',
      'select distinct id from edge_logs',
      'select b"a" as x',
      'select "a" as x',
      'select 1 as x',
      'select 1.0 as x',
      ...['nan', 'inf', '-inf', '0', '-0'].map((text) => `select cast('${text}' as float64) as x`),
      'select numeric "1" as x',
      'select null as x',
    ];
    expect(new Set(await Promise.all(different.map(key))).size).toBe(different.length);
  });
});
