select sum(x having max y) from (select 1 x, 2 y union all select 3, 5 union all select 4, 5 union all select 7, null)

select sum(x having min y) from (select 1 x, 2 y union all select 3, 5 union all select 4, 5 union all select 7, null)

select count(x having max y), sum(x having max y), array_agg(x having max y), string_agg(cast(x as string) having max y) from (select 1 x, cast(null as int64) y union all select 3, null)

select count(x having max y), sum(x having min y), any_value(x having max y) from (select 1 x, 1 y) where false

select x > 5 k, count(distinct x having max y), avg(x having max y) from (select x, mod(x, 2) y from unnest([1,2,3,4,5,6,7,7,7]) x) group by k

select array_agg(distinct x having max y order by x desc limit 2) from (select x, mod(x, 2) y from unnest([1,2,3,4,5,6,7,7,7]) x)

select array_agg(x ignore nulls having min y order by x limit 3) from (select 1 x, 1 y union all select null, 1 union all select 0, 1 union all select 9, 0.5+0.5)

select count(x having max y) from (select 1 x, ieee_divide(0,0) y union all select 3, 5.0 union all select 4, 7 union all select 5, ieee_divide(0,0))

select count(x having min y) from (select 1 x, ieee_divide(0,0) y union all select 3, 5.0 union all select 4, 7 union all select 5, ieee_divide(0,0))

select any_value(x having min y) is null from (select 1 x, ieee_divide(0,0) y union all select 3, 5.0 union all select 4, 7 union all select 5, ieee_divide(0,0))

select count(x having min y) from (select 1 x, ieee_divide(1,0) y union all select 3, ieee_divide(-1,0) union all select 4, 7)

select max(x having max s), min(x having min s), logical_or(x > 1 having min s), bit_and(x having max s) from (select 1 x, 'a' s union all select 3, 'ä' union all select 4, 'ä')

select string_agg(cast(x as string), '-' having max d order by x desc) from (select 1 x, date '2020-01-01' d union all select 3, date '2021-01-01' union all select 4, date '2021-01-01')

select corr(x, y having max z), var_pop(x having max z), stddev(x having max z) from (select 1 x, 2 y, 1 z union all select 3, 5, 1 union all select 9, 9, 0)

select avg(b having max id) from nums

select array_concat_agg([x] having max y order by x) from (select 1 x, 1 y union all select 2, 1)

select sum(x having max n) from (select 1 x, numeric '1.5' n union all select 2, numeric '1.50')

select (select sum(e having max e) from unnest(a) e) from (select [1,5,5] a union all select [])

select k, sum(x having max y) s from (select 1 k, 1 x, 2 y union all select 1, 5, 3 union all select 2, 7, null) group by rollup(k) having s is null or s > 0

select count(* having max y) from (select 1 y)

select safe.sum(x having max y) from (select 9223372036854775807 x, 1 y union all select 1, 1)

select approx_count_distinct(x having max y) from (select 1 x, 1 y union all select 2, 1)

select max(n having max div(id, 3)) a, min(n having min mod(id, 2)) b, max(div(n, id + 1) having max n) c, array_agg(upper(k) order by lower(k) limit 2) d, string_agg(distinct upper(k), ',' order by upper(k)) e from unnest([struct(1 as id, 5 as n, 'a' as k), (2, 6, 'b'), (7, 3, 'c')])

select approx_top_count(div(id, 2), 2) a, approx_top_count(upper(k), 1) b, approx_top_sum(div(id, 2), mod(id, 5), 1) c, any_value(upper(k) having max div(id, 2)) d from unnest([struct(1 as id, 5 as n, 'a' as k), (2, 6, 'b'), (3, 3, 'b')])
