select m from edge_logs, unnest(metadata) m where m.load > 1

select r.* from edge_logs, unnest(metadata) m, unnest(m.request) r where r.method is null

select metadata[safe_offset(1)].load from edge_logs where array_length(metadata) > 1

select id, safe_cast(m.status as int64) si, ifnull(safe_cast(m.status as int64), 0) >= 500 as is_err, safe_cast(m.status as float64) sf from function_logs, unnest(metadata) m

select struct(1 as a, 'x' as b), struct(1, 2), struct(1 as a, 2 as a), [struct(1 as p, 2.5 as q), (2, 3)], (1, 'x') = (1, 'x'), struct(1, cast(null as int64)) = struct(1, 2)

select id from edge_logs where metadata[safe_offset(0)].load in (1.5, 3) and 'a' in unnest(metadata[safe_offset(0)].tags)

select x from unnest([struct(1 as x, 'a' as y), struct(2, 'b')]) where y in unnest(['b','c'])

select [1,2,3][offset(1)], [1,2,3][ordinal(1)], [1,2][safe_ordinal(5)], array_length([])

select as struct 1 a, 2 b

select arr from nums order by array_length(arr), id

select array_to_string(['a', null, 'b'], ',', '?'), array_to_string(['a', null, 'b'], ',')

select * from unnest(['b','a',null,'c']) as v with offset o order by o desc

select v from unnest([3,1,2]) v order by v limit 2 offset 1

select [struct('a' as k, [1,2] as v)], array<struct<k string, v array<int64>>>[('z', [])]

select if(true, [1], null), ifnull(null, [1,2])[offset(0)], coalesce(cast(null as struct<a int64>), struct(5)).a

select a between b and 5, b between null and 3, a in (1, null, 2), a not in (1, null), null in (1), a in unnest([1, 2, null]), null in unnest([1]), null in unnest(cast([] as array<int64>)) from nums

select as value struct(1 as a, 'x' as b)

select n.id, u, w from nums n, unnest(n.arr) u, unnest(n.arr) w where u < w

select id, m.request[safe_offset(0)].headers[safe_offset(0)].x_real_ip ip, m.response[safe_offset(0)].status_code sc from edge_logs, unnest(metadata) m where m.request[safe_offset(0)].method = 'GET' order by id, 2, 3

select lower('ΑΣ'), lower('ΑΣΣΑ ΣΣΣ Σ ΣΑ ΑΣ. ΑΣ΄Α'), lower('İX'), upper('ᾳ ΐ ﬃ ß ŉ'), lower('ABC')

select arr[offset(0)] from nums where array_length(arr) > 0

select arr[0], arr[safe_offset(-1)], arr[safe_ordinal(0)], arr[safe_ordinal(1)], arr[safe_offset(null)] from nums where array_length(arr) > 0

select array_to_string(words, ','), array_to_string(words, ',', '-'), array_to_string(words, null), array_to_string([], ','), array_to_string(words, ',', null) from kinds

select array(select w from unnest(words) w where w != 'a'), array(select upper(w) from unnest(words) w), array(select as struct w, o from unnest(words) w with offset o) from kinds

select 'a' in unnest(words), null in unnest(words), 'a' not in unnest(words), x in unnest([1.5, null]), x in unnest([cast('nan' as float64)]) from kinds, nums where kinds.id = nums.id

select generate_array(1, 5), generate_array(5, 1, -2), generate_array(1, 0), generate_array(0, 1, 0.25), generate_array(null, 1), generate_array(0.1, 1, 0.3), generate_array(1, 10, 3), generate_array(0, 1, -0.5)

select generate_date_array(d, date_add(d, interval 2 month), interval 1 month), generate_date_array(d, d), generate_date_array('2024-01-05', '2024-01-01', interval -2 day) from kinds where d between '1900-01-01' and '2100-01-01'

select generate_timestamp_array(timestamp '2024-01-31', timestamp '2024-02-02', interval 12 hour), generate_timestamp_array(timestamp '2024-01-31', timestamp '2024-01-30', interval 1 day)

select struct(1, 2) = struct(1, 2), struct(1, null) = struct(2, 3), (1, 'a') in ((1, 'a'), (2, 'b')), (1, null) in ((1, 2)), struct(1,2) != struct(1,3)

select (a, t) in (select as struct b, s from nums), (a, t) in unnest([(1, 'a'), (2, 'b')]) from nums

select struct(a, x) is distinct from struct(b, y), struct(a, b) is not distinct from struct(b, a) from nums

