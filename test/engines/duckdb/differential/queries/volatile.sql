select count(*) between 4700 and 5300 from unnest(generate_array(1, 10000)) i where rand() < 0.5

select min(n), max(n), count(*) between 400 and 600 from (select i, count(*) over (partition by k) n from (select i, 1 as k from unnest(generate_array(1, 1000)) i)) where rand() < 0.5

with t as (select a * 32 + b as id from (select 1 one) cross join unnest(generate_array(0, 31)) a cross join unnest(generate_array(0, 31)) b where a * 32 + b < 1000) select count(*) between 400 and 600, min(n), max(n) from (select id, count(*) over (partition by 1) n from t where true qualify rand() < 0.5)

select min(n), max(n) from (select count(*) over (partition by t) n from nums where t = 'a' qualify rand() < 2 and rand() < 3)

select count(*) between 400 and 600 from (select i from unnest(generate_array(1, 500)) i union all select i from unnest(generate_array(1, 500)) i) where rand() < 0.5

select a = b, c = d from (select sum(rand()) a, sum(rand()) b, max(rand()) c, max(rand()) d from unnest(generate_array(1, 50)) i)

select countif(a = b), countif(c = d) from (select max(rand()) over (partition by t) a, max(rand()) over (partition by t) b, array_agg(rand()) over (order by id)[offset(0)] c, array_agg(rand()) over (order by id)[offset(0)] d from nums)

select countif(x between 0.2 and 0.4) between 1760 and 2240, countif(rand() between 0.2 and 0.4) between 1760 and 2240 from (select rand() x from unnest(generate_array(1, 10000)))

select countif(x not in ('a', 'b', 'c')), count(distinct x) from (select case cast(floor(rand() * 3) as int64) when 0 then 'a' when 1 then 'b' when 2 then 'c' else 'd' end x from unnest(generate_array(1, 1000)))

select countif(x not in (0, 1, 2)) from (select coalesce(nullif(cast(trunc(rand() * 3) as int64), -1), 5) x from unnest(generate_array(1, 1000)))

select countif(x < 0.5), countif(y is null), countif(z != 1) from (select greatest(rand(), 0.5) x, ifnull(rand(), null) y, sign(rand() + 1) z from unnest(generate_array(1, 1000)))

select count(*) between 40 and 60 from (select if(i > 50, (select max(rand()) from unnest([1]) where i > 0), -1) s from unnest(generate_array(1, 100)) i) where s >= 0

select count(*), countif(v is null) between 400 and 600 from (select i, z v from unnest(generate_array(1, 1000)) i left join (select 2 z) on rand() < 0.5)

select count(*), countif(i is null) between 400 and 600 from (select 2 z) right join unnest(generate_array(1, 1000)) k on rand() < 2 left join unnest([1]) i on rand() < 0.5

select count(x), count(y), count(*) - countif(x = y) * 2 - countif(x is null) - countif(y is null) + countif(x = y), countif(x = y) between 400 and 600 from (select i x, z y from unnest(generate_array(1, 1000)) i full join unnest(generate_array(1, 1000)) z on i = z and rand() < 0.5)

select count(*), count(b.id) from nums a full join nums b on a.id = b.id + 5 and rand() < 2 and a.id > 10

select count(*) between 4500 and 5400 from unnest(generate_array(1, 100)) i join unnest(generate_array(1, 100)) z on i != z and rand() < 0.5

select count(*) from nums a join nums b on a.id = b.id and rand() < 2 and (rand() < 3 and a.id > 5) join nums c on c.id = b.id

select count(e) between 800 and 1200, count(distinct i) from (select i, 1 as one from unnest(generate_array(1, 1000)) i) left join unnest([one, one]) e on rand() < 0.5

select count(*) between 800 and 1200 from (select i, 1 as one from unnest(generate_array(1, 1000)) i) join unnest([one, one]) e on rand() < 0.5

select count(distinct r), count(distinct u) from unnest(generate_array(1, 100)) i, (select rand() r), (select rand() u from unnest([1]))

select count(distinct r), count(*) from (select i, rand() r from unnest(generate_array(1, 10)) i), unnest(generate_array(1, 100)) j

select countif(a != b), countif(a = c), countif(a = d) from (select r as a, r as b, rand() as c, rand() as d from (select rand() r from unnest(generate_array(1, 100))))

select count(*) from (select rand() r from unnest(generate_array(1, 1000))) where r < 0.5 and r >= 0.5

select countif(a != n), countif(n > 4), count(distinct n) from (select array_length(arr) a, (select count(*) from unnest(arr)) n from (select array(select x from unnest([1, 2, 3, 4]) x where rand() < 0.5 or i < 0) arr from unnest(generate_array(1, 1000)) i))

select countif(e is null), countif(o is null), count(*) between 400 and 600 from unnest(array(select x from unnest(generate_array(1, 1000)) x where rand() < 0.5)) e with offset o

