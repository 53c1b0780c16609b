import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { type Column, formatType } from '../../../../src/sql/values/type.ts';
import { logSetting, Workbench } from '../sql/support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open(logSetting);
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Queries that read no source, so that nothing but the limit changes. */
const rows = 'unnest([1, 2, 3]) as x';

describe('without a LIMIT, one is put where the order is', () => {
  test.each([
    [`select x from ${rows}¦`],
    [`select x from ${rows} order by x¦`],
    [`select x from ${rows} order by x¦ -- the end\n;\n/* the very end */`],
    [`\n(select x from ${rows} order by x¦)`],
    [`( /* a */ (select x from ${rows} order by x¦ /* b */) -- c\n)`],
    [`with a as (select x from ${rows} limit 3) select x from a¦`],
    [`with a as (select x from ${rows}) (\n  select x from a order by x¦\n)`],
    [`(with a as (select x from ${rows}) select x from a order by x¦)`],
    [`select 1 union all (select 2 limit 500)¦`],
    [`((select 1 as x union all select 2) order by x¦)`],
    [`(select x from ${rows} limit 500) order by x¦`],
    [`(select x from ${rows} order by x) order by x desc¦`],
    [`select * from (\n  select as struct x, x + 1 as y from ${rows} order by x desc¦ -- the end\n)`],
    [`select * from (select x from ${rows} order by x) where x > 1¦`],
    [`select distinct * from (select x from ${rows} order by x)¦`],
    [`select * except (y) from (select x, x as y from ${rows})¦`],
    [`select s.* from (select x from ${rows}) as s¦`],
    [`select * from (select x, 'a' as k from ${rows}) pivot (sum(x) as s for k in ('a'))¦`],
    [`select x from ${rows} qualify row_number() over w = 1 window w as (order by x)¦`],
  ])('%s', async (marked) => {
    const sql = marked.replace('¦', '');
    expect(await bench.sql(sql)).toBe(marked.replace('¦', '\nLIMIT 101'));
  });
});

test.each([
  [`select as struct x, 'a' as y from ${rows} order by x¦`],
  [`with a as (select x from ${rows}) (select as value x from a¦)`],
])('records stay in the one column that they have: %s', async (marked) => {
  const plan = await bench.plan(`-- the start\n${marked.replace('¦', '')}; -- the end`);
  const { sql } = await bench.jobText(plan);
  const limited = marked.replace('¦', '\nLIMIT 101');
  expect(sql).toBe(`-- the start\nSELECT record FROM (\n${limited}\n) AS record; -- the end`);
  const types = (columns: readonly Column[]) => columns.map(({ type }) => formatType(type));
  expect(types(resultColumns(await bench.resolved(sql)))).toEqual(types(plan.columns));
});

describe('the query’s own LIMIT stays unless it is larger', () => {
  test.each([
    ['limit 5', 'limit 5'],
    ['limit 0', 'limit 0'],
    ['limit 101', 'limit 101'],
    ['limit 102', 'limit 101'],
    ['limit 0xFFF offset 7', 'limit 101 offset 7'],
    ['limit 99999999999999999', 'limit 101'],
    ['limit cast(5000 as int64)', 'limit 101'],
    ['limit 3 offset 5000', 'limit 3 offset 5000'],
  ])('%s', async (own, expected) => {
    const query = `select x from ${rows} order by x`;
    expect(await bench.sql(`${query} ${own}`)).toBe(`${query} ${expected}`);
    expect(await bench.sql(`(\n${query}\n${own}\n)`)).toBe(`(\n${query}\n${expected}\n)`);
  });

  test.each([
    [5n, 'limit @ROWS'],
    [101n, 'limit @ROWS'],
    [102n, 'limit 101'],
    [null, 'limit @ROWS'],
    [-1n, 'limit @ROWS'],
  ])('@rows is %s', async (value, expected) => {
    const plan = await bench.plan(`select x from ${rows} limit @ROWS offset 1`);
    const text = await bench.jobText(plan, { values: { rows: value } });
    expect(text.sql).toBe(`select x from ${rows} ${expected} offset 1`);
    expect([...text.parameters]).toEqual(expected.includes('@') ? ['rows'] : []);
  });

  test('a parameter in a CAST', async () => {
    const sql = `select x from ${rows} limit cast(@rows as int64)`;
    expect(await bench.sql(sql, { values: { rows: 5n } })).toBe(sql);
    expect(await bench.sql(sql, { values: { rows: 500n } })).toBe(`select x from ${rows} limit 101`);
  });
});

test('the same plan has a limit for each run', async () => {
  const plan = await bench.plan(`select x from ${rows}`);
  expect((await bench.jobText(plan, { maxRows: 1 })).sql).toMatch(/\nLIMIT 2$/);
  expect((await bench.jobText(plan, { maxRows: 10_000 })).sql).toMatch(/\nLIMIT 10001$/);
});

test('the parameters are those that the text uses, by their declared names', async () => {
  const use = async (sql: string) => [...(await bench.jobText(await bench.plan(sql))).parameters];
  expect(await use('select @name as a, @NAME as b')).toEqual(['Name']);
  expect(await use("select '@name' as a -- @rows")).toEqual([]);
  expect(await use('select @rows as a, @name as b')).toEqual(['rows', 'Name']);
});

test('a parameter that stays elsewhere is sent when its LIMIT is replaced', async () => {
  const plan = await bench.plan(`select @rows as r from ${rows} limit @rows`);
  const text = await bench.jobText(plan, { values: { rows: 5000n } });
  expect(text.sql).toBe(`select @rows as r from ${rows} limit 101`);
  expect([...text.parameters]).toEqual(['rows']);
});