select arr is distinct from [1] from nums

select x is distinct from y, x is not distinct from x from nums

select case struct(a, b) when struct(1, 1) then 'x' else 'y' end from nums

select nullif(struct(a, b), struct(1, 1)) from nums

select s like any ((select t from nums limit 1)) from nums

select id, arr[0] from nums where array_length(arr) > 0

select id, arr[ordinal(1)], arr[safe_offset(5)], arr[safe_ordinal(5)] from nums where array_length(arr) > 0

select [1,2,3][0], [1,2,3][safe_offset(a)] from nums

select j[0], j['a'], j.a, j['b'][1] from kinds

select array_length(arr), array_reverse(arr), array_concat(arr, arr), array_to_string(array(select cast(v as string) from unnest(arr) v), '-') from nums

select array_slice(arr, 0, 0), array_slice(arr, -1, -1), array_slice(arr, 1, 5), array_slice(arr, -10, 1), array_slice(arr, null, 1) from nums

select array_filter(arr, v -> v > 3), array_transform(arr, v -> v * a), array_transform(arr, (v, i) -> v + i), array_includes(arr, 3), array_includes(arr, v -> v > a), array_includes_any(arr, [1, 2]), array_includes_all(arr, [1, 2]) from nums

select array_is_distinct(arr), array_is_distinct([1, null, null]), array_is_distinct([1, null]), array_is_distinct(cast(null as array<int64>)), array_is_distinct([cast('nan' as float64), cast('nan' as float64)]) from nums

select array_max(arr), array_min(arr), array_sum(arr), array_avg(arr), array_max(words), array_min(words) from nums join kinds using (id)

select greatest(a, b, 3), least(a, b), greatest(x, y), least(x, y), greatest(s, t), greatest(null, 1) from nums

select generate_array(1, 10, 2), generate_array(10, 1, -3), generate_array(1, 1), generate_array(2, 1), generate_array(1.5, 3), generate_array(a, b) from nums

select generate_timestamp_array('2024-01-01', '2024-01-03', interval 12 hour), generate_date_array('2024-01-31', '2024-05-31', interval 1 month)

select v from unnest(generate_array(1, 5)) v

select v, o from unnest(['a', 'b']) v with offset o

select v, offset from unnest(['a', 'b']) v with offset

select * from unnest([struct(1 as a, 'x' as b), (2, 'y')])

select * from unnest([struct(1 as a, 'x' as b), (2, 'y')]) as t with offset

select t.a, t from unnest([struct(1 as a, 'x' as b), (2, 'y')]) as t

select * from unnest([1, 2]) a, unnest([3, 4]) b

select * from unnest(cast(null as array<int64>))

select * from unnest([])

select id, v from nums left join unnest(arr) v on v = a

select id, v from nums n inner join unnest(n.arr) v on v = n.a

select id, v from nums n right join unnest([1, 2, 3]) v on v = n.a

select id, v from nums n full join unnest([1, 2, 3]) v on v = n.a

select id, v, w from nums n left join unnest(n.arr) v left join unnest([v, 9]) w on w > 5

select id, v, o from nums n left join unnest(n.arr) v with offset o on o > 0

select * from (select as struct 1 a, 2 b)

select as value struct(a, b) from nums where id < 3

select s.* from (select struct(1 as a, 2 as b) s)

select s.* except (a) from (select struct(1 as a, 2 as b) s)

select s.* replace (5 as a) from (select struct(1 as a, 2 as b) s)

select * except (metadata) from edge_logs limit 0

select * replace (upper(project) as project) from (select id, project from edge_logs)

select t.* except (arr, x) from nums t where id < 3

select (select as struct * from unnest(metadata) limit 1).load from edge_logs

select array(select as struct m.load, array_length(m.tags) n from unnest(metadata) m) from edge_logs

select array(select distinct tag from unnest(metadata) m, unnest(m.tags) tag order by tag) from edge_logs

select array(select a from nums where id < 5 order by a desc nulls last, id)

select array_agg(distinct tag order by tag) from edge_logs, unnest(metadata) m, m.tags tag

select flatten(metadata.tags) from edge_logs

select id, t from edge_logs, unnest(metadata.tags) t with offset o where o = 0

select typeof(s), typeof(arr), typeof(null), typeof(metadata) from nums, edge_logs limit 1

select with(x as a + 1, y as x * 2, x + y), with(z as (select max(id) from nums), z) from nums

select nullifzero(a), zeroifnull(a), nullifzero(x), zeroifnull(y) from nums

