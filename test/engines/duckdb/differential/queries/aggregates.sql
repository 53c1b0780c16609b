select request.method as http_verb, path, count(*) as n from edge_logs cross join unnest(metadata) as metadata cross join unnest(metadata.request) as request where path like '%e%' group by 1,2 order by n desc, 1, 2 limit 100;

select timestamp_trunc(t.timestamp, hour) as h, count(t.timestamp) as count, countif(r.status_code >= 500) as err from edge_logs t cross join unnest(metadata) m cross join unnest(m.response) r group by h order by h asc

select count(*) from edge_logs

select count(case when m.level = 'error' then 1 end) e, count(case when not (false or m.level = 'error') then 1 end) ok, countif(m.boot) b, countif(not m.boot) nb, countif(m.boot is null) from function_logs, unnest(metadata) m

select min(x), max(x), min(s), max(s), sum(y), avg(y), sum(a), avg(a) from nums

select t, min(x), max(x) from nums where not is_nan(x) group by t

select string_agg(s, '|' order by id) from nums where s != ''

select t, string_agg(distinct s order by s) from nums group by t

select string_agg(s, ', ' order by id desc limit 3) from nums

select h, count(e.id) c from unnest(generate_timestamp_array(timestamp '2026-11-20 00:00:00', timestamp '2026-11-20 07:00:00', interval 1 hour)) h left join edge_logs e on timestamp_trunc(e.timestamp, hour) = h group by h order by h

select id, (select sum(v) from unnest(arr) v) s, array(select v * 2 from unnest(arr) v where v > 2 order by v desc) d, exists(select 1 from unnest(arr) v where v = 4) e, (select max(v) from unnest(arr) v with offset o where o > 0) from nums

select t, array_agg(struct(id, s) order by id desc limit 3) from nums group by t

select t, array_agg(a ignore nulls order by a, id) from nums group by t

select t, array_agg(distinct b ignore nulls order by b) from nums group by t

select array_agg(s) from nums where false

select tag, count(*) c from edge_logs, unnest(metadata) m, unnest(m.tags) tag group by tag having c > 3 order by c desc, tag

select t, b, count(*) c from nums group by rollup(t, b)

select t, b, count(*) c, grouping(t) from nums group by grouping sets ((t), (b), ())

select count(distinct t), count(distinct if(a > 0, t, null)), approx_count_distinct(s), logical_or(flag), logical_and(flag), any_value(1), array_length(array_agg(distinct b)) from nums

select e.id, (select count(*) from function_logs f where f.project = e.project and f.timestamp < e.timestamp) c from edge_logs e order by e.id limit 10

select p.* from (select t, a from nums) pivot(sum(a) for t in ('a','b')) p

with recursive r as (select 1 n union all select n + 1 from r where n < 5) select sum(n) from r

select t as project, count(*) from nums group by project having count(*) > 3 order by 2 desc, 1

select any_value(s having max id), max(id) from nums where s is not null

select cast('1.23456789012' as numeric), cast(1.5 as numeric) * 3, round(numeric '2.345', 2), sum(cast(a as numeric)) from nums

select r.path, avg(o.origin_time) a, approx_quantiles(o.origin_time, 100)[offset(50)] p50 from edge_logs t cross join unnest(metadata) m cross join unnest(m.request) r cross join unnest(m.response) o group by 1 order by 1

select country, count(*) n from edge_logs left join unnest(metadata) m left join unnest(m.request) r left join unnest(r.cf) group by country order by 2 desc, 1

select max(if(t = 'a', x, null)) from nums where not is_nan(x)

select t, countif(a > 0) / count(*) from nums group by 1

select id, (select r.path from unnest(metadata) m, unnest(m.request) r limit 1) p, exists(select 1 from unnest(metadata) m, unnest(m.response) r where r.status_code >= 500) e5, (select string_agg(x, '+' order by x) from unnest(metadata) m, unnest(m.tags) x) tg from edge_logs where array_length(metadata) <= 1

