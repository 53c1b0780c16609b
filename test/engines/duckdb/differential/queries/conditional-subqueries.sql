select a, case when a < 10 then a else (select 1 / 0) end x from unnest([1, 2]) a order by a

select coalesce(a, (select cast(error('boom') as int64))) x from unnest([1, 2]) a order by x

select CASE WHEN t.k = 'int' THEN (SELECT SUM(CAST(v AS INT64)) FROM UNNEST(t.a) AS v) ELSE 0 END AS r FROM UNNEST([STRUCT('int' AS k, ['1', '2'] AS a), ('txt', ['x'])]) AS t

select id, if(a > 100, (select cast(s as int64)), 0) from nums order by id

select id, if(id < 2, (select 1/(count(*) - count(*)) from nums n), 0) from nums where id > 1 order by id

select id, if(id < 100, 0, (select max(cast(n.s as int64)) from nums n)) from nums order by id

select id, if(id < 100, 0, (select n.id from nums n)) from nums order by id

select id, ifnull(id, (select n.id from nums n)) from nums order by id

select id, if(id > 100, id in (select cast(n.s as int64) from nums n), false) from nums order by id

select id, if(id > 100, cast(s as int64) in (select n.id from nums n), false) from nums order by id

select id, if(id > 100, array_length(array(select cast(n.s as int64) from nums n where n.id = m.id)), 7) from nums m order by id

select id, case id when 1 then 10 when 2 then 20 when 3 then 30 else (select div(n.id, 0) from nums n where n.id = m.id) end from nums m where id in (1, 2, 3) order by id

select id, if(id < 2, if(id < 0, (select div(1, 0)), 5), 6) from nums order by id

select id, if(id < 100, 1, (select if(n.id > 0, (select cast(o.s as int64) from nums o where o.id = n.id), 0) from nums n where n.id = m.id)) from nums m order by id

select id, if(exists(select 1 from nums n where n.id = m.id), 1, (select div(1, 0))) from nums m order by id

select id, sum(if(id < 100, 1, (select div(n.id, 0) from nums n where n.id = m.id))) from nums m group by id order by id

select count(*) c from nums m having if(count(*) > 0, true, (select div(1, 0)) > 1)

select m.id from nums m join nums n on m.id = n.id and if(m.id < 100, true, (select div(o.id, 0) from nums o where o.id = n.id) > 0) order by m.id

select m.id from nums m left join nums n on m.id = n.id and if(m.id < 100, true, (select div(o.id, 0) from nums o where o.id = n.id) > 0) order by m.id

select id from nums m order by if(id < 100, id, (select div(o.id, 0) from nums o where o.id = m.id))

select id, if(id < 100, 1, (with w as (select cast(s as int64) x from nums) select max(x) from w)) from nums order by id

select id, if(id < 100, 1, (select sum(9223372036854775807) from nums n)) from nums order by id

select id, if(id < 100, 1, (select max(x) from unnest(generate_array(1, 3, div(m.id, 0))) x)) from nums m order by id

select id, if(id > 100, cast(s as int64) in unnest(generate_array(1, 60)), false) from nums order by id

select id, if(id < 100, 1, (select max(n.id) from nums n group by mod(n.id, 3))) from nums m order by id

select id, if(id < 100, 1, (select o.id from nums n left join nums o on cast(n.s as int64) = o.id where n.id = m.id)) from nums m order by id

select id, if(id < 100, 1, (select sum(x) from (select cast(s as int64) x from nums union all select div(id, 0) from nums))) from nums m order by id

select id, case when id = 1 then (select max(n.id) from nums n where n.id = m.id + 1) when id = 2 then (select div(m.id, m.id - 2 + 1)) else (select div(1, 1)) end from nums m order by id

select id, if(rand() < 2, 1, (select div(1, 1))) from nums order by id

select id, coalesce(null, if(id < 100, null, (select div(id, 0))), (select max(n.id + m.id) from nums n where n.id <= m.id)) from nums m order by id

select id, (select if(m.id < 100, 1, (select div(n.id, 0) from nums n where n.id = m.id))) from nums m order by id

select id, (select max(if(o.id < 100, 1, (select div(n.id, 0) from nums n where n.id = o.id and n.id = m.id))) from nums o where o.id <= m.id) from nums m order by id

select id, if(id < 100, 1, array_first(array(select div(n.id, 0) from nums n))) from nums m order by id

