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

select id from nums n where a > (select avg(a) from nums m where m.t = n.t)

select n.id, (select count(*) from unnest(n.arr) x where x > n.a) from nums n

select t, (select max(id) from nums m where m.t = n.t) from nums n group by t

select t, count(*) c from nums n group by t having count(*) > (select count(*) from nums m where m.t = n.t and m.a > 0)

select id from nums n order by (select max(v) from unnest(n.arr) v), id

select id from nums n order by exists(select 1 from unnest(n.arr) v where v > 5) desc, id

select l.id, r.id from nums l join nums r on l.id = r.id + 1 and exists (select 1 from unnest(l.arr) v where v = r.a)

select l.id, r.id from nums l left join nums r on l.id = r.id + 1 and r.a in unnest(l.arr)

select l.id, r.id from nums l left join nums r on l.id = r.id + 1 and exists (select 1 from unnest(l.arr) v where v = r.a)

select l.id, r.id from nums l left join nums r on l.id = r.id + 1 and exists (select 1 from nums m where m.id > l.id and m.a = r.a)

select id, a in (select v from unnest(arr) v) from nums

select id, a not in (select v from unnest(arr) v) from nums

select id, x in (select x from nums m where m.id < n.id) from nums n

select id, array(select m.id from nums m where m.t = n.t order by m.id desc limit 3) from nums n

select id, (select m.id from nums m where m.t = n.t and m.id > n.id order by m.id limit 1) from nums n

select id, (select as struct m.id, m.a from nums m where m.id = n.id + 1) from nums n

select id, (select string_agg(cast(v as string), ',' order by v desc limit 2) from unnest(arr) v) from nums

select id, (select sum(v) from unnest(arr) v with offset o where o < array_length(arr) - 1) from nums

select id, (select sum(v * w) from unnest(arr) v with offset i join unnest(arr) w with offset j on i = j) from nums

select id, exists(select 1 from nums m where m.a = n.a and m.id <> n.id and exists (select 1 from nums k where k.b = m.b and k.id <> n.id and k.t = n.t)) from nums n

select id from nums n where (select count(*) from nums m where m.a < n.a) between 5 and 10

select n.id, v, w from nums n, unnest(arr) v, unnest(array(select v + x from unnest(arr) x)) w

select n.id, c from nums n, (select t, count(*) c from nums group by t) g where g.t = n.t

select n.id, s.v from nums n left join unnest(n.arr) v on v > 3 join (select 5 as v) s on s.v = v

select n.id, k.word from nums n left join kinds k on n.id = k.id and k.id > 3 where k.word is null or n.a > 2

select id, word from nums full join kinds using (id) where id < 10

select coalesce(l.id, r.id), l.a, r.word from nums l full outer join kinds r on l.id = r.id + 30

select * from (select id, a from nums where id < 5) l cross join (select id as id2 from nums where id between 5 and 7)

select * from (select id, a from nums) l inner join (select id, word from kinds) r using (id) where l.a > 3

select id from nums intersect all select id from kinds

select a from nums except all select b from nums

select a from nums intersect all select b from nums

(select a from nums union all select b from nums) except distinct select 1

select x from nums union distinct select y from nums

select x from nums intersect distinct select y from nums

select x from nums except distinct select y from nums

select x from nums except all select y from nums

select x, arr from nums except distinct select x, arr from nums where id > 30

select struct(a, b) from nums union distinct select struct(b, a) from nums

select a, 1.5 from nums union all select y, 2 from nums

select null as a union all select 1

select id from nums union all select id from kinds order by 1 desc limit 3

with recursive t as (select 1 as n, 'x' as p union all select n + 1, concat(p, 'y') from t where n < 6) select * from t order by n

with recursive t as (select id, a from nums where id < 3 union distinct select m.id, m.a from nums m join t on m.a = t.a + 1) select * from t

with recursive t as (select 1 n union all select n * 2 from t where n < 100), u as (select count(*) c from t) select * from t, u

select * from (select t, b, a from nums) pivot(sum(a) s, count(*) c for b in (1, 2, -1 as minus))

select * from (select t, flag, a from nums) pivot(max(a) for flag in (true, false))