with t1 as (select id, m.request req from edge_logs, unnest(metadata) m), t2 as (select id, r.cf from t1, unnest(req) r) select c.country, count(distinct id) from t2, unnest(cf) c group by 1

select t.id, count(*) from edge_logs t cross join unnest(metadata) as metadata cross join unnest(metadata.request) as request cross join unnest(request.headers) as headers where headers.host like 'abc%' and request.path not like '%storage%' group by t.id having count(*) >= 1

select count(*), sum(if(s is null, 1, 0)), min(ts), max(ts), min(date(ts)) from nums where false

select sum(a) from nums where false group by t

select t, approx_count_distinct(b), count(distinct concat(t, cast(b as string))) from nums group by t

select e1.id from edge_logs e1 where e1.timestamp = (select max(timestamp) from edge_logs e2 where e2.project = e1.project)

select n.t, x.c from (select distinct t from nums) n left join (select t, count(*) c from nums group by t) x on n.t = x.t or (n.t is null and x.t is null)

select date(ts) d, extract(hour from ts) h, count(*) from nums group by d, h order by d, h

select t, max(id) - min(id) r, array_agg(id order by id)[offset(0)] f, array_length(array_agg(id)) from nums group by t

select x, count(*) from nums group by x

select count(distinct x), count(distinct a), count(x), count(*), count(distinct struct(a, t).a) from nums

select sum(distinct a), string_agg(distinct t, '' order by t desc) from nums

select count(*) from nums having count(*) > 100

with a as (select id, t from nums where id < 10), b as (with c as (select * from a where t = 'a') select count(*) n from c) select aa.id, b.n, (select max(id) m from a x where x.t = aa.t) mm from a aa, b

select id, (select count(*) from nums m where m.t = n.t and m.a > (select avg(a) from nums k where k.t = m.t)) c from nums n

select id, (select array_agg(struct(m.id, m.a) order by m.id limit 2) from nums m where m.t = n.t) top from nums n where id < 8

select id, array(select distinct v from unnest(arr) v order by v) d, (select as struct min(v) mn, max(v) mx from unnest(arr) v) s from nums

select numeric '1.5' + 1, cast(numeric '2.5' as int64), cast(numeric '1.10' as string), sum(numeric '0.1') from nums

select count(*) from edge_logs where event_message != ''

select t.project, approx from (select project, count(distinct id) approx from edge_logs group by 1) t order by 1

select * from (select project, id from edge_logs) pivot(count(id) as c for project in ('abc' as abc, 'def'))

select any_value(project), min(timestamp), max(timestamp), timestamp_diff(max(timestamp), min(timestamp), second) from edge_logs

select timestamp_trunc(timestamp, minute) m, countif(r.status_code between 500 and 599) e5, countif(r.status_code between 400 and 499) e4, countif(r.status_code < 400) ok, avg(r.origin_time) av, max(r.origin_time) mx from edge_logs t, unnest(metadata) m, unnest(m.response) r group by m order by m desc limit 50

select h.user_agent, count(*) c, count(distinct h.x_real_ip) d from edge_logs, unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h group by 1 having c > 5 order by c desc, 1 nulls last

select case when s = '' then 'empty' when s is null then 'null' when starts_with(s, 'a') then 'a*' else 'other' end k, count(*) from nums group by k order by k

select a + b as c, count(*) as n from nums group by c having n > 1 order by n desc, c

select id, a from nums where a = (select max(a) from nums) union all (select id, a from nums where a is not null order by a, id limit 2)

select [1,null,3], array_length([1,null]), array_concat([1],[2,3],[4]), array_reverse([1,2,3]), (select sum(v) from unnest([1,null,3]) v), array(select v from unnest([3,1,2]) v order by v), generate_array(3,1), generate_array(1,2,0.5)

select min(t), max(date(ts)) from nums

select array_concat_agg(arr order by id) from nums

select sum(x) from nums where not is_nan(x) and not is_inf(x)

select avg(a), sum(a), sum(y) from nums

