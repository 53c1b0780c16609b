select id, a = b or (a is null and b is null), (s is null and t is null) or t = s, a != b and not (a is null and b is null) from nums

select id from nums where not (a = b or (b is null and a is null))

select id from nums where (not (a != b) or (a is null and b is null)) is null

select count(*) from nums x join nums y on (x.a = y.b or (x.a is null and y.b is null)) and (y.t = x.t or y.t is null and x.t is null)

select count(*), count(x.id), count(y.id) from nums x full join nums y on (x.a is null and y.b is null) or x.a = y.b

select m.id, (select count(*) from nums n where n.x = m.y or (n.x is null and m.y is null)) from nums m

select count(*) from nums x left join kinds y on x.s = collate(y.word, 'und:ci') or (x.s is null and collate(y.word, 'und:ci') is null)

select count(*) from nums x join nums y on x.a = y.a or (x.a is null and y.b is null)

select a.s, b.t from nums a join nums b on a.b = b.b where a.s < b.s and a.t < b.t union all select b.s, a.t from nums a join nums b on a.b = b.b where a.s < b.s and a.t < b.t

with l as (select * from unnest(array<struct<a int64, ak string>>[(1, 'x'), (2, 'y'), (3, 'p')])), r as (select * from unnest(array<struct<b int64, bk string>>[(10, 'p'), (11, 'q')])) select * from (select l.a as a, l.ak as ak, r.b as b from l left join r on l.ak = r.bk order by b desc nulls first, a limit 2) s where s.b <= 20

with t0 as (select * from unnest(array<struct<c0 int64, c1 bool, c2 bool, c3 string>>[(-189492252, true, null, 'hEC'), (532905665, true, false, ''), (-1221488433, true, null, 'Kk'), (-946063236, false, false, '..'), (-1316565506, null, true, null)])), t1 as (select * from unnest(array<struct<c0 int64, c1 bool>>[(-1665512872, false), (-1665512872, false), (-1665512872, null), (null, false), (null, true), (null, false)])) select t0.c2, t1.c0, t0.c3, t1.c1 from t0 left join t1 on t0.c2 != t1.c1 and t0.c0 >= t1.c0 and (case t0.c0 when t0.c0 then t0.c2 end)

with l as (select * from unnest(array<struct<id int64, n int64>>[(1, null), (2, 2), (3, 3)])), r as (select * from unnest(array<struct<id int64, n int64>>[(2, 2), (3, 99), (4, null)])) select count(*) from l left join r on l.id = r.id where l.n is not distinct from r.n

with l as (select * from unnest(array<struct<id int64, n int64>>[(1, null), (2, 2), (3, 3)])), r as (select * from unnest(array<struct<id int64, n int64>>[(2, 2), (3, 99), (4, null)])) select count(*) from l full join r on l.id = r.id where l.n is not distinct from r.n

with a as (select * from unnest(array<struct<x int64>>[struct(1), struct(2), struct(null)])), p as (select * from unnest(array<struct<y int64>>[struct(2), struct(3), struct(null)])), q as (select * from unnest(array<struct<z int64>>[struct(1), struct(3), struct(null)])) select * from a left join (select p.y as y, q.z as z from p left join q on p.y != q.z) s on a.x != s.y where s.z is null

with a as (select * from unnest(array<struct<x int64>>[struct(1), struct(2), struct(null)])), p as (select * from unnest(array<struct<y int64>>[struct(2), struct(3), struct(null)])), q as (select * from unnest(array<struct<z int64>>[struct(1), struct(3), struct(null)])) select * from a left join (select p.y as y, q.z as z from p left join q on p.y = q.z) s on a.x = s.y where s.z is null

with t as (select * from unnest(array<struct<id int64, x float64, d date>>[(0, null, null), (1, 0.0, date '2020-06-15'), (2, -0.0, date '2020-06-01'), (3, 1.0, date '2019-01-01'), (4, -1.0, null), (5, cast('nan' as float64), null), (7, cast('inf' as float64), null), (8, cast('-inf' as float64), null)])) select id, -x > 0, -x >= 0, -x < 0, -x <= 0, -x = 0, -x > 1, -x < -1, -x != 1 from t