select * from (select id, a, b from nums) unpivot(v for k in (a, b))

select * from (select id, a, b from nums) unpivot include nulls (v for k in (a as 'A', b as 'B'))

select distinct on_ from (select t as on_ from nums)

select t, count(*) from nums where exists (select 1 from unnest(arr) v where v = 3) group by t order by count(*) desc, t

select id, a from nums order by a nulls last, id desc limit 10 offset 5

select id, a from nums order by a desc nulls first, id limit 10

select id from nums order by t, -a, id

select id from nums order by 1 limit 0

select count(*) from (select id from nums limit 7)

select sum(id) from (select id from nums order by id desc limit 5)

select a.id, b.id from nums a join nums b on a.a = b.b or (a.a is null and b.b is null)

select a.id, b.c from nums a left join (select a, count(*) c from nums group by a) b on a.a = b.a

select id, (select array_agg(x order by x) from (select v as x from unnest(n.arr) v union all select n.a)) from nums n

select (select count(*) from nums) c, (select max(id) from nums where false) m

select id, if((select count(*) from unnest(arr)) > 1, 'many', 'few') from nums

select array_agg(struct(id, t) order by id limit 2)[offset(0)].t from nums

select t, array_agg(x ignore nulls order by x desc limit 2) from nums group by t

select e.id, m.load, r.path, r.status from edge_logs e left join unnest(metadata) m left join (select 1 as k, 'x' as path, 5 as status) r on m.load > r.k

select id, path from edge_logs t cross join unnest(t.metadata) cross join unnest(request)

select id, request.path from edge_logs, unnest(metadata) as m, unnest(m.request) as request where request.path like '/rest%' order by id limit 10

select id, h.host, cf.country from edge_logs t left join t.metadata m left join m.request r left join r.headers h left join r.cf cf

select timestamp_trunc(timestamp, minute) as timestamp, count(*) as count from edge_logs group by 1 order by 1

select timestamp_trunc(t.timestamp, hour) as timestamp, count(case when r.status_code >= 500 then 1 end) as errors, count(case when r.status_code < 500 then 1 end) as ok, from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.response) as r group by timestamp order by timestamp desc;

select cast(timestamp as datetime) as timestamp, event_message from edge_logs order by timestamp desc, id limit 5

select id, timestamp as ts, event_message as timestamp from edge_logs order by ts, id limit 3

select project, count(*) as c from edge_logs group by project having c > 5 order by c

select lower(project) as project, count(*) from edge_logs group by project order by project

select upper(project) project, count(*) from edge_logs group by 1 order by 1

select a as b, b as a from nums where a > 3 order by b, a

select id, (select count(*) from (select v from unnest(n.arr) v union all select n.a)) from nums n

select id, (select count(*) from (select v from unnest(n.arr) v intersect distinct select 3)) from nums n

select id, (select max(v) from (select distinct v from unnest(n.arr) v)) from nums n

select id, (select string_agg(cast(v as string), ',' order by v) from (select v from unnest(n.arr) v order by v limit 2)) from nums n

select id, exists(select 1 from (select m.t, count(*) c from nums m where m.b = n.b group by m.t having count(*) > 3)) from nums n

select id, (select max(c) from (select t, count(*) c from nums m where m.b = n.b group by t)) from nums n

select id, (select array_agg(s order by s limit 2) from nums m where m.t = n.t and m.s is not null) from nums n

select id, a in (select m.b from nums m where m.t = n.t) from nums n

select id, a not in (select m.b from nums m where m.t = n.t) from nums n

select id, (select max(m.id) from nums m where m.t = n.t and m.a > (select min(k.a) from nums k where k.b = n.b)) from nums n

select id, (select (select n.a + m.a)) from nums n join (select 1 as a) m on true

select id, if(exists(select 1 from unnest(arr) v where v = a), 'in', 'out') from nums

select t, (select count(*) from nums m where m.t = n.t) c, count(*) from nums n group by t having c > 5

select t, max((select count(*) from unnest(arr))) from nums group by t

select t, sum((select max(v) from unnest(arr) v where v > a)) from nums group by t

