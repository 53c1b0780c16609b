import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparable, Differential } from './differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

/** Queries that the reference evaluator can't run, each with one that it can and that means the same. */
const equivalents: readonly (readonly [string, string])[] = [
  [
    'select t, b, count(*) c, sum(a) s from nums group by rollup(t, b)',
    `select t, b, count(*) c, sum(a) s from nums group by t, b
      union all select t, null, count(*), sum(a) from nums group by t
      union all select null, null, count(*), sum(a) from nums`,
  ],
  [
    'select t, b, grouping(t), grouping(b), count(*) from nums group by cube(t, b)',
    `select t, b, 0, 0, count(*) from nums group by t, b
      union all select t, null, 0, 1, count(*) from nums group by t
      union all select null, b, 1, 0, count(*) from nums group by b
      union all select null, null, 1, 1, count(*) from nums`,
  ],
  [
    'select t, flag, max(x) from nums where x > 0 group by grouping sets ((t, flag), flag, ())',
    `select t, flag, max(x) from nums where x > 0 group by t, flag
      union all select null, flag, max(x) from nums where x > 0 group by flag
      union all select null, null, max(x) from nums where x > 0`,
  ],
  ['select t, count(*) from nums where false group by rollup(t)', 'select cast(null as string), 0'],
  [
    'select x, count(*) from nums group by rollup(x)',
    'select x, count(*) from nums group by x union all select null, count(*) from nums',
  ],
  [
    'select upper(t) u, count(*) from nums group by rollup(u) having count(*) > 15 or u is null order by u, 2',
    `select upper(t) u, count(*) c from nums group by u having c > 15 or u is null
      union all select null, count(*) from nums order by 1, 2`,
  ],
  ["select 1, 'x' from nums where false group by () order by 1", "select 1, 'x'"],
  ['select 1 from nums group by grouping sets ((), ()) having true', 'select 1 union all select 1'],
  ['select 1 from nums group by () having false or 1 > 2', 'select 1 from nums where false'],
  ['select a, (select 1 from nums group by ()) from nums', 'select a, 1 from nums'],
  [
    'select a + 1 c, grouping(a + 1) g, count(*) from nums group by grouping sets (c, a + 1, 1) order by c, g, 3',
    `select c, 0 g, n from (select a + 1 c, count(*) n from nums group by c), unnest([1, 2, 3]) order by 1, 2, 3`,
  ],
  [
    'select a + 1 c, grouping(a + 1), b from nums group by rollup (1, a + 1, b) order by coalesce(c, 0)',
    `select c, 0, b from (select distinct a + 1 c, b from nums)
      union all select c, 0, null from (select distinct a + 1 c from nums), unnest([1, 2])
      union all select null, 1, null`,
  ],
  [
    'select a, b, count(*) from (select 1 a, 1 b) group by rollup (a, b)',
    'select 1, 1, 1 union all select 1, null, 1 union all select null, null, 1',
  ],
  [
    'select approx_count_distinct(t), approx_count_distinct(b) from nums',
    'select count(distinct t), count(distinct b) from nums',
  ],
  [
    'select t, approx_count_distinct(x) from nums group by t',
    'select t, count(distinct x) from nums group by t',
  ],
  [
    'select approx_quantiles(id, 4) from nums',
    `select [min(id), (select distinct percentile_disc(id, 0.25) over () from nums),
      (select distinct percentile_disc(id, 0.5) over () from nums),
      (select distinct percentile_disc(id, 0.75) over () from nums), max(id)] from nums`,
  ],
  [
    'select approx_quantiles(x, 2) from nums',
    `select [(select distinct percentile_disc(x, 0) over () from nums),
      (select distinct percentile_disc(x, 0.5) over () from nums),
      (select distinct percentile_disc(x, 1) over () from nums)]`,
  ],
  [
    'select t, approx_quantiles(id, 4)[offset(1)], approx_quantiles(id, 4)[ordinal(5)] from nums group by t',
    'select distinct t, percentile_disc(id, 0.25) over (partition by t), max(id) over (partition by t) from nums',
  ],
  [
    'select t, q[offset(0)], q[offset(2)], q[safe_offset(3)], q[safe_offset(-1)] from (select t, approx_quantiles(x, 2) q from nums group by t)',
    'select distinct t, percentile_disc(x, 0) over (partition by t), percentile_disc(x, 1) over (partition by t), null, null from nums',
  ],
  [
    'select array_length(q), q[offset(1)] from (select approx_quantiles(id, 2) q from nums)',
    'select distinct 3, percentile_disc(id, 0.5) over () from nums',
  ],
  [
    'select q[offset(1)] from (select approx_quantiles(distinct a, 2) q from nums where a is null)',
    'select cast(null as int64)',
  ],
  [
    `with q as (select t, approx_quantiles(x, 10) q from nums group by t), r as (select * from q)
      select r.t, r.q[offset(5)], (select count(*) from unnest(q.q)) from r join q on r.t = q.t`,
    'select distinct t, percentile_disc(x, 0.5) over (partition by t), 11 from nums where t is not null',
  ],
  [
    'select t, approx_top_count(b, 100)[offset(0)].count from nums group by t',
    'select t, max(c) from (select t, b, count(*) c from nums group by t, b) group by t',
  ],
  [
    'select v.value, v.count from unnest((select approx_top_count(t, 10) from nums)) v',
    'select t, count(*) from nums group by t',
  ],
  [
    'select v.value, v.sum from unnest((select approx_top_sum(t, id, 10) from nums)) v',
    'select t, sum(id) from nums group by t',
  ],
  [
    'select t, max_by(id, a), min_by(id, a) from nums where id in (1, 2, 3, 5, 8) group by t',
    'select t, any_value(id having max a), any_value(id having min a) from nums where id in (1, 2, 3, 5, 8) group by t',
  ],
];

test.each(equivalents)('%s', async (query, equivalent) => {
  const ordered = /order by[^()]*$/i.test(query);
  const expected = comparable(await differential.expected(equivalent), ordered);
  expect(comparable(await differential.actual(query), ordered)).toEqual(expected);
  expect(comparable(await differential.folded(query), ordered)).toEqual(expected);
});

test('refuses a number that grouping sets list twice, which the analyzer confuses with a position', async () => {
  const query = 'select key, 1 from (select 1 key) group by grouping sets (key, 2, 1)';
  await expect(differential.actual(query)).rejects.toThrow('a number that grouping sets list twice');
  await expect(differential.folded(query)).rejects.toThrow('a number that grouping sets list twice');
});