with t as (select * from unnest(array<struct<id int64, x float64, d date>>[(0, null, null), (1, 0.0, date '2020-06-15'), (2, -0.0, date '2020-06-01'), (3, 1.0, date '2019-01-01'), (4, -1.0, null), (5, cast('nan' as float64), null), (7, cast('inf' as float64), null), (8, cast('-inf' as float64), null)])) select id from t where -x >= 0

with t as (select * from unnest(array<struct<id int64, x float64, d date>>[(0, null, null), (1, 0.0, date '2020-06-15'), (2, -0.0, date '2020-06-01'), (3, 1.0, date '2019-01-01'), (4, -1.0, null), (5, cast('nan' as float64), null), (7, cast('inf' as float64), null), (8, cast('-inf' as float64), null)])) select id, date_trunc(d, month) = date '2020-06-15', date_trunc(d, month) != date '2020-06-15', date_trunc(d, month) is distinct from date '2020-06-15', date_trunc(d, month) < date '2020-06-15', date_trunc(d, month) >= date '2020-06-15' from t

with t as (select * from unnest(array<struct<id int64, x float64, d date>>[(0, null, null), (1, 0.0, date '2020-06-15'), (2, -0.0, date '2020-06-01'), (3, 1.0, date '2019-01-01'), (4, -1.0, null), (5, cast('nan' as float64), null), (7, cast('inf' as float64), null), (8, cast('-inf' as float64), null)])) select id from t where (date_trunc(d, month) = date '2020-06-15') is null

with t as (select * from unnest(array<struct<s string>>[struct(''), struct('abc'), struct(''), struct('abc'), struct('߿'), struct('߿abc'), struct('ࠀ'), struct('￿abc'), struct('퟿abc'), struct('abc'), struct('􏿿abc'), struct('􏿿')])) select to_code_points(s)[offset(0)] from t where s like '\u07ff%c'

with recursive t as (select 1 as x union all select t.x + 1 from (select cast(null as int64) p) v right join t on t.x <= v.p where t.x < 3) select * from t

with recursive t as (select 1 as x union all select t.x + 1 from t left join (select 3 p union all select 4) v on t.x < v.p where t.x < 3) select * from t

with recursive df as (select * from unnest(array<struct<a int64>>[struct(1), struct(2), struct(3)])), r as (select a x from df union all select x + (select a from df order by a limit 1 offset 2) + 1 from r where x < 10) select * from r

with recursive df as (select * from unnest(array<struct<a int64>>[struct(1), struct(2), struct(3)])), r as (select a x from df union distinct select x + (select a from df order by a limit 1) from r where x < 4) select * from r

with t as (select * from unnest(array<struct<i int64>>[struct(0), struct(1), struct(1), struct(null)])) select r.i, (select 1 from (select 1) where exists (select 1 from (select 1) where (2 | (select r.i)) = 3)) from t r

with b as (select * from unnest(array<struct<id int64, name string, created_at string>>[(-3, 'a', 'a'), (null, 'b', 'b')])), t as (select * from b where not exists (select 1 from b c where c.id = 99)) select t5.created_at from (select 'YEAR' c0 from t t1 join t t2 on t1.created_at <= t2.created_at where coalesce(t1.id, t2.id) is not null) s join t t5 on s.c0 = t5.created_at

with a as (select * from unnest(array<struct<x int64>>[struct(1)])), b as (select * from unnest(array<struct<x int64>>[])), c as (select * from unnest(array<struct<x int64>>[struct(1)])), d as (select * from unnest(array<struct<y int64>>[struct(9)])) select x, d.y from a left join b using (x) join c using (x) right join d on true

with l as (select * from unnest(array<struct<k int64, v int64>>[(1, 1), (-1, 5), (2, 1)])), r as (select * from unnest(array<struct<k int64, v int64>>[(1, 5), (-1, 0), (1, 1)])) select * from l where not exists (select 1 from r where l.k = r.k and l.v + r.v > 2)

with l as (select * from unnest(array<struct<k int64, v int64>>[(1, 1), (-1, 5), (2, 1)])), r as (select * from unnest(array<struct<k int64, v int64>>[(1, 5), (-1, 0), (1, 1)])) select l.* from l left join r on l.k = r.k and l.v + r.v > 2