select id, exists(select 1 from nums n where if(n.id < 100, true, (select div(1, 0)) = 1) and n.id = m.id) from nums m order by id

select e.id, if(e.id < 'zzz', 'a', (select cast(error(f.id) as string) from function_logs f where f.id = e.id)) x from edge_logs e order by 1

select e.id, if(m.load > -1000, 'a', (select cast(error(f.id) as string) from function_logs f where f.id = e.id)) x from edge_logs e, unnest(e.metadata) m order by 1, 2

select count(*) from edge_logs e where exists (select 1 from function_logs f, unnest(f.metadata) m where f.id < 'f12' and if(m.level is not null, true, (select cast(error(f.id) as string)) = '')  or f.id < 'f10')

select id, if(id < 2, 1, (select max(n.id) + m.id from nums n where n.id < m.id)) from nums m order by id

select id, if(id < 100, 1, (select o.id from nums n left join nums o on cast(n.s as int64) = o.id where n.id = m.id)) from nums m order by id

select id, if(id < 100, 1, (select o.id from nums o right join nums n on cast(n.s as int64) = o.id where n.id = m.id)) from nums m order by id

select id, if(id < 100, 1, (select max(o.id) from nums n left join (select cast(s as int64) id from nums) o on n.id = o.id where n.id = m.id)) from nums m order by id

select id, if(id < 3, (select max(o.id) from nums n left join (select cast(id as string) s, div(id, 1) id from nums) o on n.id + 1 = o.id where n.id = m.id), -1) from nums m order by id

select id, if(id < 100, 1, (select max(cast(o.s as int64)) from nums n full join nums o on n.id = o.id)) from nums m order by id

select id, if(id < 100, 1, (select count(*) from nums n left join nums o on n.id = o.id and (select div(1, 0)) = 1)) from nums m order by id

select m.id, if(m.id < 100, 1, (select max(x) from (select distinct cast(s as int64) x from nums n where n.id = m.id))) from nums m order by id

select id, if(id < 100, 1, (select max(cast(n.s as int64)) from nums n where n.id = m.id group by mod(n.id, 2) having max(cast(n.s as int64)) > 0 limit 1)) from nums m order by id

select id, if(id < 100, 1, (select max(x) from (select cast(n.s as int64) x from nums n where n.id = m.id intersect distinct select div(1, 0)))) from nums m order by id

select id, if(id < 100, 1, (select sum(_1) from (select cast(n.s as int64) v, n.a from nums n) pivot(sum(v) for a in (1, 2)))) from nums m order by id

select if(id < 100, true, regexp_contains(s, (select concat('(', n.s) from nums n where n.id = m.id))) x from nums m order by id

select case when a < 10 then a else div(1, a - a) end x from unnest([1, 2]) a order by x

select id, case collate(t, 'und:ci') when 'A' then (select max(div(n.id, 1)) from nums n where n.id <= m.id) else 0 end from nums m order by id

select id, case t when 'a' then (select max(div(n.id, 1)) from nums n where n.id <= m.id) when 'b' then -1 end from nums m order by id

select id, case collate(t, 'und:ci') when 'A' then 0 when 'b' then (select max(div(n.id, 0)) from nums n where n.id = m.id and m.t is null) else 1 end from nums m order by id

select v, case collate(v, 'und:ci') when 'A' then 0 when 'B' then (select max(div(n.id, 0)) from nums n where v in ('a', 'A', 'c')) else (select max(div(n.id, 0)) from nums n where lower(v) in ('a', 'b')) end from unnest(['a', 'A', 'b', 'B', 'c', null]) v order by v

select id, case collate(t, 'und:ci') when 'A' then 1 else (select max(div(n.id, if(lower(m.t) = 'a', 0, 1))) from nums n where n.id = m.id) end from nums m order by id

select case when t.k = 'int' then (select sum(cast(v as int64)) from unnest(t.a) v) else 0 end from unnest([struct('int' as k, ['1', '2'] as a), ('txt', ['x'])]) t

select if(t.k = 'int', (select sum(coalesce(cast(p.x as int64), cast(q.y as int64))) from (select x from unnest(t.a) x) p full join (select y from unnest(t.a) y) q on cast(p.x as int64) = cast(q.y as int64)), 0) from unnest([struct('int' as k, ['1', '2'] as a), ('txt', ['x'])]) t
