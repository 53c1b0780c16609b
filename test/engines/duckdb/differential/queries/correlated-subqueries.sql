with posts as (select * from unnest([struct(1 as id,100 as views,10 as likes),(2,150,20),(3,null,5),(4,50,2),(5,300,30)])) select count(*) from posts as r0 where exists (select 1 from (select r0.id as c0, r1.views as c1 from posts as r1 where r0.likes > r1.likes) as s where s.c1 != r0.likes)

with l as (select * from unnest([struct(1 as o), struct(2)])), r as (select 1 as o, 1 as wh), s2 as (select * from unnest([struct(1 as o, 2 as wh), (2, 3)])) select l.o, exists (select 1 from s2 x where x.o = l.o and r.wh <> x.wh) from l left join r on l.o = r.o join s2 on s2.o = l.o order by l.o

select m.id, exists(select 1 from nums n where n.id = m.id and n.a <> m.a), not exists(select 1 from nums n where n.id = m.id and n.a <> m.b), exists(select 1 from nums n where n.id = m.id and n.a >= m.a), exists(select 1 from nums n where n.a <> m.a), (select count(*) from nums n where n.a <> m.a) from nums m order by id

select m.id from nums m where not exists(select 1 from nums n where n.a <> m.a) order by id

select m.id from nums m where exists(select 1 from nums n where n.a <> m.a and n.id = m.id + 1) order by id

select m.id, exists(select 1 from nums n where n.a is distinct from m.a and n.id = m.id) from nums m order by id

select m.id from nums m left join (select id, a from nums where id > 5) k on k.id = m.id where exists(select 1 from nums n where n.id = m.id and k.a <> n.a) order by id

select m.id from nums m left join (select id, a from nums where id > 5) k on k.id = m.id where not exists(select 1 from nums n where n.id = m.id and k.a = n.a) order by id

select m.id, (select countif(n.a > 1) from nums n where n.id = m.id + 1000), (select count(distinct n.a) from nums n where n.id = m.id + 1000), (select count(*) + 1 from nums n where n.id = m.id + 1000), (select coalesce(sum(n.a), 7) from nums n where n.id = m.id + 1000) from nums m order by id

select (select count(t.a) from unnest([1]) u where u > 0) from unnest([struct(1 as a), struct(2)]) t

select (select count(t.a) from unnest([1, 2, 3]) u where u > 999) from unnest([struct(1 as a), struct(2)]) t

with src as (select * from unnest([struct(5 as k, 20 as v), (4, 30)])), calc as (select sum(v) over () as w, (select sum(i.v) from src i where i.k >= o.k - 1) as b from src o) select w, b from calc where w is distinct from b

select x, x in (select y from unnest([1, null]) y where x = 4 and x = x) from unnest([4, null, 1]) x order by x

select x, x in (select 1 from nums where id = x) from unnest([1, null, 2]) x order by x

select id, id not in (select n.a from nums n where n.id = m.id) from nums m order by id

select m.id, (select max(n.id) from nums n where n.id < m.id and n.a = m.a) from nums m order by id

select m.id, (select sum(c) from (select n.id c from nums n where n.a = m.a union all select n.id from nums n where n.b = m.b)) from nums m order by id

select m.id, (select count(*) from (select n.a from nums n where n.id <= m.id group by n.a having count(*) > 1)) from nums m order by id

select m.id, (select string_agg(cast(n.id as string), ',' order by n.id) from nums n where exists(select 1 from nums o where o.id = n.id and o.a = m.a)) from nums m where id < 10 order by id

select id from nums m where (select count(*) from nums n where n.a = m.a) = 0 order by id

select count(*) from nums m where exists (select 1 from (select m.id as c0, n.a as c1, n.b as c2 from nums n where m.b > n.b) s where s.c1 != m.b)

select m.id from nums m where exists (select 1 from (select m.id as c0, n.a as c1, n.b as c2 from nums n where m.a > n.a) s where s.c1 != m.a) order by id

select m.id, exists(select 1 from nums n where k.a <> n.a and n.id = m.id) from nums m left join (select id, a from nums where id > 5) k on k.id = m.id join nums z on z.id = m.id order by id

select m.id, exists(select 1 from nums n where n.id = m.id and k.a <> n.id) from nums m left join (select id, a from nums where id > 5) k on k.id = m.id order by id

select m.id, exists(select 1 from nums n where n.id = m.id and n.id <> k.a) or m.id = -1 from nums m left join (select id, a from nums where id > 5) k on k.id = m.id order by id

select m.id, not exists(select 1 from nums n where n.a <> k.a) from nums m left join (select id, a from nums where id > 5) k on k.id = m.id order by id

select m.id, (select count(x) from (select n.id x from nums n where n.a = m.a union distinct select n.a from nums n where n.id = m.id)) from nums m order by id

select m.id, array(select n.id from nums n where n.a = m.a order by n.id desc), array(select n.b from nums n where n.a = m.a order by n.b, n.id) from nums m order by id