select a.id, b.id from nums a join nums b on a.id = (select max(k.id) from kinds k where k.id <= b.id) and b.id < 5

select n.id, d.c from nums n cross join (select count(*) c from kinds) d

select id, (select as struct count(*) c, max(v) m from unnest(arr) v).* from nums

select id, (select as struct count(*) c, max(v) m from unnest(arr) v).c from nums

select id, (select v from unnest(arr) v with offset o where o = 1) from nums

select s.* from (select as struct id, array(select v from unnest(arr) v order by v) vs from nums) s

select (select array_agg(x) from (select distinct t x from nums where t is not null order by 1)) arr

select id from nums n where (select count(distinct v) from unnest(n.arr) v) = array_length(n.arr)

select id from nums n where n.id in (select m.id from nums m where m.t = n.t order by m.a desc nulls last, m.id limit 2)

select id from nums where (a, b) in (select (a, b) from nums where id < 5)

select id from nums where struct(a, t) in unnest([struct(1 as a, 'a' as t), (2, 'b')])

select id, (select sum(w) from unnest(arr) v, unnest([v, v * 2]) w) from nums

select id, (select sum(w) from unnest(arr) v left join unnest([1, 2]) w on w = v) from nums

select id, array(select x from unnest([a, b, id]) x where x is not null order by x) from nums

select id, (select as value v from unnest(arr) v limit 1) is null from nums

select n.id, x.v, y.w from nums n, unnest(array(select as struct v from unnest(n.arr) v)) x left join unnest([struct(x.v + 1 as w)]) y

select id, (select logical_and(v > 0) from unnest(arr) v), (select count(*) from unnest(arr) v where v is null) from nums

select id, array_to_string(array(select format('%d=%d', o, v) from unnest(arr) v with offset o order by o), ';') from nums

select id, ifnull((select string_agg(w, '' order by o desc) from unnest(words) w with offset o), 'none') from kinds

select count(*) from nums n, nums m where n.id < m.id and n.t = m.t and n.a between m.a - 1 and m.a + 1

select n.id from nums n left join nums m on n.a = m.a and n.id <> m.id where m.id is null

select a.id, b.id, c.id from nums a join nums b on a.id = b.id left join kinds c on b.id = c.id and c.word = 'alpha' where a.id < 10

select * from (nums n join kinds k using (id)) where id < 3

select id, k.word, a from nums join kinds as k using (id) left join (select 3 as id, 'z' as z) using (id) where id between 2 and 4

select 1 from nums group by () having count(*) > 1

select max(id) from nums having max(id) > 10

select count(*) from nums group by t having sum(a) > (select avg(a) from nums)

select t, count(*) from nums group by t order by (select count(*) from kinds) - count(*), t

select distinct a, b from nums order by a desc, b limit 5

select distinct t from nums order by t desc

select t as x, count(*) from nums group by x order by x desc limit 2

select * from unnest([1,2,3]) as x where x > (select avg(y) from unnest([1,2,3]) y)

select id from nums limit 5 offset 57

select sum(id) from (select id from nums order by id limit 10 offset 5)

with a as (select 1 x), b as (select x + 1 y from a), c as (select y + 1 z from b) select * from a, b, c

with a as (with b as (select 1 x) select * from b) select * from a

with nums as (select id from nums where id < 3) select * from nums

with t as (select * from nums), u as (select * from t where a > 0), v as (select * from t where b > 0) select count(*) from u join v using (id)

select array_agg(x order by y desc, z limit 2) from unnest([struct(1 as x, 2 as y, 'a' as z), (2, 2, 'b'), (3, 1, 'c')])

select id, array(select as struct v, o from unnest(arr) v with offset o where v in (select w from unnest([1,2,3]) w)) from nums

select id, (select count(*) from unnest(arr) v where v in unnest([a, b])) from nums

select id, (select max(v) from unnest(array_filter(arr, e -> e > a)) v) from nums

select id, (select countif(x = y) from unnest(generate_array(0.0, 1, 0.5)) y) from nums

select id, (select logical_or((v, n.t) in unnest([(1, 'a'), (2, 'b')])) from unnest(n.arr) v) from nums n

