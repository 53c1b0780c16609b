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