select m.id, array(select n.id from nums n where n.a is not distinct from m.a order by n.t desc nulls first, n.b, n.id limit 2 offset 1) from nums m order by id

select m.id, array(select as struct n.id, n.b from nums n where n.t = m.t order by n.b desc, n.id) from nums m order by id

select m.id, array(select array_length(array(select o.id from nums o where o.t = n.t order by o.id)) from nums n where n.a = m.a order by n.id desc) from nums m order by id

select t.k, array(select coalesce(p.x, q.y) from (select x from unnest(t.a) x) p full join (select y from unnest(t.b) y) q on p.x = q.y order by 1) from unnest([struct(1 as k, [1, 2] as a, [2, 3] as b), (2, [5], [6]), (3, [], null), (4, null, [7, 7])]) t order by k

select t.k, (select sum(coalesce(p.x, 100) * 1000 + coalesce(q.y, 7)) from (select x from unnest(t.a) x) p full join (select y from unnest([1, 2, 2, 9]) y) q on p.x = q.y), (select string_agg(cast(z as string) order by z) from (select x as z from unnest([2, 4]) x) p full join (select y as z from unnest(t.b) y) q using (z)) from unnest([struct(1 as k, [1, 2] as a, [2, 3] as b), (2, [5], [6]), (3, [], null)]) t order by k

select t.k, array(select struct(p.x, q.y) from (select x from unnest(t.a) x) p left join (select y from unnest(t.b) y) q on p.x = q.y and t.k = 1 order by p.x), array(select struct(p.x, q.y) from (select x from unnest(t.a) x) p right join (select y from unnest(t.b) y) q on p.x = q.y and p.x >= t.k order by q.y), array(select struct(p.x, q.y) from (select x from unnest([1, 5]) x) p full join (select y from unnest([1, 5]) y) q on p.x = q.y and p.x >= t.k order by q.y, p.x) from unnest([struct(1 as k, [1, 2] as a, [2, 3] as b), (2, [5], [5])]) t order by k

select n.id, (select count(b.id) from nums a left join nums b on a.id = b.id + n.id and b.t = n.t), (select count(*) from nums a full join nums b on a.id = b.id + n.id and b.t = n.t) from nums n where n.id < 4 order by 1

select n.id, (select count(*) from nums a left join nums b on exists (select 1 from unnest(n.arr) v where v = b.id and a.id = n.id)) from nums n where n.id < 3 order by 1

select m.id, exists(select 1 from nums n where n.id = m.id and n.a <> m.b) from nums m

select m.id, exists(select 1 from nums n where n.id = m.id and n.a <> m.b and n.t <> m.s), not exists(select 1 from nums n where n.id = m.id and not (n.a = m.b or n.a > 3)) from nums m

select m.id, not exists(select v from unnest([1]) as v, nums n where n.id = m.id and n.a <> m.b) x, exists(select 1 from nums n where n.a <> m.a) y from nums m order by id

select m.id, exists(select 1 from (select n.id, n.a, rank() over (order by id) r from nums n) n where n.id = m.id and n.a <> m.b), exists(select 1 from nums n join nums z on z.id = n.id and z.a <> m.b where n.id = m.id) from nums m

select m.id, exists(select 1 from nums n where n.id = m.id and n.a <> m.b or n.id = m.id and n.a <> m.b) from nums m

select o.id, (select count(*) from (select max(m.id) x from nums m where m.id > o.id + 1000 union all select 5)), (select 1 from (select max(m.id) x from nums m where m.id > o.id + 1000)), (select string_agg('k') from (select sum(m.a) x from nums m where m.id > o.id + 1000)), (select sum(1) over () from (select array_agg(z) x from unnest(o.arr) z)), (select max(y) from (select x, 5 y from (select any_value(z) x from unnest(o.arr) z where z > 100))), array(select format('%t', x) from (select logical_or(m.flag) x from nums m where m.id > o.id + 1000 union all select true) order by 1) from nums o where id < 6 order by 1

select o.id, array(select format('%t %t', p.x, q.x) from (select x from unnest([1, 2]) x) p full join (select max(x) x from unnest(o.arr) x) q on p.x = q.x order by 1), (select count(*) from (select min(m.id) x from nums m where m.id > o.id + 1000) p full join (select min(m.id) x from nums m where m.id > o.id + 1000) q on false) from nums o where id < 9 order by 1

select o.id, array(select format('%t %t', p, q) from unnest([1, 2, 3]) p full join unnest(o.arr) q on p = q and exists (select 1 from unnest(o.arr) z where z = p) order by 1), (select count(*) from nums p full join nums q on p.id = q.a and q.id in (select z from unnest(o.arr) z)) from nums o where id < 9 order by 1

select count(*), count(p.id), count(q.id) from nums p full join nums q on p.id = q.a and q.id in (select a from nums)

select p.id, q.id from nums p full join nums q on p.id = q.a and exists (select 1 from nums m where m.a = p.id + q.id) where coalesce(p.id, q.id) < 20