select array(select distinct w from unnest(words) w order by w), (select string_agg(w, '') from unnest(words) w), (select count(*) from unnest(words)), (select array_agg(w ignore nulls order by w desc) from unnest(words) w), exists(select 1 from unnest(words) w where w is null) from kinds

select t, count(*), count(a), count(distinct a), countif(a > 0), sum(a), avg(a), min(s), max(s), min(ts), max(d), any_value(t), string_agg(t, '-'), logical_and(flag), logical_or(flag), bit_and(a), bit_or(a), bit_xor(a) from nums left join kinds using (id) group by t

select count(distinct x), min(x), max(x), sum(y), avg(y) from nums

select string_agg(s, ',' order by id), string_agg(distinct t order by t), string_agg(s order by s desc, id limit 3), array_agg(a order by id), array_agg(a ignore nulls order by a, id limit 4), array_agg(distinct t order by t), array_agg(t respect nulls order by id limit 2) from nums

select string_agg(distinct s, '|' order by s) from nums

select countif(distinct a > 0), count(distinct flag), sum(distinct a), avg(distinct y) from nums where y != 0

select any_value(s having max a), any_value(id having min ts) from nums where a is not null and ts is not null and s is not null

select array_concat_agg(words) from kinds where false

select sum(n), avg(id) from kinds

select min(flag), max(word), min(tm), max(dt), max(bytes) from kinds, nums where nums.id = kinds.id

select stddev_samp(y), stddev_pop(y), var_samp(y), var_pop(y), corr(a, y), covar_pop(a, y), covar_samp(a, y) from nums

select a, b from nums union all corresponding select b, a, id from nums

select a, b from nums full union all corresponding select b, id from nums

select a, b from nums left intersect distinct corresponding select b from nums

select sum(x) from nums

select avg(x) from nums

select t, sum(x), avg(x) from nums group by t

select stddev(x), var_pop(x), corr(x, y) from nums

select stddev(x), var_pop(x) from nums where t = 'a'

select array_agg(a) from nums where a is null

select array_agg(a order by id), array_agg(a order by id desc), array_agg(a ignore nulls order by id) from nums where id < 20

select string_agg(b'ab'), string_agg(bytes, b',' order by id) from kinds

select any_value(a), any_value(arr) from nums where a is not null

select sum(n), avg(n), max(n), min(n), stddev(n), var_samp(n) from kinds

select count(distinct n), count(distinct d), count(distinct bytes), count(distinct x) from kinds, nums

select count(distinct struct(a, b)) from nums

select count(distinct arr) from nums

select distinct arr from nums

select distinct metadata from edge_logs

select arr, count(*) from nums group by arr

select struct(a, x) k, count(*) from nums group by k

select any_value(s having max x), any_value(s having min x) from nums where x is not null

select any_value(id having max x), any_value(id having min x) from nums where id in (0,1,2,3)

select any_value(v having max k), any_value(v having min k) from unnest([struct('a' as v, cast('nan' as float64) as k), ('b', 1.0), ('c', 2.0)])

select any_value(v having max k), any_value(v having min k) from unnest([struct('a' as v, cast(null as float64) as k), ('b', null)])

select any_value(v having max k), any_value(v having min k) from unnest([struct('a' as v, cast(null as float64) as k), ('b', 1)])

select stddev(x), stddev_pop(x), var_samp(x), var_pop(x) from unnest([cast('inf' as float64)]) x

select stddev(x), stddev_pop(x), var_samp(x), var_pop(x) from unnest([cast('nan' as float64), null]) x

select stddev(x), stddev_pop(x), var_samp(x), var_pop(x) from unnest([1.0]) x

select corr(x, y), covar_pop(x, y), covar_samp(x, y) from unnest([struct(1.0 as x, 2.0 as y)])

select corr(x, y), covar_pop(x, y), covar_samp(x, y) from unnest([struct(1.0 as x, 2.0 as y), (1, 3)])

select corr(x, y), covar_pop(x, y), covar_samp(x, y) from unnest([struct(1.0 as x, 2.0 as y), (cast('inf' as float64), 3)])

