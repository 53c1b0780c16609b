const keyed =
  "unnest([struct('a' as k, 1 as g, 1 as v), ('a', 1, 3), ('b', 1, 5), ('b', 2, 5), ('A', 2, 2), (null, 2, 4)])";

/** Queries in syntax that the analyzer lacks, each with one in its syntax that means the same. */
export const equivalents: readonly (readonly [string, string])[] = [
  // FROM queries
  ['from (select 1 as a, 2 as b)', 'select 1 as a, 2 as b'],
  ['with k as (select 1 as a) from k', 'select 1 as a'],
  ['select array(from unnest([3, 1]) as x) as a', 'select [3, 1] as a'],
  ['select array(from (select as struct 1 as a)) as a', 'select [struct(1 as a)] as a'],
  ['with s as (select as struct 1 as a) select array(from s) as a', 'select [struct(1 as a)] as a'],
  [
    'with s as (select as struct 1 as a) select array(from s |> where a = 1) as a',
    'select [struct(1 as a)] as a',
  ],
  [
    'with s as (select as struct 1 as a), s2 as (with s as (select 2 as a) from s) select array(from s2) as a',
    'select [2] as a',
  ],
  ['from (select 1 as a) as k, (select 2 as a) as l |> select k.a as b, l.a', 'select 1 as b, 2 as a'],
  // SELECT
  ['from (select 1 as a, 2 as b) |> select b, a + b as c, a', 'select 2 as b, 3 as c, 1 as a'],
  ['select 1 as a union all select 1 |> select distinct a', 'select 1 as a'],
  ['select 1 as a, 2 as b |> select * except (a), *', 'select 2 as b, 1 as a, 2 as b'],
  ['select 1 as a, 2 as b |> select as struct b, a', 'select as struct 2 as b, 1 as a'],
  ['select 1 as a |> select a as b, |> select b,', 'select 1 as b'],
  ['select 2 as a |> select a is distinct from 2 as b', 'select false as b'],
  [
    'from unnest([1, 2, 3]) as x |> select x, sum(x) over w as s window w as (order by x)',
    'select 1 as x, 1 as s union all select 2, 3 union all select 3, 6',
  ],
  // EXTEND
  ['select 1 as a |> extend a + 1 as b, 5 |> extend b * 2 as c', 'select 1 as a, 2 as b, 5, 4 as c'],
  ['from (select 1 as a) as k |> extend 2 as b |> where k.a = 1 |> select k.a, b', 'select 1 as a, 2 as b'],
  [
    'from (select 1 as a) as k |> extend k.a + 1 as b |> extend k.a + b as c',
    'select 1 as a, 2 as b, 3 as c',
  ],
  ['from (select 1 as a) as k |> extend 2 as b |> select k', 'select struct(1 as a) as k'],
  ['from (select 1 as a) as k |> extend 2 as b |> select k.*', 'select 1 as a'],
  ['from (select 1 as a) as k |> extend 2 as b |> select *, k.a as c', 'select 1 as a, 2 as b, 1 as c'],
  [
    'from (select 1 as a) as k |> extend 2 as b |> extend k.a as c |> select *',
    'select 1 as a, 2 as b, 1 as c',
  ],
  [
    'from (select 1 as a) as k |> extend 2 as b |> select * except (b), k.a as c |> select *',
    'select 1 as a, 1 as c',
  ],
  ['from unnest([1, 2]) as x |> extend x + 1 as y', 'select 1 as x, 2 as y union all select 2, 3'],
  ['from unnest([5]) as x with offset as o |> extend x + o as y', 'select 5 as x, 0 as o, 5 as y'],
  [
    'from (select 1 as a, [2, 3] as l) as k, unnest(k.l) as x |> extend x + 1 as y |> where x = 2 |> select k.a, x, y',
    'select 1 as a, 2 as x, 3 as y',
  ],
  [
    'from (select 1 as a, [struct(2 as p)] as l) as k, k.l as m |> extend m.p + 1 as y',
    'select 1 as a, [struct(2 as p)] as l, struct(2 as p) as m, 3 as y',
  ],
  [
    'from (select 1 as a, [struct(2 as p)] as l) as k, k.l as m |> where p = 2 |> select *',
    'select 1 as a, [struct(2 as p)] as l, 2 as p',
  ],
  [
    'from (select 1 as a, [struct(2 as p)] as l) as k, k.l as m',
    'select 1 as a, [struct(2 as p)] as l, struct(2 as p) as m',
  ],
  // SET, DROP, RENAME
  ['select 1 as c, 2 as b, 3 as d |> set b = "x" |> select *', "select 1 as c, 'x' as b, 3 as d"],
  [
    'from (select 2 as x, 3 as y) as t |> set x = x * x, y = 8 |> select t.x as o, x, y',
    'select 2 as o, 4 as x, 8 as y',
  ],
  ['from (select 2 as x) as t |> set x = sum(x) over () + 1 |> select t.x as o, x', 'select 2 as o, 3 as x'],
  ['select 1 as a, 2 as b, 3 as c |> drop c, a', 'select 2 as b'],
  ['from (select 1 as x, 2 as y) as t |> drop x |> select t.x as o, y', 'select 1 as o, 2 as y'],
  ['from (select 1 as x, 2 as y) as t |> drop x |> where t.x = 1', 'select 2 as y'],
  [
    'select 1 as x, 2 as y, 3 as z |> as t |> rename y as renamed_y |> select *, t.y as t_y',
    'select 1 as x, 2 as renamed_y, 3 as z, 2 as t_y',
  ],
  ['select 1 as a, 2 as b |> rename a as b, b as a', 'select 1 as b, 2 as a'],
  ['with k as (select 1 as a, 2 as b) from k |> rename a c |> where c = 1', 'select 1 as c, 2 as b'],
  ['from (select 1 as t, 2 as b) as t |> rename b as c', 'select 1 as t, 2 as c'],
  ['with k as (select 1 as a) select (from k |> rename a as b) as v', 'select 1 as v'],
  // AS, WHERE
  ['select 1 as a |> as t |> select t, t.a', 'select struct(1 as a) as t, 1 as a'],
  ['from unnest([struct(1 as a)]) as x |> as y |> select y.a', 'select 1 as a'],
  ['from unnest([1, 2, 3]) as x |> where x > 1 |> where x < 3', 'select as value 2'],
  [
    'from unnest([1, 2, 3]) as x |> where row_number() over (order by x desc) = 1 and x > 0',
    'select as value 3',
  ],
  [
    'from unnest([1, 2, 3]) as x |> where x < 3 |> where rank() over (order by x desc) = 1 |> where x > 1',
    'select as value 2',
  ],
  [
    'from (select 1 as a union all select 2) as k, (select 5 as b) as l |> where max(a) over () = a |> select k.a, l.b',
    'select 2 as a, 5 as b',
  ],
  [
    'select 1 as a union all select 2 |> extend a as b |> where count(*) over () = 2 and b = 2',
    'select 2 as a, 2 as b',
  ],
  // AGGREGATE
  ['from unnest([1, 2, 2]) as x |> aggregate count(*) as n, sum(x)', 'select 3 as n, 5'],
  [
    'from unnest([1, 2]) as x |> where x > 5 |> aggregate count(*) as n, max(x) as m',
    'select 0 as n, cast(null as int64) as m',
  ],
  [
    'from unnest([1, 2]) as x |> where x > 5 |> aggregate count(*) as n group by x',
    'select 0 as x, 1 as n limit 0',
  ],
  [
    'from unnest([1, 2, 2]) as x |> aggregate count(*) as n group by x * 10 as y',
    'select 10 as y, 1 as n union all select 20, 2',
  ],
  ['from unnest([1, 2, 2]) as x |> aggregate group by x', 'select 1 as x union all select 2'],
  [
    'from unnest([1, 2, null]) as x |> aggregate count(*) as n group and order by x desc nulls first',
    'select x, 1 as n from unnest([1, 2, null]) as x order by x desc nulls first',
  ],
  [
    'from unnest([1, 2, 2]) as x |> aggregate count(*) as n desc group by x /* order by n */',
    'select 2 as x, 2 as n union all select 1, 1 order by n desc',
  ],
  [
    'from unnest([1, 2, 2]) as x |> aggregate count(*) n desc group by x |> select x /* order by n */',
    'select x from unnest([2, 1]) as x with offset as o order by o',
  ],
  [
    'from unnest([1, 2, 2, 3]) as x |> aggregate count(*) as n desc group by x desc |> extend x as y |> limit 2 /* order by */',
    'select 3 as x, 1 as n, 3 as y union all select 2, 2, 2 order by x desc',
  ],
  [
    'from (select 1 as a, 2 as b) |> aggregate count(*) as n, grouping(a) as g group by rollup(a, b)',
    'select a, b, count(*) as n, grouping(a) as g from (select 1 as a, 2 as b) group by rollup(a, b)',
  ],
  [
    'from (select 1 as a, 2 as b) |> aggregate count(*) as n group by grouping sets ((a, b), (b), b, ())',
    'select a, b, count(*) as n from (select 1 as a, 2 as b) group by grouping sets ((a, b), (b), b, ())',
  ],
  ['select 1 as a |> aggregate sum(a) as a group by a', 'select 1 as a, 1 as a'],
  // DISTINCT
  ['select 1 as a union all select 1 |> as t |> distinct |> select t.a', 'select 1 as a'],
  ['from unnest([1, 1, null, null]) as x |> distinct', 'select as value x from unnest([1, null]) as x'],
  ['from (select 1 as a) as k, unnest([1, 1]) as x |> distinct', 'select 1 as a, 1 as x'],
  // JOIN
  [
    'from (select 1 as a) as k |> join (select 1 as a, 2 as b) as l on k.a = l.a |> select k.a, l.b',
    'select 1 as a, 2 as b',
  ],
  [
    'from (select 1 as a union all select 2) as k |> where a = 1 |> left join (select 2 as a, 3 as b) as l using (a) |> where k.a = 1',
    'select 1 as a, cast(null as int64) as b',
  ],
  [
    'from (select 1 as a) as k, (select 2 as b) as l |> where a = 1 |> right join (select 3 as c) as m on k.a = m.c |> select k.a, l.b, m.c',
    'select cast(null as int64) as a, cast(null as int64) as b, 3 as c',
  ],
  ['from (select 1 as a) |> full outer join (select 1 as a) using (a)', 'select 1 as a'],
  [
    'from (select [1, 2] as l) as k |> cross join unnest(k.l) as x |> select x',
    'select 1 as x union all select 2',
  ],
  [
    'from (select 1 as a) as k, (select 2 as b) |> full join (select 1 as c) as m on k.a = m.c',
    'select 1 as a, 2 as b, 1 as c',
  ],
  [
    'from unnest([1, 2]) as x |> where x = 2 |> join (select 2 as y) as m on x = m.y',
    'select 2 as x, 2 as y',
  ],
  [
    'from unnest([3]) as x |> extend 1 as y |> join (select 3 as z) as m on x = m.z',
    'select 3 as x, 1 as y, 3 as z',
  ],
  // ORDER BY, LIMIT
  [
    'from unnest([2, 3, 1]) as x |> order by x desc',
    'select as value x from unnest([3, 2, 1]) as x with offset as o order by o',
  ],
  [
    'from unnest([2, 3, 1]) as x |> order by x |> limit 2 |> order by x desc',
    'select as value x from unnest([2, 1]) as x with offset as o order by o',
  ],
  [
    'from unnest([2, 3, 1]) as x |> order by x |> limit 2 offset 1',
    'select as value x from unnest([2, 3]) as x order by x',
  ],
  ['from unnest([2, 3, 1]) as x |> order by x desc |> limit 2 |> limit 1', 'select 3 as x'],
  ['from unnest([2, 3, 1]) as x |> limit 3 |> aggregate count(*) as n', 'select 3 as n'],
  ['from unnest([2, 3, 1]) as x |> order by x |> limit 2 |> aggregate sum(x) as n', 'select 3 as n'],
  [
    'from unnest([2, 3, 1]) as x |> order by x |> limit 1 |> extend sum(x) over () as n',
    'select 1 as x, 1 as n',
  ],
  [
    'select 2 as a, 7 as b union all select 1, 8 |> order by a |> select b as a, b',
    'select 8 as a, 8 as b union all select 7, 7 order by a desc',
  ],
  [
    'from (select 2 as a, 7 as b union all select 1, 8) as k |> order by k.a |> set a = 5 |> drop b |> extend k.b as c',
    'select 5 as a, 8 as c union all select 5, 7 order by c desc',
  ],
  [
    'from (select 2 as a, 7 as b union all select 1, 8) as k |> order by a |> rename a as z |> limit 1',
    'select 1 as z, 8 as b',
  ],
  [
    'select array(from unnest([2, 3, 1]) as x |> order by x |> select as struct x as y) as a /* order by */',
    'select [struct(1 as y), struct(2), struct(3)] as a',
  ],
  ['select 3 as a union all select 1 |> order by a |> limit 1', 'select 1 as a'],
  ['select 1 as a, 2 as b |> order by 2 desc, 1', 'select 1 as a, 2 as b'],
  // set operations
  [
    'select 1 as a |> union all (select 2), (select 3)',
    'select 1 as a union all select 2 union all select 3',
  ],
  [
    'from unnest([1, 2, 3, 3, 4]) as x |> select x |> except distinct (select 1), (select 4)',
    'select 2 as x union all select 3',
  ],
  [
    'select 1 as a, 2 as b |> union all by name (select 4 as b, 3 as a)',
    'select 1 as a, 2 as b union all select 3, 4',
  ],
  [
    'select 1 as a, 2 as b |> full union all by name (select 4 as c, 3 as a)',
    'select 1 as a, 2 as b, cast(null as int64) as c union all select 3, null, 4',
  ],
  ['select 1 as a |> intersect distinct (from unnest([1, 2]) as x)', 'select 1 as a'],
  [
    'select 1 as a, 2 as b union all by name select 4 as b, 3 as a order by a',
    'select 1 as a, 2 as b union all select 3, 4 order by a',
  ],
  [
    'select 1 as a, 2 as b union all by name on (b, a) select 4 as b, 3 as a',
    'select 2 as b, 1 as a union all select 4, 3',
  ],
  [
    'select 1 as a, 2 as b union all strict corresponding select 4 as b, 3 as a',
    'select 1 as a, 2 as b union all select 3, 4',
  ],
  ['select 1 as a, 2 as b inner union all corresponding select 4 as b', 'select 2 as b union all select 4'],
  ['select 1 as a left outer union all by name select 2 as a, 3 as b', 'select 1 as a union all select 2'],
  ['select 1 as a, 5 as c inner union all by name select 2 as a, 3 as b', 'select 1 as a union all select 2'],
  [
    'select 1 as a, 5 as c full union all corresponding by (c, b) select 2 as a, 3 as b',
    'select 5 as c, cast(null as int64) as b union all select null, 3',
  ],
  [
    'select (select max(a) from (select 1 as a, 2 as b union all by name select b, a from (select 3 as b, 4 as a))) as m',
    'select 4 as m',
  ],
  // PIVOT, UNPIVOT, WITH, WINDOW
  [
    "select 'kale' as p, 51 as s, 'Q1' as q |> pivot(sum(s) for q in ('Q1', 'Q2'))",
    "select 'kale' as p, 51 as Q1, cast(null as int64) as Q2",
  ],
  [
    "select 'kale' as p, 55 as Q1, 45 as Q2 |> unpivot(s for q in (Q1, Q2)) as u |> where u.s > 50",
    "select 'kale' as p, 55 as s, 'Q1' as q",
  ],
  ['select 1 as k |> with t as (select 1 as k, 5 as v), |> join t using (k)', 'select 1 as k, 5 as v'],
  [
    'with t as (select 1 as k) from t |> with t as (from t |> set k = k + 1) |> cross join t as u |> order by 1',
    'select 1 as k, 2 as k',
  ],
  [
    'select 1 as key |> with recursive t as (select 2 as key union all (select key + 1 from t where key <= 3)) |> union all (from t)',
    'select 1 as key union all select 2 union all select 3 union all select 4',
  ],
  ['select 1 as a |> window count(*) over () as n', 'select 1 as a, 1 as n'],
  // TABLESAMPLE
  ['from nums tablesample system (100 percent) |> aggregate count(*) as n', 'select count(*) as n from nums'],
  ['from nums as k |> tablesample system (0 percent) |> aggregate count(k.id) as n', 'select 0 as n'],
  // subqueries
  [
    'select (from unnest([1, 2, 3]) as x |> where x > k.a |> aggregate count(*)) as n from (select 1 as a) as k',
    'select 2 as n',
  ],
  [
    'select exists(from unnest([1]) as x |> where x = 2) as e, 2 in (from unnest([2])) as i',
    'select false as e, true as i',
  ],
  ['((from (select 1 as a)) |> extend 2 as b)', 'select 1 as a, 2 as b'],
  ['(select 1 as a) as t |> extend t.a as b', 'select 1 as a, 1 as b'],
  ['with k as (select 1 as a |> extend 2 as b) select * from k', 'select 1 as a, 2 as b'],
  ["select '|> select' as a |> select a -- |> select b", "select '|> select' as a"],
  // hints
  [
    'select @{x = 1} a from (select 1 as a) join @{join_type = hash} (select 1 as a) using (a)',
    'select 1 as a',
  ],
  ['@{a = 1} from (select 1 as a) |> where a = 1', 'select 1 as a'],
  // GROUP BY ALL
  [
    'select mod(x, 2) as m, count(*) as n from unnest([1, 2, 3]) as x group by all order by m',
    'select 0 as m, 1 as n union all select 1, 2 order by m',
  ],
  ['select count(*) as n, 5 as f from unnest([1, 2]) as x group by all', 'select 2 as n, 5 as f'],
  ['select count(*) as n from unnest([1, 2]) as x where x > 5 group by all', 'select 0 as n'],
  ['select x, 5 as f from unnest([1, 1]) as x group by all having count(*) > 1', 'select 1 as x, 5 as f'],
  [
    'select x, sum(count(*)) over () as n from unnest([1, 1, 2]) as x group by all',
    'select 1 as x, 3 as n union all select 2, 3',
  ],
  // chained function calls
  ["select ('abc').upper().substr(2) as a", "select 'BC' as a"],
  ["select (x.a).upper() as a from (select struct('abc' as a) as x)", "select 'ABC' as a"],
  ["select ('x').(net.host)() as a, [1, 2].array_length() as n", "select net.host('x') as a, 2 as n"],
  ["select concat('a', 'b').concat('c', 'd').length() + (2).abs() as n", 'select 6 as n'],
  ['select (x).sum() as s, (x).count(distinct) as c from unnest([1, 1, 2]) as x', 'select 4 as s, 2 as c'],
  ["select (x).string_agg(',' order by x) as s from unnest(['b', 'a']) as x", "select 'a,b' as s"],
  ['select cast(1 as string).concat("2") as a, (select 5).abs() as b', "select '12' as a, 5 as b"],
  ["select (case when true then 'a' end).upper() as a", "select 'A' as a"],
  // LIKE ANY and ALL over a subquery
  ["select 'abc' like any (select p from unnest(['x%', 'a%']) as p) as a", 'select true as a'],
  ["select 'abc' like all (select p from unnest(['x%', 'a%']) as p) as a", 'select false as a'],
  ["select 'abc' like any (select p from unnest(['x%', null]) as p) as a", 'select cast(null as bool) as a'],
  ["select 'abc' like any (select 'a' from unnest([1]) as x where x > 1) as a", 'select false as a'],
  ["select x like any (from unnest(['a%'])) as a from unnest(['ab']) as x", 'select true as a'],
  // GROUP BY within an aggregate
  [
    `select sum(max(v) group by k) from ${keyed}`,
    `select sum(m) from (select max(v) m from ${keyed} group by k)`,
  ],
  [
    `select g, avg(distinct sum(v) group by k) as r, count(*) as n from ${keyed} group by g`,
    `select g, avg(distinct m) as r, sum(n) as n from (select g, sum(v) m, count(*) n from ${keyed} group by g, k) group by g`,
  ],
  [
    `select g, sum(max(v) * k2 + g group by upper(k), k2) as r from (select *, v + 1 as k2 from ${keyed}) group by g having sum(min(v) group by k) > 2`,
    `select g, sum(m * k2 + g) as r from (select g, k2, max(v) m from (select *, v + 1 as k2 from ${keyed}) group by g, upper(k), k2) group by g
      having g in (select g from (select g, min(v) m from ${keyed} group by g, k) group by g having sum(m) > 2)`,
  ],
  [
    `select array_agg(upper(k) group by upper(k) order by max(v) desc limit 2) as r from ${keyed}`,
    `select array_agg(u order by m desc limit 2) as r from (select upper(k) u, max(v) m from ${keyed} group by u)`,
  ],
  [
    `select sum(max(min(v) group by g) group by k) as r, sum(count(*) group by k having count(*) > 1) as h from ${keyed}`,
    `select sum(m) as r, (select sum(n) from (select count(*) n from ${keyed} group by k) where n > 1) as h
      from (select max(m) m from (select k, min(v) m from ${keyed} group by k, g) group by k)`,
  ],
  [
    `select g, count(max(v) group by k) as c, sum(max(v) group by k) as s from ${keyed} where v > 100 group by rollup(g)`,
    'select cast(null as int64) as g, 0 as c, cast(null as int64) as s',
  ],
  [
    `select sum(sum(max(v) group by k)) over (order by g) as r, g from ${keyed} group by g`,
    `select sum(sum(m)) over (order by g) as r, g from (select g, max(v) m from ${keyed} group by g, k) group by g`,
  ],
  [
    `from ${keyed} |> aggregate sum(max(v) group by k) as s, count(* where v > 2) as c group by g`,
    `select g, sum(m) as s, sum(c) as c from (select g, max(v) m, countif(v > 2) c from ${keyed} group by g, k) group by g`,
  ],
  // WHERE within an aggregate
  [
    `select count(* where v > 2) as a, count(k where v > 2) as b, sum(v where k = 'b') as c, array_agg(k where v < 4 order by v) as d from ${keyed}`,
    `select countif(v > 2) as a, countif(v > 2 and k is not null) as b, sum(if(k = 'b', v, null)) as c,
      (select array_agg(k order by v) from ${keyed} where v < 4) as d from ${keyed}`,
  ],
  [
    `select array_agg(k respect nulls where v = 9) as a, array_agg(k ignore nulls where v = 9) as b, max(k where false) as c, array_length(array_agg(k respect nulls where v is null or true)) as d from ${keyed}`,
    `select cast(null as array<string>) as a, cast(null as array<string>) as b, cast(null as string) as c, count(*) as d from ${keyed}`,
  ],
  [
    `select sum(max(v) where k != 'a' group by k) as r, any_value(k where v < 5 having max v) as k from ${keyed}`,
    `select (select sum(m) from (select max(v) m from ${keyed} where k != 'a' group by k)) as r,
      (select any_value(k having max v) from ${keyed} where v < 5) as k`,
  ],
];