with l as (select * from unnest(array<struct<k int64, v int64>>[(1, 1), (-1, 5), (2, 1)])), r as (select * from unnest(array<struct<k int64, v int64>>[(1, 5), (-1, 0), (1, 1)])) select l.*, r.* from l full join r on l.k = r.k and l.v + r.v > 2

with s as (select * from unnest(array<struct<o int64, d int64, wh int64>>[(1, 1, null), (1, 0, 1), (1, 0, 2), (2, 1, 2), (2, 0, 2), (3, 1, 3), (3, 0, 4)])) select o, wh, exists (select 1 from s s2 where s1.o = s2.o and s1.wh != s2.wh) ex from s s1 where d = 1

with s as (select * from unnest(array<struct<o int64, d int64, wh int64>>[(1, 1, null), (1, 0, 1), (1, 0, 2), (2, 1, 2), (2, 0, 2), (3, 1, 3), (3, 0, 4)])) select o, wh, (select count(*) from s s2 where s1.o = s2.o and s1.wh != s2.wh) ex from s s1 where d = 1

with t as (select * from unnest(array<struct<i int64>>[struct(1), struct(2), struct(null)])) select i in (null, 1), i not in (1, null), i in (cast(null as int64)) from t

with t as (select * from unnest(array<struct<i int64>>[struct(1), struct(2), struct(null)])) select count(*) from t where i not in unnest([null, 1])

with t as (select * from unnest(array<struct<i int64, k int64>>[(1, 1), (2, 1), (null, 2)])) select a.i, b.i from t a left join t b on a.k = b.k and exists (select 1 from t c where c.i = a.i and c.k = b.k)

with t as (select * from unnest(array<struct<i int64, k int64>>[(1, 1), (2, 1), (null, 2)])) select a.i, b.i from t a right join t b on a.i = (select max(c.i) from t c where c.k = b.k)

with c as (select * from unnest(array<struct<n string, v int64>>[('a', 432), ('b', 1)])), p as (select * from unnest(array<struct<n string>>[struct('a'), struct('b')])), a as (select * from unnest(array<struct<v int64>>[struct(432), struct(120)])) select count(*) from c r left join (select n, min(distinct v) x, min(distinct v) y, min(distinct v) z from p, a group by n) rp on r.n = rp.n where coalesce(rp.x, r.v) in (432, 120, 150, 160, 110, 800, 450, 330)

with t as (select * from unnest(array<struct<a int64>>[struct(1), struct(2), struct(null)])) select struct(a) = struct(1), struct(a, 1) = struct(1, 2), struct(a, 1) in (struct(1,1), struct(2,2)), struct(a,1) not in (struct(1,1), struct(null,2)) from t

with t as (select * from unnest(array<struct<a int64>>[struct(1), struct(2), struct(null)])) select x.a, struct(x.a, 1) in (select struct(a, 2) from t), struct(x.a, 1) not in (select struct(a, 1) from t) from t x

with l as (select * from unnest(array<struct<k int64, a int64>>[(1, 1), (2, 2), (3, 3), (4, null)])), r as (select * from unnest(array<struct<k int64, a int64>>[(2, 6), (3, 7), (3, null), (4, 8)])) select l.k, l.a in (select a from r where r.k = l.k), l.a not in (select a from r where r.k = l.k) from l

with l as (select * from unnest(array<struct<k int64, a int64>>[(1, 1), (2, 2), (3, 3), (4, null)])), r as (select * from unnest(array<struct<k int64, a int64>>[(2, 6), (3, 7), (3, null), (4, 8)])) select l.k, struct(l.k, l.a) in (select struct(k, a) from r) from l

with t as (select * from unnest(array<struct<a int64, b int64>>[(1, 1), (1, 2), (2, 2), (2, 2)])) select y from (select distinct a x, a + 1 y from t) where x = 1

with t as (select * from unnest(array<struct<a int64, b int64>>[(1, null), (2, null), (3, 5)])) select count(*) from t where (b > 10 and a > 0) is not true

with t as (select * from unnest(array<struct<a int64, b int64>>[(1, null), (2, null), (3, 5)])) select count(*) from t where coalesce(b > 10, true)

with t as (select * from unnest(array<struct<a int64, b int64>>[(1, null), (2, null), (3, 5)])) select count(*) from t where (b between 100 and 200) is false