select corr(x, y), covar_pop(x, y), covar_samp(x, y) from unnest([struct(1.0 as x, cast(null as float64) as y), (cast('inf' as float64), null)])

select sum(x) from unnest([cast('inf' as float64), cast('-inf' as float64)]) x

select avg(x) from unnest([cast('inf' as float64), cast('-inf' as float64)]) x

select avg(x) from unnest([9223372036854775807, 9223372036854775807]) x

select sum(x) from unnest([9223372036854775807, 1, -1]) x

select logical_and(f), logical_or(f) from unnest([true, null]) f

select bit_and(a), bit_or(a), bit_xor(a), bit_xor(distinct a) from nums

select countif(null), countif(distinct flag) from nums

select count(distinct x) from unnest([0.0, -0.0, cast('nan' as float64), cast('nan' as float64)]) x

select x from unnest([0.0, -0.0, cast('nan' as float64), cast('nan' as float64)]) x group by x

select array_agg(x limit 2) from unnest([1]) x

select array_agg(distinct x order by x desc limit 2) from unnest([1,2,3,3]) x

select array_concat_agg(x order by o limit 1) from unnest([struct([1,2] as x, 1 as o), ([3], 2)])

select array_concat_agg(x) from unnest([struct(cast(null as array<int64>) as x), (null)])

select string_agg(x, '') from unnest(cast([] as array<string>)) x

select string_agg(x) from unnest([cast(null as string)]) x

select max(s), min(s) from unnest([true, false]) s

select max(b), min(b) from unnest([b'a', b'\xff']) b

select any_value(distinct a) from nums where a = 1

select array_agg(struct(a, b)) from nums where id < 3

select id, (select s from nums m order by m.id limit 1) x from nums where id < 3

select avg(n), avg(distinct n), stddev(n) from kinds

select avg(n) from unnest([numeric '0.000000001', 0, 0]) n

select avg(n) from unnest([numeric '-0.000000002', 0, 0]) n

select avg(n) from unnest([numeric '0.000000001', 0]) n

select avg(n) from unnest([numeric '99999999999999999999999999999.999999999']) n

select round(avg(x), 3), avg(x) = 506.6225 from unnest([1000.001, 1000.001, 13.244, 13.244]) x

select k, avg(x), round(avg(x), 2) from unnest([struct('a' as k, 0.1 as x), ('a', 0.2), ('a', 0.3), ('b', 1e308), ('b', 1e308), ('d', cast('nan' as float64)), ('d', 2), ('e', cast('-inf' as float64)), ('e', cast('inf' as float64)), ('f', null), ('g', -0.0)]) group by k

select stddev(x), var_pop(x) from unnest([numeric '99999999999999999999999999999', numeric '-99999999999999999999999999999', null]) x

select g, var_pop(x), var_samp(distinct x), stddev_samp(x) from unnest([struct(1 as g, numeric '1.1' as x), (1, 2.2), (1, 2.2), (2, null), (3, 7)]) group by g

select var_pop(x), var_samp(x), stddev(x), stddev_pop(x) from unnest([numeric '1000000000.001', numeric '1000000000.002', null]) x

select var_pop(x), var_samp(distinct x) from unnest(cast([] as array<numeric>)) x

select string_agg(x limit 0), array_length(array_agg(x limit 0)) from unnest(['a']) x

select string_agg(x, ';' order by x limit 1), array_length(array_concat_agg([x] limit 1)) from unnest(['b', 'a']) x

select sum(x), avg(x), sum(distinct x), avg(distinct x) from unnest([numeric '99999999999999999999999999999.999999999', numeric '99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', null]) x

select avg(x), avg(distinct x) from unnest([numeric '99999999999999999999999999999.999999999', numeric '99999999999999999999999999999.999999999', 3]) x

select avg(x) from unnest([numeric '99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', numeric '-0.000000001']) x

select avg(x) from unnest([numeric '-99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', numeric '100000000000000000.000000001', 0.5]) x

select sum(x), avg(x) from unnest([numeric '100000000000000000', numeric '100000000000000000.000000001', numeric '-99999999999999999.999999999', numeric '0.000000001', numeric '-0.5']) x

