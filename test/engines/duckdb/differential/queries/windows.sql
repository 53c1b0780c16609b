select id, t, row_number() over (partition by t order by id) rn, rank() over (order by b) r, dense_rank() over (order by b) dr, sum(a) over (partition by t order by id) sa, lag(a) over (order by id) la, lead(a, 2, 0) over (order by id) le, first_value(s) over (partition by t order by id) fv, last_value(s ignore nulls) over (order by id rows between unbounded preceding and current row) lv, ntile(4) over (order by id) nt from nums

select id, t, a from nums where true qualify row_number() over (partition by t order by a desc, id) = 1

select id, sum(a) over w s, avg(y) over (order by id rows between 2 preceding and current row) m, count(*) over (order by b range between 1 preceding and 1 following) c from nums window w as (partition by t)

select t, count(*) c, sum(count(*)) over () tot, count(*) / sum(count(*)) over () f from nums group by t

select percentile_cont(x, 0.5) over (partition by t), percentile_disc(id, 0.9) over () from nums where x between -10 and 10

select id, ts, lag(ts) over (order by ts, id) p, timestamp_diff(ts, lag(ts) over (order by ts, id), second) g from nums where ts is not null

select a, lag(a ) over (order by id) from nums

select id, first_value(a ignore nulls) over (partition by t order by id desc) f, nth_value(a, 2) over (order by id rows between unbounded preceding and unbounded following) n, percent_rank() over (order by b) p, cume_dist() over (order by b desc) c from nums

select id, count(*) over (partition by t order by b) c, array_length(array_agg(a) over (order by id rows 3 preceding)) l, string_agg(t, '' ) over (order by id rows between 1 preceding and current row) s, max(ts) over (partition by flag) m, countif(a > 0) over (order by id) ci from nums

select t, sum(a) s, rank() over (order by sum(a) desc) r from nums group by t

select id, sum(b) over (order by a, id range between unbounded preceding and current row) s from nums

select id, avg(y) over (order by id rows between 1 following and 3 following) from nums

select max(a) over (order by b desc range between 2 preceding and 1 following) from nums

select id, row_number() over (partition by (select max(o) from unnest(arr) o) order by id) rn from nums

select id, lag(a) over (order by id), lag(a, 2, 0) over (order by id), lead(s, 1, 'none') over (partition by t order by id), first_value(a ignore nulls) over (order by id), last_value(a ignore nulls) over (order by id rows between 2 preceding and current row), nth_value(a, 3 ignore nulls) over (order by id) from nums

select id, rank() over (order by x), dense_rank() over (order by x desc), percent_rank() over (order by a), cume_dist() over (order by a), ntile(7) over (order by id), row_number() over (partition by flag order by id) from nums

select id, count(*) over (order by x), sum(a) over (order by y, id), min(x) over (order by id rows between 3 preceding and 1 preceding), max(x) over (partition by t) from nums

select id, sum(a) over (order by b range between 1 preceding and 1 following), avg(a) over (order by b range between unbounded preceding and 1 preceding), count(*) over (order by b desc range between 1 preceding and current row) from nums

select id, string_agg(t, '') over (order by id), array_agg(a) over (order by id rows 2 preceding), countif(a > 0) over (order by id), logical_or(flag) over (order by id), count(distinct t) over (partition by flag), any_value(t) over (partition by t), sum(distinct a) over (partition by t) from nums

select percentile_cont(y, 0.25) over (partition by t), percentile_disc(a, 0.5) over (), percentile_cont(a, 0) over (), percentile_disc(s, 0.3) over (partition by flag), percentile_cont(y, 1) over () from nums

select id, sum(count(*)) over () from nums group by id

select a, sum(x) over (order by a range between unbounded preceding and 1 following) from nums

select count(*) over (order by x range between 1.5 preceding and 0.5 following), x from nums

select count(*) over (order by x desc range between 1.5 preceding and 0.5 following), x from nums

select id, count(*) over (order by unix_seconds(ts) range between 86400 preceding and current row) from nums

select id, count(*) over (order by unix_seconds(ts) desc range between 86400 preceding and 1 following) from nums

select id, sum(x) over (order by id rows between 2 preceding and current row) from nums

select percentile_cont(n, 0.5) over () from kinds

select percentile_disc(x, 0.5) over (), percentile_cont(x, 0.3) over (partition by t) from nums

select ntile(3) over (order by id) from nums

select first_value(x ignore nulls) over (order by id), nth_value(x, 2 ignore nulls) over (order by id), last_value(x) over (order by id) from nums

select lag(x, 1, 5.0) over (order by id), lead(s, 2) over (partition by t order by id) from nums

select countif(x > 0) over (partition by t order by id rows between current row and unbounded following) from nums

select logical_and(flag) over (partition by t), bit_or(a) over (order by id), stddev(y) over (partition by t), corr(a, y) over () from nums where a is not null