with t1 as (select * from unnest(array<struct<c int64>>[struct(-18), struct(null)])), t2 as (select * from unnest(array<struct<c int64>>[struct(null)])) select * from t1 join t2 on (t1.c not between t2.c and t2.c) is null

with t1 as (select * from unnest(array<struct<c int64>>[struct(-18), struct(null)])), t2 as (select * from unnest(array<struct<c int64>>[struct(null)])) select * from t1 full join t2 on t1.c = t1.c and t2.c = t2.c

with t2 as (select * from unnest(array<struct<c int64>>[struct(2)])), t0 as (select * from unnest(array<struct<c float64>>[struct(0.1)])) select * from t2 left join t0 on false where (t0.c < t2.c) is null

with t0 as (select * from unnest(array<struct<c int64>>[struct(1)])), t1 as (select * from unnest(array<struct<c int64>>[struct(2)])), t2 as (select * from unnest(array<struct<c int64>>[struct(3)])) select * from t2 cross join (select c a, c b from t0) s right join t1 on s.a <= 0

with t0 as (select * from unnest(array<struct<c int64>>[struct(5)])), t2 as (select * from unnest(array<struct<c int64>>[])) select * from t0 where not exists (select 1 from t2 where t2.c >= t0.c)

with t0 as (select * from unnest(array<struct<c int64>>[struct(5)])), t2 as (select * from unnest(array<struct<c int64>>[])) select * from t0 where t0.c not in (select c from t2)

with t as (select * from unnest(array<struct<i int64>>[struct(1), struct(2), struct(3), struct(4), struct(4)])) select i from t union distinct select 1 from (select 1) where false

with t as (select * from unnest(array<struct<i int64>>[struct(1), struct(2), struct(3), struct(4), struct(4)])) select i from t except distinct select 1 from (select 1) where false

with t as (select * from unnest(array<struct<i int64, x string, y float64>>[(1, null, null)])) select i from t where x is null order by y limit 10

with t as (select * from unnest(array<struct<x int64>>[struct(1), struct(2)])) select exists (select sum(x) from t t2 where t1.x > 2) from t t1

with t as (select * from unnest(array<struct<x int64>>[struct(1), struct(2)])) select 1 in (select count(*) from t t2 where t1.x > t2.x) from t t1

with t as (select * from unnest(array<struct<a int64, b int64>>[(2, 1), (1, 2), (3, 0), (1, 5)])) select array_agg(a order by a), string_agg(cast(a as string), ',' order by a, b desc), array_agg(distinct a order by a) from t group by b

with t as (select * from unnest(array<struct<c int64>>[struct(null), struct(1)])) select c from t where not exists (select 1 from (select c as d from t) q where t.c is distinct from q.d)

with t as (select * from unnest(array<struct<c int64>>[struct(null), struct(1)])) select c from t where c is not null and not exists (select 1 from t q where t.c is not distinct from q.c)

with t1 as (select * from unnest(array<struct<a int64, b int64>>[(0, 1)])), t0 as (select * from unnest(array<struct<a int64>>[])) select t1.* from t0 right join t1 on t0.a = t1.a where (case t0.a when t0.a then 1 else null end) is distinct from (1 + (case t1.b when t1.b then 2 else null end))

with a as (select * from unnest(array<struct<d date, v int64>>[(date '2022-01-01', 10), (date '2022-01-05', 20), (date '2022-01-10', 30)])), b as (select * from unnest(array<struct<d date, v int64>>[(date '2022-01-01', 100), (date '2022-09-01', 200), (date '2022-03-01', 300)])) select coalesce(x.m, y.m) m, coalesce(x.v, 0) + coalesce(y.v, 0) from (select date_trunc(d, month) m, sum(v) v from a where d between '2022-01-01' and '2022-01-31' group by 1) x full join (select date_trunc(d, month) m, sum(v) v from b where d between '2022-01-01' and '2022-01-31' group by 1) y on x.m = y.m

with t as (select * from unnest(array<struct<c1 bool, c2 bool>>[(false, true)])) select t.c1 from t right join (select not c2 as c from t) s on s.c between true and t.c1 where t.c1 is null

with t as (select * from unnest(array<struct<c1 bool, c2 bool>>[(false, true)])) select s.c from (select not c2 as c from t) s left join t on s.c = t.c2 and s.c != t.c1 where t.c1 is null