select id, (select count(*) from unnest([n.x, n.y]) v where v between -1 and n.y) from nums n

select t, array(select distinct b from nums m where m.t = n.t and b is not null order by b) from (select distinct t from nums) n

select * from (select t, array_agg(id order by id) ids from nums group by t), unnest(ids) i with offset o where o < 2 order by t, o

select t, x.b, x.c from (select t, array_agg(struct(b, c) order by c desc, b) xs from (select t, b, count(*) c from nums group by t, b) group by t), unnest(xs) x with offset o where o = 0

select if(array_length(arr) > 0, arr[0], null), case when array_length(arr) > 1 then arr[ordinal(2)] end from nums

select sum(if(flag, a, 0)), count(if(flag, 1, null)), avg(case when flag then y end) from nums

select t, count(*) filter_ from nums group by t order by filter_ desc, t

select x, y from unnest([1, 2]) x with offset o1 join unnest(['a', 'b']) y with offset o2 on o1 = o2

select * from unnest([1, 2]) x left join unnest([2, 3]) y on x = y

select * from unnest([1, 2]) x full join unnest([2, 3]) y on x = y

select d, count(e.id) from unnest(generate_date_array('2026-11-19', '2026-11-21')) d left join edge_logs e on date(e.timestamp) = d group by d order by d

select a.* from (select 1 as x, 2 as y) a union all select b.* from (select 3 as x, 4 as y) b

select 1 as x union all select 2 union all select 3 order by x desc limit 2

(select 1 as x union all select 1) intersect distinct select 1

select 1 as x, 'a' as y union distinct select 1.0, 'a'

select x from (select 1 x union all select null union all select 2) where x is not null

with a as (select 1 x union all select 2), b as (select x from a union all select x + 10 from a) select sum(x) from b

with recursive days as (select date '2026-01-30' d union all select date_add(d, interval 1 day) from days where d < '2026-02-02') select d, extract(day from d) from days order by d

with recursive tree as (select 1 as id, 0 as depth union all select t.id * 2 + x, depth + 1 from tree t, unnest([0, 1]) x where depth < 3) select depth, count(*), min(id), max(id) from tree group by depth order by depth

select count(*) from (select * from nums except distinct select * from nums where id > 5)

select struct(a, b).a, (select as struct a, b).b from nums

select [struct(a, s)][offset(0)].s, array[1, a], (array[a, b])[offset(1)] from nums

select t.s.x, t.s.y from (select struct(a as x, struct(b as z) as y) s from nums) t where t.s.y.z > 0

select r.cf[safe_offset(0)].country, count(*) from edge_logs, unnest(metadata) m, m.request r group by 1

select id, m from edge_logs left join unnest(metadata) m on m.load > 1 order by id limit 5

select e.* except(metadata), m.* except(request, response) from edge_logs e, e.metadata m order by id, load limit 5

select e.id, (select as struct m.* from unnest(e.metadata) m limit 1).load l from edge_logs e order by id limit 8

select key, value from (select 'a' key, 1 value) union all (select 'b', 2)

select count(*), count(distinct a), a is null as missing from nums group by missing

select a > 0 as positive, sum(a) from nums group by positive having positive

select cast(a as string) as a, count(*) from nums group by a

select concat(t, '-', cast(b as string)) k, count(*) n from nums group by 1 having n > 2 order by n desc, k limit 3

select date_trunc(date(ts), month) as month, t, count(*) from nums group by month, t order by month, t

select approx.t, approx.c from (select t, count(*) as c from nums group by t) as approx where approx.c > 10

select id, (select array_agg(upper(lower(concat(n.s, cast(v as string)))) order by v) from unnest(n.arr) v) from nums n

select id, (select array_agg(struct(lower(concat(n.s, cast(v as string))) as k, upper(n.s) as u) order by v) from unnest(n.arr) v) from nums n

select id, (select string_agg(lpad(upper(concat(n.s, cast(v as string))), 9, '*') order by v) from unnest(n.arr) v) from nums n

select id, (select max(cast(concat(cast(n.a as string), cast(abs(v) as string)) as int64)) from unnest(n.arr) v where n.a > 0) from nums n