select array_agg(s ignore nulls) over (partition by t order by id) from nums

select count(distinct a) over (partition by t), sum(distinct b) over () from nums

select min(x) over (order by id rows between 2 preceding and 2 following), max(x) over (order by id rows between 2 preceding and 2 following) from nums

select a, rank() over (order by a nulls last) from nums

select row_number() over () > 0 from nums

select id, t from nums qualify rank() over (partition by t order by a) <= 2

select t, sum(a) sa from nums group by t qualify row_number() over (order by sum(a) desc) = 1

select distinct t, count(*) over (partition by t) from nums

select sum(x) over (order by x) from unnest([9223372036854775806, 1, -1]) x

select percentile_cont(x, 0.5) over () from unnest([cast('-inf' as float64), cast('inf' as float64)]) x

select percentile_cont(x, 0.5) over () from unnest([cast('-inf' as float64), 1]) x

select percentile_cont(x, 0.5) over () from unnest([cast('inf' as float64), 1]) x

select percentile_cont(x, 0.5) over (), percentile_cont(x, 0) over (), percentile_cont(x, 1) over () from unnest([cast('inf' as float64), cast('inf' as float64)]) x

select percentile_cont(x, 0.5) over () from unnest([cast('nan' as float64), 1]) x

select percentile_cont(x, 0.25) over (), percentile_cont(x, 0.9) over () from unnest([cast('nan' as float64), 1, 2]) x

select percentile_cont(x, 0.5) over () from unnest([cast('nan' as float64), cast('-inf' as float64)]) x

select percentile_cont(x, 0.5) over () from unnest([1e308, -1e308]) x

select percentile_cont(x, 0.3) over (), percentile_disc(x, 0.3) over () from unnest([1e15, 3, 0.1]) x

select percentile_disc(x, 0.1) over (), percentile_disc(x, 0.34) over (), percentile_disc(x, 0.7) over () from unnest([cast('nan' as float64), 1, 2]) x

select percentile_cont(x, 0.5) over () from unnest([cast(null as float64)]) x

select avg(n) over (order by id rows 2 preceding) from kinds

select id, (select sum(c) over () from (select count(*) c from nums m where m.a = n.a)) from nums n

select id, (select row_number() over (order by m.id) from nums m where m.id = n.id) from nums n

select id, array(select row_number() over (order by v desc) from unnest(n.arr) v) from nums n

select id, array(select as struct v, rank() over (order by v) r from unnest(n.arr) v order by v, r) from nums n

select id, (select x.id from (select m.id, row_number() over (partition by m.t order by m.id desc) rn from nums m) x where x.rn = 1 and x.id > n.id order by x.id limit 1) from nums n where id > 50

select id, lag((select max(v) from unnest(arr) v)) over (order by id) from nums

select id, (select sum(v) over () from unnest(n.arr) v limit 1) from nums n

select id, sum(a) over w1, avg(b) over w2, count(*) over (w1 rows between 1 preceding and current row) from nums window w1 as (partition by t order by id), w2 as (order by id)

select id, first_value(s) over (partition by t order by a desc nulls last, id) f, last_value(s) over (partition by t order by a, id rows between unbounded preceding and unbounded following) l from nums

select id, sum(sum(a)) over (order by id) from nums group by id

select t, rank() over (order by count(*) desc, t), ntile(2) over (order by t) from nums group by t

select id from nums where a > 0 qualify dense_rank() over (order by a) <= 2

select t, a, count(*) over (partition by t) c from nums qualify c > 15 and row_number() over (partition by t order by a, id) = 1

select distinct t, first_value(a) over (partition by t order by id) from nums

select id, (select sum(m.a) over (partition by n.t) from nums m where m.id = n.id) from nums n

select x, count(*) over (order by x range between 1 preceding and 3 preceding) c, count(x) over (order by x range between 1 preceding and 3 preceding) d, countif(x > 1) over (order by x range between 3 following and 1 following) e from unnest([1,2,3,5,null]) x

select x, count(*) over (order by x range between 1e308 preceding and 1e308 following) from unnest([1.7976931348623157e308, -1.7976931348623157e308, cast('inf' as float64), cast('-inf' as float64), 0.0]) x

select x, count(*) over (order by x range between 1 preceding and 1 following) from unnest([1.7976931348623157e308, cast('inf' as float64), 0.0]) x

select x, count(*) over (order by x range between 1.7976931348623157e308 preceding and 0 following), sum(x) over (order by x range between 0 preceding and 1.7976931348623157e308 following) from unnest([1.7976931348623157e308, -1.7976931348623157e308, cast('inf' as float64), cast('-inf' as float64), 0.0, cast('nan' as float64), null]) x

