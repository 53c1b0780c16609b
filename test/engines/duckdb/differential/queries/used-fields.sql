select r.path, r.method from (select * from edge_logs order by timestamp desc, id limit 40) t, unnest(t.metadata) m, unnest(m.request) r order by t.id, 1, 2

select count(*), countif(p.status_code >= 500) from (select * from edge_logs order by id limit 60) t, unnest(t.metadata) m left join unnest(m.response) p

select e.id, f.id, r.path from edge_logs e join function_logs f on substr(e.id, 2) = concat('00', substr(f.id, 2)) cross join unnest(e.metadata) m cross join unnest(m.request) r order by 1, 2, 3

select e.id, m.level, r.method from edge_logs e left join function_logs f on mod(cast(substr(e.id, 2) as int64), 100) = cast(substr(f.id, 2) as int64) left join unnest(f.metadata) m left join unnest(e.metadata) n left join unnest(n.request) r order by 1, 2, 3

with t as (select * from edge_logs order by id limit 50) select a.id, array_length(a.metadata), m.load, r.path from t a join t b on a.id = b.id, unnest(b.metadata) m left join unnest(m.request) r order by 1, 3, 4

with t as (select id, metadata as x from edge_logs order by id limit 50), u as (select id as i, x as y from t) select i, o, array_length(m.tags), array_length(m.request), m.request[safe_offset(0)].path from u, unnest(y) m with offset o order by 1, 2

with t as (select id, metadata from edge_logs order by id limit 30) select id, metadata[safe_offset(0)].request[safe_offset(0)].path, metadata[safe_ordinal(2)].load, (select count(*) from unnest(metadata) m, unnest(m.response) p where p.status_code = 200) from t order by id

with t as (select id, m from edge_logs, unnest(metadata) m order by id, m.load limit 30) select id, m.load, r.url from t left join unnest(m.request) r order by 1, 2, 3

with t as (select id, m.request as q, m.tags from edge_logs, unnest(metadata) m order by id, m.load limit 30) select id, array_to_string(array(select r.method from unnest(q) r), ','), array_length(tags) from t order by 1, 2, 3

with t as (select id, m from edge_logs, unnest(metadata) m order by id, m.load limit 20) select id, to_json_string(m.request), m.load from t order by 1, 2, 3

with t as (select id, metadata from edge_logs order by id limit 20) select id, exists (select 1 from unnest(metadata) m where 'a' in unnest(m.tags)), exists (select 1 from unnest(metadata)) from t order by id

with t as (select id, metadata from edge_logs order by id limit 20), u as (select * from t union all select * from t) select id, r.path from u, unnest(metadata) m, unnest(m.request) r order by 1, 2

select id, (select max(r.path) from unnest(metadata) m, unnest(m.request) r), row_number() over (order by id) from (select * from edge_logs order by id limit 25) order by id

select id, max(m.load), count(r.path) from (select id, metadata from edge_logs order by id limit 25), unnest(metadata) m, unnest(m.request) r group by id order by id

select t.id, m, r.method from (select * from edge_logs order by id limit 10) t, unnest(t.metadata) m, unnest(m.request) r order by t.id, r.method

with recursive t as (select id, metadata, 1 as n from edge_logs where id < 'e0005' union all select id, metadata, n + 1 from t where n < 3) select id, n, r.path from t, unnest(metadata) m, unnest(m.request) r order by 1, 2, 3

select x.s.load, x.s.tags[safe_offset(0)] from (select struct(m.load as load, m.tags as tags) as s from edge_logs a, unnest(a.metadata) m order by a.id, m.load limit 20) x order by 1, 2

select x.load, count(*) from edge_logs a, unnest(array_reverse(a.metadata)) x group by 1 order by 1

select x.path, count(*) from (select (select r from unnest(a.metadata) m, unnest(m.request) r order by r.path limit 1) as x from edge_logs a) group by 1 order by 1

select count(x.load) from edge_logs a, unnest(array(select as struct m.load from unnest(a.metadata) m)) x

select a.id, m.load from edge_logs a join unnest(a.metadata) m with offset o on o = 0 order by 1, 2

select a.id, m.load, o from edge_logs a left join unnest(a.metadata) m with offset o on o < 1 order by 1, 2, 3

select (select countif(m.load = 1.5) from unnest(a.metadata) x) from edge_logs a, unnest(a.metadata) m order by a.id, m.load

select (select sum(m.load) from unnest([1, 2]) x) from edge_logs a, unnest(a.metadata) m where a.id < 'e0020' order by a.id, m.load

select count(*) from (select a.metadata from edge_logs a qualify row_number() over (order by a.id) = 1)

with c as (select a.id, a.metadata, rand() as x from edge_logs a), d as (select * from c) select count(*) from d p join d q on p.id = q.id and p.x = q.x

select (select max(exists(select 1 from unnest(m.request) r where r.path like '%v1%')) from unnest([1, 2]) x) from (select m, a.id from edge_logs a, unnest(a.metadata) m) join function_logs f on f.project = 'abc' where f.id < 'f12'

select count(*) from edge_logs a where exists (select 1 from function_logs f, unnest(f.metadata) m where f.id < 'f20' and replace(upper(lower(upper(a.project))), 'ABC', 'anon') in (select p.user_name from unnest(m.parsed) p where p.error_severity != a.id))

select a.id, r.method, r.path, o from edge_logs a left join unnest(a.metadata[safe_offset(0)].request) r with offset o on a.metadata[safe_offset(0)].request[offset(0)].path like '%rest%' order by 1

with c as (select a.id x, a.metadata m from edge_logs a full join function_logs f on a.id = f.id where a.id < 'e0009') select (select concat(cast(null as string), p.x) from unnest(p.m) e with offset o where o >= 0 order by o limit 1), count(*) over (partition by concat(p.x, p.x)) from c p left join unnest(p.m) r with offset o2 on true join c q on p.x = q.x