select id, (select sum(if(timestamp_trunc(n.ts, hour) = n.ts, v, length(upper(substr(n.s, v))))) from unnest(n.arr) v) from nums n

select id, array(select as struct upper(n.s) a, lpad(lower(n.s), v + 1, '-') b from unnest(n.arr) v order by v) from nums n

select id, (select count(distinct concat(upper(n.s), cast(v as string))) from unnest(n.arr) v) from nums n

select array(select as struct t, count(*) c from nums group by t order by t)

select (select array_agg(struct(upper(t) as t, c) order by c desc, t limit 2) from (select t, count(*) c from nums group by t))

select k.id, (select max(json_value(k.j, '$.a')) from unnest([1]) x) from kinds k

select k.id, (select array_agg(json_value(k.j, '$.b[0]') || cast(x as string)) from unnest([1]) x) from kinds k

select k.id, (select string_agg(format('%s-%d', k.word, x), ',' order by x) from unnest([1, 2]) x) from kinds k

select k.id, (select string_agg(format_date('%Y', date_add(k.d, interval x day)), ',' order by x) from unnest([1, 2]) x) from kinds k where k.d between '1000-01-01' and '9000-01-01'

select k.id, (select logical_or(starts_with(k.word, lower(w))) from unnest(k.words) w) from kinds k

select k.id, (select max(substr(k.word, x, 2)) from unnest([1, 2]) x), (select max(split(k.word, 'a')[safe_offset(x)]) from unnest([0, 1]) x) from kinds k

select n.id, (select sum(safe_divide(n.x, v)) from unnest(n.arr) v where not is_nan(n.x) and not is_inf(n.x)) from nums n

select n.id, (select max(if(v > n.a, n.s, n.t)) from unnest(n.arr) v), (select max(coalesce(n.s, cast(v as string))) from unnest(n.arr) v) from nums n

select n.id, (select max(extract(hour from timestamp_add(n.ts, interval v hour))) from unnest(n.arr) v) from nums n

select n.id, (select array_agg(to_json_string(struct(n.s as s, v as v)) order by v) from unnest(n.arr) v) from nums n

select id, (select count(n.s) from unnest(n.arr)), (select sum(n.a) from unnest(n.arr)), (select max(n.x) from unnest(n.arr)), (select count(distinct n.t) from unnest(n.arr) v where v > 2) from nums n

select t, (select max(n.t) from unnest([1, 2]) v), count(*) from nums n group by t

select t, max(id), (select array_agg(n.t) from unnest([1, 2])) from nums n group by t

select n.id, (select string_agg(n.s, '-' order by v) from unnest(n.arr) v), (select array_agg(struct(n.id as i, v as v) order by v) from unnest(n.arr) v) from nums n

select n.id, (select max((select max(n.a + w) from unnest([1, 2]) w)) from unnest(n.arr) v) from nums n

select n.id, (select countif(n.flag) from unnest(n.arr) v), (select any_value(n.s having max v) from unnest(n.arr) v) from nums n

select n.id, (select sum(c) from (select t, count(n.id) c from nums m where m.id < 5 group by t)) from nums n where n.id < 5

-- values under names, and fields of records, that are made of columns of the query around
select t.id, exists(select 1 from unnest(t.arr) x where x / t.id > 0.5), (select array_agg(struct(upper(t.s) as u, x / t.id as q)) from unnest(t.arr) x), (select array_agg(cast(t.st as struct<n string, k int64>)) from unnest(t.arr) x), (select round(t.y / x, 1) in unnest([x / t.id, t.y / x]) from unnest(t.arr) x where x > 0 limit 1) is null from (select *, struct(id as n, cast(id as string) as k) as st from nums) t where t.id > 0

select a, b, a = b, a != b, not (a = b), (a = b) is null, a in (b, 1), struct(a) = struct(b), case a when b then 1 else 0 end, nullif(a, b), a is distinct from b, (a = b) is not true from unnest([1.0, null, cast('nan' as float64), 0.0, -0.0]) a, unnest([1.0, null, cast('nan' as float64), 0.0, -0.0]) b