select var_samp(x) over (partition by g order by x rows between 1 preceding and current row) from unnest([struct(1 as g, numeric '1000000000000.1' as x), (1, 1000000000000.2), (1, 2.2), (2, null), (3, 7)])

select count(distinct x) over (), count(*) over (), countif(x > 1) over (rows between 2 following and 3 following) from unnest([1,2,2]) x

select x, lag(x, 1, 7) over (order by x), lead(x, 1, null) over (order by x), lead(x, 1, cast(9 as int64)) over (order by x) from unnest([1,2]) x

select x, sum(x) over (order by x range between numeric '0.5' preceding and 1 following) s, count(*) over (order by x desc range between 1.25 preceding and current row) c, count(*) over (order by x range between unbounded preceding and numeric '0.000000001' preceding) d from unnest([numeric '1', numeric '1.5', numeric '2.000000001', numeric '2', numeric '-3.25', numeric '-3.750000001', null]) x

select x, count(*) over (order by x range between 1 preceding and 1 following) s from unnest([numeric '99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', numeric '99999999999999999999999999998.999999999']) x

select x, count(*) over (order by x range between 2 following and 3 following) s from unnest([numeric '1', 2, 3, 4.000000001]) x

select x, percentile_cont(x, 0.3 respect nulls) over (), percentile_disc(x, 0.3 respect nulls) over (), percentile_disc(x, 0.2) over (), percentile_disc(x, 0 respect nulls) over (), percentile_cont(x, 1 respect nulls) over () from unnest([1.5, null, 3, null, cast('nan' as float64), -2]) x

select percentile_cont(x, 0.2 respect nulls) over (), percentile_cont(x, 0.1 respect nulls) over (),percentile_cont(x, 0.4 respect nulls) over (), percentile_cont(x, 0.39 respect nulls) over () from unnest([1.5, null, 3, null, cast('nan' as float64), -2]) x

select percentile_cont(x, numeric '0.3') over (), percentile_cont(x, numeric '0.333333333') over (), percentile_disc(x, numeric '0.5' respect nulls) over (), percentile_cont(x, 0.1 respect nulls) over () from unnest([numeric '1', 2.000000001, 99999999999999999999999999999.999999999, -99999999999999999999999999999.999999999, null]) x

select percentile_disc(s, 0.5 respect nulls) over (partition by flag), percentile_disc(ts, 0.25 respect nulls) over (partition by t),  percentile_cont(a, 0.77 respect nulls) over (partition by flag) from nums

select percentile_disc(a, 0.1) over (), percentile_disc(a, 0.3) over (), percentile_disc(a, 0.7) over (), percentile_cont(a, 0.1) over () from unnest(generate_array(1, 10)) a

select percentile_cont(x, 0.5) over () from unnest(array<float64>[]) x

select percentile_cont(x, 0.5 respect nulls) over () from unnest([cast(null as float64), null]) x

select x, count(*) over (order by x range between unbounded preceding and 1 following) c, count(*) over (order by x range between 1 preceding and unbounded following) d, count(*) over (order by x range between unbounded preceding and 1 preceding) e, count(*) over (order by x range between 1 following and unbounded following) f, count(*) over (order by x range between current row and 2 following) g from unnest([1.5, null, 3, null, cast('nan' as float64), cast('nan' as float64), -2, cast('inf' as float64), cast('-inf' as float64), 2.2, 2.5, 0, -0.0, 1.7976931348623157e308, -1.7976931348623157e308]) x

select x, count(*) over (order by x desc range between unbounded preceding and 1 following) c, count(*) over (order by x desc range between 1 preceding and unbounded following) d, count(*) over (order by x desc range between unbounded preceding and 1 preceding) e, count(*) over (order by x desc range between 1 following and unbounded following) f, count(*) over (order by x desc range between current row and 2 following) g from unnest([1.5, null, 3, null, cast('nan' as float64), cast('nan' as float64), -2, cast('inf' as float64), cast('-inf' as float64), 2.2, 2.5, 0, -0.0, 1.7976931348623157e308, -1.7976931348623157e308]) x

select x, count(*) over (order by x range between 1 preceding and 2 following) c, count(*) over (order by x range between 1 preceding and current row) d, count(*) over (order by x range between 2 preceding and 1 preceding) e, count(*) over (order by x range between 1 following and 2 following) f, count(*) over (order by x nulls last range between current row and 2 following) g from unnest([1.5, null, 3, null, cast('nan' as float64), cast('nan' as float64), -2, cast('inf' as float64), cast('-inf' as float64), 2.2, 2.5, 0, -0.0, 1.7976931348623157e308, -1.7976931348623157e308]) x

select x, count(*) over (order by x range between 1e300 preceding and 1.7976931348623157e308 following) c, count(*) over (order by x range between 1e308 following and 1.7976931348623157e308 following) d from unnest([1.5, null, 3, null, cast('nan' as float64), cast('nan' as float64), -2, cast('inf' as float64), cast('-inf' as float64), 2.2, 2.5, 0, -0.0, 1.7976931348623157e308, -1.7976931348623157e308]) x