with e1 as (select * from unnest(array<struct<x int64>>[struct(1), struct(2)])), e2 as (select * from unnest(array<struct<x int64>>[struct(1)])), e3 as (select * from unnest(array<struct<x int64>>[struct(1), struct(-1)])), e4 as (select * from unnest(array<struct<x int64>>[struct(1), struct(2)])) select count(*) from e1 left join e2 on e1.x = e2.x right join e3 on e1.x = e3.x and e3.x > 0, e4 where e4.x = e1.x

with e1 as (select * from unnest(array<struct<x int64>>[struct(1), struct(2)])), e2 as (select * from unnest(array<struct<x int64>>[struct(1)])), e3 as (select * from unnest(array<struct<x int64>>[struct(1), struct(-1)])), e4 as (select * from unnest(array<struct<x int64>>[struct(1), struct(2)])) select e1.x, e2.x, e3.x, e4.x from e1 full join e2 on e1.x = e2.x left join e3 on e2.x = e3.x and e1.x > 0 full join e4 on e4.x = coalesce(e1.x, e3.x)

with t as (select * from unnest(array<struct<k int64, a string, b string>>[(1, '200', '30'), (2, 'x', 'y')])) select (cast(struct(a as a, b as b) as struct<b string, a string>)).b from t order by k limit 1

with t as (select * from unnest(array<struct<k int64, a string, b string>>[(1, '200', '30'), (2, 'x', 'y')])) select r.z.b, r.z.a from (select k, struct(struct(a as a, b as b) as z) r from t) where r.z.a != 'x'

with t as (select * from unnest(array<struct<i int64>>[struct(1), struct(1), struct(null), struct(null), struct(2)])) select i from t intersect distinct select i from t

with t as (select * from unnest(array<struct<i int64>>[struct(1), struct(1), struct(null), struct(null), struct(2)])), z as (select * from unnest(array<struct<i int64>>[])) (select i from t except distinct select 1) union all select i from z

with t as (select * from unnest(array<struct<a int64, b int64>>[(1, null), (1, null), (2, null)])) select a, count(b), avg(b), count(*), sum(b), max(b), countif(b is null) from t group by a

with t as (select * from unnest(array<struct<a int64, b int64>>[(1, null), (1, null), (2, null)])) select count(a) from t where b is not null

with t0 as (select * from unnest(array<struct<c1 string>>[struct('a'), struct('bcd'), struct('ü')])) select substr(c1, -4294967296), substr(c1, 4294967297), substr(c1, 1, 4294967297), left(c1, 4294967297), right(c1, 4294967297), substr(c1, -9223372036854775807), substr(c1, 2, 9223372036854775807), substr(cast(c1 as bytes), -4294967296), repeat(c1, 1) from t0

with l as (select * from unnest(array<struct<v int64>>[struct(10), struct(20)])), s as (select * from unnest(array<struct<c int64, tag int64>>[(100, 1)])) select * from l where not exists (select 1 from s e where mod(tag, 7) = 3 and l.v <= e.c)

with l as (select * from unnest(array<struct<v int64>>[struct(10), struct(20)])), s as (select * from unnest(array<struct<c int64, tag int64>>[(100, 1)])) select l.v, e.c from l left join (select * from s where mod(tag, 7) = 3) e on l.v <= e.c

with l as (select * from unnest(array<struct<v int64>>[struct(10), struct(20)])), s as (select * from unnest(array<struct<c int64, tag int64>>[(100, 1)])) select * from l where l.v not in (select c from s where mod(tag, 7) = 3)

with t as (select * from unnest(array<struct<c string>>[struct('x')])) select t.c, t.c is null from t right join (select cast(null as string) as d from t) s on true where t.c is null

with t1 as (select * from unnest(array<struct<a string, b int64, c int64>>[('t1a', 6, 8), ('t1b', 8, 16), ('t1a', 16, 12), ('t1c', 8, 16), ('t1d', null, 16), ('t1e', 10, null), ('t1e', 10, null), ('t1d', 10, null)])), t2 as (select * from unnest(array<struct<a string, b int64, c int64>>[('t2a', 6, 12), ('t1b', 10, 12), ('t1b', 8, 16), ('t1c', 12, 16), ('t1b', null, 16), ('t2e', 8, null), ('t1e', 8, null), ('t1f', 19, null)])) select a, b from t1 where c in (select c from t2 where t1.a = t2.a) or b in (select max(b) from t2 where t1.a = t2.a group by c)

