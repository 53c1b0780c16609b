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