select x, count(*) over (order by x range between unbounded preceding and 0.2 following) c from unnest([0.1, 0.2, 0.3, 0.30000000000000004]) x

select x, sum(x) over (order by x range between numeric '1.5' preceding and 99999999999999999999999999999.999999999 following), count(*) over (order by x desc range between 99999999999999999999999999999.999999999 preceding and 99999999999999999999999999999.999999999 following) from unnest([numeric '1.5', 3, null, -2]) x

select x, count(*) over (order by x range between 99999999999999999999999999999.999999999 preceding and 99999999999999999999999999999.999999999 following), count(*) over (order by x desc range between 99999999999999999999999999999.999999999 preceding and 99999999999999999999999999999.999999999 following) from unnest([numeric '1.5', 3, null, -2, 99999999999999999999999999999.999999999, -99999999999999999999999999999.999999999]) x

select x, min(r) over w, max(r) over w from unnest([struct(1 as r, cast(null as numeric) as x), (2, numeric '-99999999999999999999999999999.999999999'), (3, 5), (4, numeric '99999999999999999999999999999.999999999')]) window w as (order by x range between numeric '69999999999999999999999999999.999999999' preceding and numeric '70000000000000000000000000000' following)

select id, lead(a, 9223372036854775807, 0) over (order by id), lag(a, 9223372036854775807) over (order by id), lag(a, 1, 5) over (order by id), lead(a, 0) over (order by id) from nums order by id

select id, sum(id) over (partition by t, t), sum(id) over (partition by t, b) from nums

select id, sum(id) over (partition by t, t2), sum(id) over (partition by t, b), count(*) over (partition by t, b order by a, a), count(*) over (partition by t, b order by a, y) from (select *, t as t2 from nums)

select id, sum(id) over (partition by t, b), sum(id) over (partition by t, t), sum(id) over (partition by b, b), sum(id) over (partition by b, t), sum(id) over (partition by t) from nums

select id, sum(a) over (partition by a, b, a), sum(a) over (partition by a, b, t), sum(a) over (partition by b, b, a) from nums

select id, count(*) over w1, count(*) over w2 from nums window w0 as (partition by t, t), w1 as (w0 order by b), w2 as (partition by t, b order by b)

select id from nums where true qualify count(*) over (partition by t, t) > 5 and count(*) over (partition by t, b) = 2

select n.id, m.id, sum(n.id) over (partition by n.b, m.b), sum(n.id) over (partition by n.b, m.t) from nums n join nums m on n.b = m.b and m.id < 20

select i, count(*) over (order by i rows between 9223372036854775807 following and 9223372036854775807 following), sum(i) over (order by i rows between 9223372036854775807 following and unbounded following), array_agg(i) over (order by i rows between 9223372036854775806 following and 9223372036854775807 following), string_agg(cast(i as string)) over (order by i rows between 9223372036854775805 following and unbounded following), last_value(i) over (order by i rows between 9223372036854775807 following and 9223372036854775807 following) from unnest([5, 6, 7]) i

select i, count(*) over (order by i rows between 9223372036854775807 preceding and 9223372036854775807 preceding), count(*) over (order by i rows between 9223372036854775807 preceding and 9223372036854775807 following), count(*) over (order by i rows between unbounded preceding and 9223372036854775807 following), max(i) over (order by i rows between 9223372036854775807 preceding and 9223372036854775806 preceding), count(*) over (order by i rows between 2 following and 1 following) from unnest([5, 6, 7]) i

select i, count(*) over (order by i range between 9223372036854775807 following and 9223372036854775807 following), count(*) over (order by i range between 9223372036854775807 preceding and 9223372036854775807 following), count(*) over (order by i desc range between 9223372036854775807 preceding and current row), count(*) over (order by i range between 1 following and unbounded following) from unnest([-9223372036854775808, -1, 0, null, 1, 9223372036854775807]) i

select i, count(*) over (order by i rows between @huge following and @huge following), lead(i, @huge) over (order by i), nth_value(i, @huge) over (order by i), ntile(@huge) over (order by i) from unnest([5, 6, 7]) i

select timestamp, id from edge_logs order by timestamp, id limit 9223372036854775807 offset 218

select timestamp, id from edge_logs order by timestamp, id limit @huge offset @huge

select t, max(c) = count(*), sum(c) = div(count(*) * (count(*) + 1), 2) from (select t, count(*) over (partition by t rows between unbounded preceding and current row) c from nums) group by t

select id, sum(x) over (partition by id) s from (select id, x, lag(total, 1, 0) over (partition by id order by x) p from (select id, x, count(*) over (partition by id) total from nums))
