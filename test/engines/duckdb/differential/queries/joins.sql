select m.id from nums m left join (select d.t from (select distinct t from nums) d cross join unnest([1, 2, 3]) e) x on x.t = m.t order by m.id

select m.id from nums m left join (select g.t from (select t, array_agg(id) ids from nums group by t) g cross join unnest(g.ids) i where mod(i, 2) = 0) x on x.t = m.t order by m.id

select count(*) from nums m left join (select d.t, e from (select distinct t from nums) d cross join unnest([1, 2, 3]) e) x using (t)

select count(*) from (select d.t from (select distinct t from nums) d cross join unnest([1, 2]) e) x right join nums m on x.t = m.t

select count(*) from nums l left join nums r on l.id = r.id where l.a is not distinct from r.b

select a.x, s.z from unnest([1, 2, null]) a_x with offset o join (select x from unnest([1, 2, null]) x) a on true left join (select p.y, q.z from (select y from unnest([2, 3, null]) y) p left join (select z from unnest([1, 3, null]) z) q on p.y != q.z) s on a.x != s.y where s.z is null and o = 0

select * from (select l.id, r.a from nums l left join nums r on l.id = r.id + 50 order by r.a desc nulls first, l.id limit 20) s where s.a <= 20

select id, a from nums where a > 5 union all select id, b from nums where b > 5 union all select id, a from nums where b > 5

select (select count(*) from nums where a > 5), (select count(*) from nums where b > 5), (select max(id) from nums where a > 5), (select max(id) from nums where flag)

select l.id, r.a, r.s from nums l left join nums r on l.id = r.id + 50 where not (l.flag and r.s != 'a') union all select l.id, r.a, r.s from nums l left join nums r on l.id = r.id + 50 where (l.flag and r.s != 'a') is null union all select l.id, r.b, l.s from nums l left join nums r on l.id = r.id + 50 where l.flag and r.s != 'a'

with q as (select id, a as r from nums), pairs as (select x.id as a, y.id as b from q x join q y on x.r < y.r where y.id < 9) select concat(cast(p.a as string), '-', cast(s3.r as string), '-', cast(s4.r as string)) from pairs p join q s3 on s3.id = p.a join q s4 on s4.id = p.b where s3.r < s4.r union all select concat(cast(p.a as string), '-', cast(s4.id as string), '-', cast(s4.r as string)) from pairs p join q s3 on s3.id = p.a join q s4 on s4.id = p.b where s3.r < s4.r