select countif(e is null), countif(o is null), count(*) between 400 and 600 from unnest(if(rand() < 2, array(select x from unnest(generate_array(1, 1000)) x where rand() < 0.5), [])) e with offset o

select count(distinct n) > 3 from (select array_length(array_filter([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], e -> rand() < 0.5)) n from unnest(generate_array(1, 100)) i)

select count(distinct array_first(array_transform([1, 2, 3], e -> rand()))), count(distinct array_last(array_transform([1, 2, i], e -> rand()))) from unnest(generate_array(1, 100)) i

select array_length(array(select distinct x from unnest(array_transform([1, 2, 3], e -> rand())) x)), array_filter([1, 2, 3], (e, i) -> rand() < i)

select count(distinct r), count(distinct s), count(distinct u) from (select (select rand() + i) r, (select max(rand()) from unnest([1, 2]) where i > 0) s, (select x + y from (select rand() x, i y)) u from (select 1 i from unnest(generate_array(1, 100))))

select count(distinct s) from (select (select (select max(rand()) from unnest([1]) where j > 0) from unnest([1]) j where i > 0) s from (select 1 i from unnest(generate_array(1, 100))))

select count(*) between 400 and 600 from (select 1 i from unnest(generate_array(1, 1000))) where exists (select 1 from unnest([1]) x where rand() < 0.5 and i > 0)

select count(*) between 400 and 600 from (select 1 i from unnest(generate_array(1, 1000))) where i in (select x from unnest([i]) x where rand() < 0.5)

with r as (select rand() x from unnest(generate_array(1, 100))) select count(*) from r a join r b on a.x = b.x

with s as (select id, metadata, rand() x from edge_logs where rand() < 0.5) select (select count(*) from s) - (select count(*) from s), (select count(*) from s a join s b on a.id = b.id where a.x != b.x)

with s as (select id, metadata from edge_logs tablesample system (50 percent)), d as (select * from s) select (select count(*) from d) - (select count(*) from s), (select count(*) from s) between 1 and 219

select count(*) = 60 * count(distinct id) from (select l.id from edge_logs l tablesample system (50 percent) cross join nums)

with recursive r as (select 1 n, rand() x union all select n + 1, rand() from r where n < 100) select count(*), count(distinct x) from r

with recursive v as (select rand() x), r as (select 1 n, 0.0 x, 0 c union all select n + 1, v.x, (select count(*) from v) from r, v where n < 50) select max(c) from r

select sum(c), count(*), max(c) < 400 from (select cast(floor(rand() * 4) as int64) g, count(*) c from unnest(generate_array(1, 1000)) group by g)

select countif(g < 2) from (select floor(rand() * 4) g, count(*) from unnest(generate_array(1, 1000)) group by 1 having g >= 2)

select count(*) from (select distinct cast(floor(rand() * 3) as int64) from unnest(generate_array(1, 1000)))

select countif(p > r) from (select r, lag(r) over (order by r) p from (select rand() r from nums order by r limit 20))

select count(*) from (select i from unnest(generate_array(1, 100)) i order by rand() limit 10)

select count(distinct l) > 1 from (select string_agg(cast(i as string) order by rand()) l from unnest(generate_array(1, 20)) g, unnest([1, 2, 3, 4, 5, 6, 7, 8]) i group by g)

select countif(v != s), countif(v > m) from (select v, sum(v) over (partition by id) s, max(v) over (partition by t) m from (select id, t, rand() v from nums))

select * from (select 1 k, 'p' c) pivot (sum(k + floor(rand())) for c in ('p', 'q'))

select count(distinct v) from (select v from (select rand() a, rand() b) unpivot (v for n in (a, b)))

select id from edge_logs where rand() < 2 order by timestamp desc, id limit 3

select id, metadata from edge_logs where rand() < 2 order by timestamp, id limit 2

select count(*), count(r) from edge_logs t left join unnest(metadata) m left join unnest(m.request) r on rand() < 2

select m.level, t.id from function_logs t cross join unnest(metadata) m where rand() < 2 and m.level = 'info' order by timestamp, t.id limit 3

-- stored
select count(*), count(distinct r) = count(*) from (select id, rand() r from edge_logs_f) where rand() < 2

-- stored
select count(*) from edge_logs_f a join edge_logs_f b on a.id = b.id and rand() < 2

select count(distinct c) > 3 from (select (with w as (select a from unnest(generate_array(1, 20)) a where rand() < 0.5) select count(*) from w where i > 0) c from unnest(generate_array(1, 200)) i)

select count(distinct c) > 3, count(distinct d) > 3 from (select (select count(e) from unnest(generate_array(1, 20)) a left join unnest([a]) e on rand() < 0.5 where i > 0) c, (select count(y) from unnest(generate_array(1, 20)) a left join (select 2 y) b on rand() < 0.5 and i > 0) d from unnest(generate_array(1, 200)) i)