select count(*) from unnest([1.0, null, cast('nan' as float64)]) a full join unnest([1.0, null, cast('nan' as float64)]) b on a = b

select a from unnest([1.0, null, cast('nan' as float64)]) a where a not in (select b from unnest([cast('nan' as float64), 2.0]) b)

select a, b from unnest([1.0, null, cast('nan' as float64)]) a full join unnest([struct(1.0 as b), struct(cast('nan' as float64))]) on a = b and a > 0

WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL ( WITH RECURSIVE b AS (SELECT 1 AS n UNION ALL ( SELECT n + 1 FROM b WHERE n < 5 )) SELECT n + 1 FROM a INNER JOIN b USING (n) WHERE n < 10 )) SELECT * FROM a

WITH RECURSIVE t AS ( SELECT 0 AS n UNION DISTINCT ( WITH RECURSIVE t1 AS ( SELECT 0 AS n UNION DISTINCT SELECT MOD(n + 1, 3) AS abcd FROM t1 ) SELECT MOD(t.n + t1.n, 15) AS abcd FROM t CROSS JOIN t1 ) ) SELECT * FROM t

with recursive t as (select n, p as f, p as m from unnest([4, 12]) n, unnest([2, 3]) p where mod(n, p) = 0 union all select n, f, m * f from t where mod(n, m * f) = 0) select n, array_agg(f order by f) from t group by n

with recursive t as ((with s as (select 1 a union all select 2) select a, s2.a b from s join s s2 using (a)) union all (with u as (select 1 c union all select 10) select t.a + u.c, t.b from t, u, u v where t.a + u.c < 5 and u.c = v.c)) select a, b from t

with recursive a as (select 1 n union all select n + 1 from a where n < 3), b as (select n from a union all select n * 2 from b where n < 10) select n, count(*) from b group by n

with recursive t as (select 1 n, 'a' s union distinct select mod(n, 3) + 1, concat(s, 'b') from t where length(s) < 4) select s, n from t where n in (with recursive z as (select 1 q union all select q + 1 from z where q < 2) select q from z)

with recursive t as (select 1 n, null x union all select n + 1, x from t where n < 3) select x from t

with recursive t as (select struct(1 as a, [1] as b) s union all select struct(s.a + 1, array_concat(s.b, [s.a])) from t where s.a < 3) select s.b from t

select id, a = b or (a is null and b is null), not (b = a or (b is null and a is null)), (a is null and b is null) or a = b, (a = b and flag) or (a is null and b is null and flag), if(t = s or (t is null and s is null), 1, 0) from nums

select countif(not (a = b or (a is null and b is null))), logical_and(s = t or (s is null and t is null)) from nums

select id from nums where not (a = b or (a is null and b is null))

select m.id, n.id from nums m join nums n on (m.a = n.b or (n.b is null and m.a is null)) and m.t = 'a'

select m.id, n.id from nums m left join nums n on (m.s is null and n.s is null) or m.s = n.s

select m.id, n.id from nums m full join nums n on m.a + (1 + 1) = n.a or (m.a + (1 + 1) is null and n.a is null)

select id from nums m where exists (select 1 from nums n where (n.a = m.b or (n.a is null and m.b is null)) and n.id > 40)

select 1 from (select count(*) as n from nums)

select 1 as one from (select count(*) as n, max(id) as m from nums) limit 5

select 2 as two from (select count(*) as n from nums where false) where exists (select 1 from nums)

select n + n as d, n from (select count(*) as n from nums)

select k, sum(n) as s, min(n) as l, max(n) as h, any_value(n) as v from (select mod(id, 5) as k, count(*) as n from nums group by k) group by k

select k, sum(n) as s from (select mod(id, 5) as k, b, count(*) as n from nums group by k, b) group by k

select k, sum(f) as s from (select mod(id, 5) as k, sum(-0.0) as f from nums group by k) group by k

select b, k, sum(n) as s from (select b, mod(id, 5) as k, count(*) as n from nums group by b, k) group by k, b

select coalesce(c, 0) as c, if(c > 3, s, 0) as s from (select a, count(*) as c, sum(id) as s from nums group by a) order by a, c