select if(a > 0, [a], []), ifnull(arr, []), coalesce(arr, [1]) from nums

select [a, b], [struct(a as p, s as q)], [null, a] from nums

select array<int64>[], array<string>['a', null], [1, 2.5], [date '2024-01-01', null]

select a from nums where (select as struct a, b) = (1, 1)

select error('x') from nums where false

select if(a > 100, error('x'), 'fine') from nums

select case when a > 100 then error(concat('bad ', s)) else a end from nums

select ifnull(a, error('null')) from nums where a is not null

select array_first(arr), array_last(arr), array_slice(arr, 0, 1) from nums where array_length(arr) > 0

select id, exists(select 1 from unnest(metadata) m, unnest(m.response) r where r.status_code >= 500), exists(select m from unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h where h.host is null), exists(select 1 from unnest(metadata)), not exists(select 1 from unnest(metadata) m where not exists(select 1 from unnest(m.request) r where r.path like '/rest%')) from edge_logs

select id from kinds where exists(select 1 from unnest(words) w where w is null or upper(w) = 'C') or exists(select 1 from unnest(words) w where w = word) or exists(select 1 from unnest(split(word, ' ')) w where exists(select 1 from unnest(split(w, 'm')) l where l = 'ga' or id > 30))

select k.id, w from kinds k left join unnest(k.words) w on exists(select 1 from unnest(k.words) o where o > w)

select id, exists(select 1 from unnest(arr) x where x > id), (select count(*) from kinds k where exists(select 1 from unnest(k.words) w where w = t)) from nums

select array_concat(arr, [a], arr, [1, 2], arr, [b], arr, arr, [3], arr, arr, arr) c, array_concat(arr, cast(null as array<int64>), arr) n, array_concat(split(s, ','), [t], split(t, ''), [upper(s), lower(t)], array_concat([s], split(s, 'a'))) p, array_length(array_concat([], arr, cast([] as array<int64>))) e from nums

select array_concat(array(select x from unnest(arr) x where x > 1), array(select x + 1 from unnest(arr) x), [a, null]) is null, array_length(array_concat([cast(null as int64)], [a], [cast(null as int64)])) from nums

select a from nums.arr a where a > 3

select m.request[safe_offset(0)].method from edge_logs.metadata m

select x from nums left join nums.arr x on x > 3

select method, count(r.path) from edge_logs.metadata.request r group by method

select id, a in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60, null]) x, a in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60]) y, a not in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60]) z, s in unnest(['s0','s1','s2','s3','s4','s5','s6','s7','s8','s9','s10','s11','s12','s13','s14','s15','s16','s17','s18','s19','s20','s21','s22','s23','s24','s25','s26','s27','s28','s29','s30','s31','s32','s33','s34','s35','s36','s37','s38','s39','s40','s41','s42','s43','s44','s45','s46','s47','s48','s49','s50','s51','s52','s53','s54','s55','s56','s57','s58','s59','s60']) t from nums order by id

select l.id, r.id from nums l full join nums r on l.id = r.id and l.a in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60]) order by 1, 2

select l.id, r.id from nums l left join nums r on l.a in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60]) and r.id < 3 order by 1, 2

select id, array(select x from unnest(arr) x where x in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60]) order by x in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60]), x) from nums order by id

select x, x in unnest([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60, cast('nan' as float64), null]) from unnest([1.5, 3, null, cast('nan' as float64), 100]) x

select array_to_string([b'a', null, b'b'], b','), array_to_string([b'a', null, b'\xff'], b',', b'x'), array_to_string(cast(null as array<bytes>), b','), array_to_string(cast([] as array<bytes>), b','), array_to_string([b'a', null], b',', null), array_to_string([b'a'], cast(null as bytes)), (select string_agg(to_hex(array_to_string(y, x, x)), ' ' order by x) from unnest([b'-', b'\x00']) x, (select [b'a', null, b'b'] y))

select generate_array(9223372036854775807, 1)

select generate_date_array('2024-01-01', '2024-01-05', interval 4294967297 day), generate_date_array('2024-01-05', '2024-01-01', interval -9223372036854775807 day), generate_date_array('2024-01-05', '2024-01-09', interval -3 day), generate_timestamp_array('2024-02-28', '2024-02-29', interval 9223372036854775807 second), generate_timestamp_array('2024-02-28', '2024-02-27', interval 1 second)

select id, metadata[safe_offset(null)].request[safe_offset(0)].path, metadata[offset(null)].request[safe_offset(0)] is null from edge_logs