select sum(x), avg(x) from unnest([numeric '0.000000001', 0.000000002]) x

select sum(x), avg(x) from unnest([numeric '-0.000000001', -0.000000002]) x

select avg(x) from unnest([numeric '300000000000000000', numeric '-0.000000001', 0, 0]) x

select avg(x) from unnest([numeric '-400000000000000000', numeric '0.000000001', 0, numeric '0.000000001']) x

select sum(x) over (order by o rows between 2 preceding and current row), avg(x) over (order by o rows between 1 preceding and 1 following), avg(x) over (order by o) from unnest([numeric '99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', numeric '99999999999999999999999999999.999999999', -7.25, null]) x with offset o

select g, sum(x), avg(x) from unnest([struct(1 as g, numeric '99999999999999999999999999999.999999999' as x), (1, 0.000000001), (2, null), (3, -1.5), (1, -0.000000001)]) group by g

select sum(x), sum(distinct x) from unnest([1.79769e+308, 1.79769e+307, -1.79769e+308]) x

select sum(x) over (order by o rows between unbounded preceding and unbounded following) from unnest([1.5e308, 1.5e308, -1.5e308, -1.5e308, 5]) x with offset o

select sum(x) from unnest([1.5e308, 1.5e308, cast('inf' as float64)]) x

select sum(x) from unnest([1.5e308, 1.5e308, cast('-inf' as float64), null]) x

select sum(x) from unnest([1.5e308, 1.5e308, cast('-inf' as float64), cast('inf' as float64)]) x

select avg(i) from unnest([interval 10000 year, interval 8000 year, interval 3660000 day, interval 366000 day, null]) i

select avg(i) over (order by o rows between 1 preceding and current row) from unnest([interval 10000 year, interval 9999 year, interval -87840000 hour, interval '-1-1 3 4:5:6.000007' year to second, null]) i with offset o

select x, avg(y) from (select x, y from unnest([numeric '0.000000001', numeric '-0.000000001', numeric '99999999999999999.999999999', numeric '-99999999999999999.999999999', numeric '12345678901234567.123456789', 1, -2.5, 7]) x, unnest([x, x, 0.000000001, -x, 3, x, 0.000000002]) y) group by x

select o, avg(x) over (order by o rows between 2 preceding and current row), avg(x) over (order by o), avg(x) over () from unnest([numeric '0.000000001', 0.000000001, 0, -0.000000003, 99999999999999999, -99999999999999999.999999998, 31415926535.897932384, 2.5]) x with offset o

select array_agg(distinct x + 1 order by x + 1), array_agg(distinct x + 1 order by x + 1 desc limit 2), string_agg(distinct upper(y) order by upper(y)), string_agg(distinct upper(y), '-' order by upper(y) desc) from unnest([2, 1, 2, null]) x, unnest(['b', 'a', 'B']) y

select array_agg(distinct -x order by -x), array_agg(distinct -x order by -x desc) from unnest([2.0, cast('nan' as float64), null, 1, cast('nan' as float64), 2, -1]) x

-- the order within groups, more of them than DuckDB computes at once
select mod(x, 3000) g, array_agg(x order by mod(x * 7919, 10007) desc), string_agg(cast(x as string), '-' order by mod(x * 31, 101), x), array_concat_agg([x, -x] order by mod(x * 17, 103), x desc) from unnest(generate_array(1, 9000)) x group by g order by g

select mod(o, 3) g, array_agg(o order by x, o), array_agg(o order by x desc nulls first, o desc), array_agg(o order by x nulls last, o limit 2) from unnest([2.0, cast('nan' as float64), null, -1, cast('nan' as float64), 2, cast('-inf' as float64), null, 0.5, cast('inf' as float64)]) x with offset o group by g order by g

select t, array_agg(s ignore nulls order by s desc, id), string_agg(s, '|' order by id desc), string_agg(cast(s as bytes), b'|' order by s, id), string_agg(cast(s as bytes), b'|' order by id limit 2) from nums group by t order by t
