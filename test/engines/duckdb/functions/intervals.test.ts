import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start([]);
});
afterAll(() => differential[Symbol.asyncDispose]());

const equal = '(select interval 1 month as i union all select interval 30 day)';

test.each([
  [`select i, count(*) from ${equal} group by rollup (i)`, 'grouping sets of INTERVAL'],
  [`select array_agg(distinct i) from ${equal}`, 'DISTINCT with INTERVAL in ARRAY_AGG'],
  [`select sum(1 having max i) from ${equal}`, 'HAVING MAX of INTERVAL'],
  [
    `select i from ${equal} except all select interval 30 day`,
    'EXCEPT ALL of texts with a collation or INTERVAL',
  ],
  [
    `select s, count(*) from (select struct(i) as s from ${equal}) group by s`,
    'a comparison of records or arrays with INTERVAL',
  ],
])('refuses %s', async (sql, what) => {
  await expect(differential.actual(sql)).rejects.toThrow(what);
});

test('PERCENTILE_DISC takes the lengths of intervals for their order', async () => {
  const intervals = '[make_interval(month=>1, day=>-5), interval 26 day, interval 24 day]';
  const middle = `select distinct percentile_disc(i, 0.5) over () = interval 25 day from unnest(${intervals}) i`;
  expect(await differential.actual(middle)).toEqual([[true]]);
});

test('the SQL of GREATEST grows with its arguments, not with their pairs', async () => {
  const sizeOf = async (count: number) => {
    const args = Array.from({ length: count }, (_, i) => `make_interval(day=>cast(rand() as int64) + ${i})`);
    return (await differential.emit(`select greatest(${args.join(', ')})`)).sql.length;
  };
  expect(await sizeOf(200)).toBeLessThan(3 * (await sizeOf(100)));
});
