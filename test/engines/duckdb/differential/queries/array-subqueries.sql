select id, exists(select 1 from unnest(arr) v where v > 3), not exists(select v from unnest(arr) v where v <> 3), exists(select * from unnest(arr) v where v is null) from nums

select id, exists(select 1 from unnest(metadata) m, unnest(m.response) r where r.status_code >= 500 or r.status_code is null), exists(select 1 from unnest(metadata) m, unnest(m.response) r where not (r.origin_time between 5 and 900)), not exists(select 1 from unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h where h.host = 'abc.example.co') from edge_logs

select id from edge_logs where exists(select 1 from unnest(metadata) m, unnest(m.response) r where r.status_code = 200 and m.load > 1)

select id from edge_logs where exists(select 1 from unnest(metadata) m where exists(select 1 from unnest(m.tags) g where g = 'a' or starts_with(g, 'l')) and m.load is not null)

select id from edge_logs where exists(select 1 from unnest(metadata) m where not exists(select 1 from unnest(m.tags) g where regexp_contains(g, '^[bc]$')))

select id from edge_logs where exists(select 1 from unnest(metadata) m where 'b' in unnest(m.tags) and m.load not in (0, 3))

select id, (select count(*) from unnest(metadata) m where exists(select 1 from unnest(m.request) r where strpos(r.path, 'rest') > 0)) n from edge_logs

select n.id from nums n where exists(select 1 from nums o where o.id = n.id + 1 and exists(select 1 from unnest(n.arr) v where v > 2) and exists(select 1 from unnest(o.arr) v where v < 9))

select exists(select 1 from unnest(arr) v where v in (1, 2, null)) e, count(*) from nums group by e order by e

select id, exists(select 1 from unnest(metadata) m where m.load > 1 and m.load < 1e30), exists(select 1 from unnest(metadata) m where m.load = m.load), exists(select 1 from unnest(metadata) m where m.load not between 0 and 2) from edge_logs

select countif(exists(select 1 from unnest(metadata) m, unnest(m.request) r where r.method = 'GET')), sum(if(exists(select 1 from unnest(metadata) m, unnest(m.request) r where r.search is null), 1, 0)) from edge_logs

select exists(select 1 from unnest([1, 2, null]) v where v > 1), exists(select 1 from unnest(cast(null as array<int64>)) v where v > 1), not exists(select 1 from unnest(array<string>[]) v where v = ''), exists(select 1 from unnest([1, 2]) v where null), exists(select 1 from unnest([cast('nan' as float64), 1]) v where v = v and v <> 1)

select exists(select 1 from unnest([struct(1 as a, [1, 2] as b), (2, null)]) s, unnest(s.b) v where s.a = 1 and v = 2), exists(select 1 from unnest([struct(2 as a, ['x'] as b)]) s where s.a = 2 and 'x' in unnest(s.b))

select id, exists(select 1 from unnest(arr) v with offset o where v > 2 and o > 0), exists(select 1 from unnest(arr) v where v = a), exists(select 1 from unnest(arr) v where v > 2 limit 0) from nums


-- a column that the subquery computes
select id from nums where exists(select 1 from (select x + 1 as y from unnest(arr) x) where y > 3)

-- a column of the row in the condition of a join
select t.id, tag from nums t left join unnest(t.arr) tag on exists(select 1 from unnest([1, 2]) x where x = t.id)

select t.id, tag from nums t left join unnest(t.arr) tag on exists(select 1 from unnest(t.arr) x where x > tag and x <> t.id)

select id, array(select v + a from unnest(arr) v where v > b), array(select v from unnest(arr) v), array(select as struct v, s from unnest(arr) v limit 2), array(select v from unnest(arr) v limit 0) from nums

select id, (select v from unnest(arr) v limit 1), (select v * 2 from unnest(arr) v where v = a limit 1), (select count(*) from unnest(arr) v where v > b), (select count(*) from unnest(arr) v, unnest(arr) w where v < w + a) from nums

select id, a in (select v from unnest(arr) v), a not in (select v from unnest(arr) v where v <> b), x in (select v / 2 from unnest(arr) v), null in (select v from unnest(arr) v), struct(a, x) in (select as struct v, y from unnest(arr) v) from nums

select id, (select r.path from unnest(metadata) m, unnest(m.request) r limit 1), array(select h.host from unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h), (select count(*) from unnest(metadata) m, unnest(m.tags) g where g < id), project in (select split(h.host, '.')[safe_offset(0)] from unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h) from edge_logs

select id, array(select (select count(*) from unnest(m.tags) g where g > project) + array_length(array(select r.path from unnest(m.request) r where r.path in (select h.host from unnest(r.headers) h) or r.method = id)) from unnest(metadata) m) from edge_logs

select id, (select v from unnest(arr) v where v > 7 and (select count(*) from unnest(arr) w where w > 7) = 1) from nums where (select count(*) from unnest(arr) w where w > 7) < 2

select n.id, (select count(*) from nums o where exists(select 1 from unnest(o.arr) v where v = n.a) and n.b in (select w from unnest(n.arr) w where w < o.id)) from nums n

select if(array_length(arr) > 0, (select 10 / v from unnest(arr) v where v <> 0 limit 1), 0), max((select v from unnest(arr) v limit 1)) over (partition by exists(select 1 from unnest(arr) v where v = b)) from nums

select array(select v from unnest(cast(null as array<int64>)) v), (select v from unnest(array<int64>[]) v), (select count(*) from unnest(cast(null as array<int64>)) v), array(select w from unnest([struct([1, 2] as l), struct(null), struct([3])]) v, unnest(v.l) w)

select id, array(select as struct upper(g) u, m.load, g, (select count(*) from unnest(m.tags) h where h < g) n from unnest(metadata) m, unnest(m.tags) g where g <> project), (select as struct m.load + 1 as l, project p from unnest(metadata) m limit 1).l from edge_logs

select id, array(select concat(u, u) from (select upper(g) u from unnest(metadata) m, unnest(m.tags) g)) from edge_logs

select id, (select 10 / (7 - v) from unnest(arr) v where v < 9 limit 1) from nums where arr[safe_offset(0)] <> 7 and 7 not in unnest(arr)

select id, exists(select 1 from unnest(arr) v, unnest(arr) w where v = w + 1), exists(select 1 from unnest(arr) v where v + 1 in unnest(arr)), array(select array_length(arr) + v from unnest(arr) v) from nums
