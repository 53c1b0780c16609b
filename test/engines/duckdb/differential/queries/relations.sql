select m.* except(request, response) from edge_logs t, t.metadata m

select id, v, o from nums left join unnest(arr) v with offset o order by id, o

select id, v, o from nums cross join unnest(arr) v with offset as o where o = 1

select n.id, v from nums n left join unnest(arr) v on v > 4

select array(select as struct id, a from nums where id < 5 order by id desc)

select id from nums where a > 5 union all select id from nums where b > 1

select t from nums union distinct select s from nums

select a from nums intersect distinct select b from nums

select a from nums except distinct select b from nums

select id from nums where a in (select b from nums)

select id from nums where a not in (select b from nums where b is not null)

select id from nums n where exists (select 1 from nums m where m.a = n.b and m.id > n.id)

select l.id, r.id from nums l full join nums r on l.a = r.b and l.id < 5 and r.id < 5 where coalesce(l.id, r.id) < 10

select * from (select id, a from nums) join (select id, b from nums where b > 1) using (id)

select a.b.c from (select struct(struct(1 as c) as b) as a)

select id, array(select as struct r.method, array(select h.host from unnest(r.headers) h) hosts from unnest(metadata) m, unnest(m.request) r) x from edge_logs order by id limit 50

with a as (select struct(1 as x, 'p' as y) s union all select (2, 'q')), b as (select s.x, s.y, s from a) select b.*, a.s.x as x2, a.s = b.s as eq from a join b on a.s.x = b.x order by b.x

select case when s in ('abc', null) then 1 else 0 end, s in (select t from nums) from nums

select a, x from nums where (a, t) in (select (b, t) from nums)

select n.id, m.id from nums n join nums m on n.x = m.x where n.id < 30 and m.id < 30

select v.a from (select as value struct(1 as a)) v

select (select id from nums where false) is null, array_length(array(select 1 from nums where false)), exists(select 1 from nums where false)

select * from (select 1 a) left join (select 2 b) on a = b

select * from (select 1 a, 2 b) join (select 1 a, 3 c) using (a) order by a

select * from (select 1 a) full join (select 2 a) using (a)

select l.t, r.t from (select distinct t from nums) l cross join (select distinct t from nums) r where l.t < r.t

select x.id, x.o from (select id, o from nums, unnest(arr) with offset o) x order by x.id, x.o

select id, array_to_string(array(select cast(v as string) from unnest(arr) v with offset o order by o desc), ',') from nums

select * from (select 1 as q1, 2 as q2) unpivot(v for k in (q1, q2))

select * from (select id, a from nums order by a desc, id limit 5) order by id
