select avg(distinct b) from nums

select json_value('{"a":1.50}', '$.a')

select json_value('{"a":1e3}', '$.a')

select json_query('{"a":1.5e10}', '$')

select json_value("{'a':1}", '$.a')

select json_value('{"a":1} x', '$.a')

select parse_json('{"b":1,"a":2}')

select json_value('{"a":-0}', '$.a')

select id, avg(x) over (order by id rows between 2 preceding and current row) from nums

select to_json_string(json_remove(json '{"a":1,"b":2}', null, '$.a'))

select net.public_suffix('a.b.kh')

select 'a' not like any ('a', 'b'), 'a' not like all ('a', 'b')

select 'a' like all unnest(cast([] as array<string>))

select 'a' like any (select p from unnest(['b', 'a']) p where p = 'x')

select instr(collate('文a文', 'und:ci'), '文', -2), instr(collate('🚀🚀A', 'und:ci'), '🚀', 2, 2)

select json_set(json '{"a":1}', null, 5), json_array_append(json '[1]', @nothing, 5, '$', 6), json_array_insert(json '[1]', null, 5)

select json_strip_nulls(json '{"a":null}', @nothing), json_strip_nulls(json '{"a":null}', include_arrays => null), json_array_append(json '[1]', '$', [2], append_each_element => null)

select any_value(v having max k), any_value(v having min k) from unnest([struct(cast(null as string) as v, 5 as k), ('b', 1), (null, 0)])