with t1 as (select * from unnest(array<struct<a string, b int64, c int64>>[('t1a', 6, 8), ('t1b', 8, 16), ('t1a', 16, 12), ('t1c', 8, 16), ('t1d', null, 16), ('t1e', 10, null), ('t1e', 10, null), ('t1d', 10, null)])), t2 as (select * from unnest(array<struct<a string, b int64, c int64>>[('t2a', 6, 12), ('t1b', 10, 12), ('t1b', 8, 16), ('t1c', 12, 16), ('t1b', null, 16), ('t2e', 8, null), ('t1e', 8, null), ('t1f', 19, null)])) select a, max(b) from t1 group by a having max(b) in (select max(b) from t2 where t2.a = t1.a)

with c as (select * from unnest(array<struct<k int64, n string>>[(1, 'A'), (2, 'B'), (3, 'C')])), o as (select * from unnest(array<struct<k int64, cu int64, y int64>>[(101, 1, 2021), (102, 1, 2021), (103, 2, 2022), (104, 2, 2022), (105, 3, 2022)])), f as (select cu, y from o where y > 2000) select k, n, k in (select cu from f where f.y = 2022 and f.cu = c.k) x from c

with c as (select * from unnest(array<struct<k int64, n string>>[(1, 'A'), (2, 'B'), (3, 'C')])), o as (select * from unnest(array<struct<k int64, cu int64, y int64>>[(101, 1, 2021), (102, 1, 2021), (103, 2, 2022), (104, 2, 2022), (105, 3, 2022)])), f as (select cu, y from o) select k, (select count(*) from f where f.cu = c.k and f.y in (select y from f g where g.cu < c.k)) from c

with a as (select * from unnest(array<struct<p int64, s date, e date>>[(1, date '2021-01-01', date '2021-02-15'), (1, date '2021-01-01', null)])), b as (select * from unnest(array<struct<p int64, d date>>[(1, date '2010-01-01'), (2, date '2010-01-01')])) select q.* from (select l.p, l.s, l.e2, b.d from (select p, s, coalesce(e, s) e2 from a) l join b on l.p = b.p where l.s <= l.e2) q where q.d <= q.s

with u as (select * from unnest(array<struct<k int64, age int64, st string>>[(1, 20, 'active'), (2, 30, 'active'), (3, null, 'banned'), (4, 45, 'active'), (5, 18, 'inactive')])), o as (select * from unnest(array<struct<k int64, us int64, am float64, st string>>[(1, 1, 100.0, 'paid'), (2, 1, 200.5, 'shipped'), (3, 2, null, 'failed'), (4, 3, 50.0, 'paid'), (5, 5, 999.99, 'paid')])) select count(*) from (select o.us c0, u.age c1, (select max(x.am) from o x where x.us = u.k) m from o left join u on o.us = u.k and u.st = 'active') q where not (q.c1 > 20)

with u as (select * from unnest(array<struct<k int64, age int64, st string>>[(1, 20, 'active'), (2, 30, 'active'), (3, null, 'banned'), (4, 45, 'active'), (5, 18, 'inactive')])), o as (select * from unnest(array<struct<k int64, us int64, am float64, st string>>[(1, 1, 100.0, 'paid'), (2, 1, 200.5, 'shipped'), (3, 2, null, 'failed'), (4, 3, 50.0, 'paid'), (5, 5, 999.99, 'paid')])) select count(*) from (select o.us c0, u.age c1, (select max(x.am) from o x where x.us = u.k) m from o left join u on o.us = u.k and u.st = 'active') q where (q.c1 > 20) is null

select count(*) from (select lead(id) over (order by 'x') n, id from (select id from nums union all select id from nums))

select struct(1, 5) in (select struct(x, y) from unnest([struct(2 as x, 6 as y), (3, null)])), struct(3, 5) in (select struct(x, y) from unnest([struct(2 as x, 6 as y), (3, null)])), struct(1, 5) not in (select struct(x, y) from unnest([struct(3 as x, cast(null as int64) as y)]))
