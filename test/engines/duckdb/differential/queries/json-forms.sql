select json_set(parse_json('{"a":1}'), '$.b', 2), json_set(parse_json('{"a":1}'), '$.a', 'x', '$.c.d', [1,2]), json_set(parse_json('[1,2]'), '$[5]', 9), json_set(parse_json('[1,2]'), '$[0]', 9), json_set(parse_json('{"a":null}'), '$.a.b', 1), json_set(parse_json('{"a":1}'), '$.a.b', 1), json_set(parse_json('null'), '$.a[2]', 1), json_set(parse_json('{"a":1}'), '$', 5), json_set(parse_json('{"a":[1]}'), '$.a.b', 5)

select json_set(parse_json('{"a":1}'), '$.b', null), json_set(cast(null as json), '$.a', 1)

select json_remove(parse_json('{"a":1,"b":[1,2,3]}'), '$.a'), json_remove(parse_json('{"a":1,"b":[1,2,3]}'), '$.b[1]', '$.b[1]'), json_remove(parse_json('{"a":1}'), '$.x')

select json_strip_nulls(parse_json('{"a":null,"b":[1,null,{"c":null}],"d":{}}')), json_strip_nulls(parse_json('{"a":null,"b":[1,null,{"c":null}]}'), include_arrays=>false), json_strip_nulls(parse_json('{"a":null,"b":[1,null,{"c":null}],"d":{},"e":[null]}'), remove_empty=>true), json_strip_nulls(parse_json('{"a":{"b":null},"c":null}'), '$.a'), json_strip_nulls(parse_json('null')), json_strip_nulls(parse_json('[null]'), remove_empty=>true), json_strip_nulls(parse_json('{"b":[1,null,{"c":null},[null]]}'), include_arrays=>false, remove_empty=>true)

select json_array_append(parse_json('{"a":[1]}'), '$.a', 2), json_array_append(parse_json('{"a":[1]}'), '$.a', [2,3]), json_array_append(parse_json('{"a":[1]}'), '$.a', [2,3], append_each_element=>false), json_array_append(parse_json('{"a":1}'), '$.a', 2), json_array_append(parse_json('{"a":null}'), '$.a', 2), json_array_append(parse_json('{"a":[1]}'), '$.b', 2), json_array_append(parse_json('[1]'), '$', 'x', '$[0]', 2), json_array_append(parse_json('[1]'), '$[3]', 'x')

select json_array_insert(parse_json('[1,2]'), '$[1]', 'x'), json_array_insert(parse_json('[1,2]'), '$[5]', 'x'), json_array_insert(parse_json('[1,2]'), '$[0]', ['x','y']), json_array_insert(parse_json('[1,2]'), '$[0]', ['x','y'], insert_each_element=>false), json_array_insert(parse_json('{"a":1}'), '$.a[0]', 2), json_array_insert(parse_json('{"a":null}'), '$.a[2]', 2), json_array_insert(parse_json('{"a":[1]}'), '$.a[0]', 7, '$.a[0]', 8)

select json_array_insert(parse_json('{"a":1}'), '$.a', 2)

select json_array(1, 'a', null, true, 1.5, date '2024-01-01', [1,2], struct(1 as a)), json_object('a', 1, 'b', [1,2]), json_type(parse_json('1')), json_type(parse_json('null')), json_type(parse_json('1.5'))

select json_object(['a','b'], [1,2]), json_object(), json_array()

select json_object('b', 1, 'a', 2, 'b', 3)

select to_json(struct(1 as a, 'x' as b, [1.5, null] as c, timestamp '2024-01-01' as t)), to_json(9007199254740993), to_json(9007199254740993, stringify_wide_numbers=>true), to_json(cast('nan' as float64)), to_json(null), to_json(numeric '1.50'), to_json(b'abc'), to_json(1e100), to_json(0.1)

select to_json_string(struct(1 as a, [1,2] as b, struct('x' as c) as d, [] as e), true), to_json_string([1,2], true), to_json_string(1, true), to_json_string(parse_json('{"a":[1,{"b":null}],"c":{}}'), true)

select string(parse_json('"a"')), int64(parse_json('1')), float64(parse_json('1.5')), bool(parse_json('true')), int64(parse_json('1.0')), float64(parse_json('1'))

select lax_int64(j), lax_string(j), lax_float64(j), lax_bool(j) from unnest([parse_json('1'), parse_json('"1"'), parse_json('true'), parse_json('"true"'), parse_json('1.5'), parse_json('null'), parse_json('[1]'), parse_json('"x"'), parse_json('"1e3"'), parse_json('1e3'), parse_json('0'), parse_json('"inf"'), parse_json('"1.5"'), parse_json('2.5'), parse_json('"NaN"')]) j

select float64(parse_json('12345678901234567890'), wide_number_mode=>'round'), float64(parse_json('9007199254740993'))

select safe.parse_json(s) from unnest(['1e400','-1e400', '[1,]', '{a:1}', "{'a':1}", 'nan', '01', '1.', '.5', '+1', '"\\ud800"', '"\\ud83d\\ude00"', '"a\tb"', '', ' ', '1 2', '{"a":1,"a":2}', '{"b":1,"a":2,"B":3}', '"\\/"', '"\\x"', 'tru', '[1 2]', '{"a" 1}', '\u00a0 1']) s

select parse_json('0.1234567890123456789', wide_number_mode=>'round'), parse_json('123456789012345678901234567890', wide_number_mode=>'round')

select json_value(j, '$.b[2].c'), json_query(parse_json('{"a":null}'), '$.a'), json_value(parse_json('{"a":null}'), '$.a'), json_query(parse_json('{"a b":{"c\\"d":1}}'), '$."a b"'), parse_json('{"a b":1}')['a b'] from kinds where id < 3

select json_value(s, '$.a') from unnest(['{"a":1.50}','{"a":1e3}','{"a":-0}',"{'a':1}",'{"a":1} x','{"a":1, "b":','{"a":1,','{"a":1','{"a":','{"a":"x','{"b":[1,2,{"x":}],"a":1}','{"a":[1]}','{"a":{}}','{"a":null}','{"a":true}','{"a":truex}','{"a":"\\u00e9\\n\\x41\\101"}','{"a":1,"a":2}','[1]','"a"','a',' {"a":2}','{"a":"'||'\u00e9'||'"}','{"a":01}','{"a":1.}','{"a":,"b":1}','{"b":,"a":1}','{a:1}','{"b":1,}','{"b":1,"a":2,}','{"b":[,],"a":2}', '{"A":1}', '{"a":"\\ud83d\\ude00"}', '{"a":"\\ud83d"}', '{"b":{"a":1}}', '{"a":nul}', '\u00a0{"a":1}']) s

select json_query(s, '$.a') from unnest(['{"a":1.50}','{"a":1e3}',"{'a':'x'}",'{"a":{"b" : [1 , 2.50]} } x','{"a":{"b":1}, "c":','{"a":"x\\ny"}','{"a":{"k\\"ey":"v\\u0041/\\/"}}','{"a":null}','{"a":[]}','{"a":[1,]}','{"a":[,1]}','{"a":{"x":1,"x":2}}', '{"a":"<\\u2028>&"}']) s

select json_query_array(s), json_value_array(s), json_extract_array(s), json_extract_string_array(s) from unnest(['[1,2.50,"x",null,true]','[1,[2]]','{"a":1}','[]','[1,2','[1,{"a":1}]','["a\\nb"]', 'null', '"x"', '[1,]', '[null,{"x":"\\n"}]']) s

select json_value('{"a b":1}', '$.a b'), json_value('{"x-y":5}', '$.x-y'), json_value('{"é":5}', '$.é'), json_value('{"1":5}', '$.1'), json_value('{"1":5}', '$[1]'), json_value('{"a:b":5}', '$.a:b'), json_value('{"c":{"d.e":2}}', '$.c."d.e"'), json_extract_scalar('{"c":{"d.e":2}}', "$.c['d.e']"), json_extract_scalar('{"c":{"d.e":2}}', "$['c']['d.e']"), json_extract_scalar('{"a":[1,2]}', "$.a[1]"), json_extract_scalar('{"a":2}', "$[a]"), json_extract('{"a":2}', "$."), json_value('{"a\\"b":2}', '$."a\\"b"'), json_value('[1,2]', '$[ 1 ]'), json_value('[[1,2]]', '$[0][1]'), json_value('{"0":7}', '$[0]'), json_value('[1,2]', '$.0'),json_value('[1,2]', '$.1')

select safe.json_value('{}', 'a')

select j from (select parse_json('{"a":{"b":1}}') j) where j is null

select parse_json('{"a":1}')[s] from unnest(['a','b']) s

select parse_json('[1,2]')[i] from unnest([0,1,2,-1]) i

select parse_json('{"a":"\\u0000x"}'), json_value('{"a":"\\u0000x"}', '$.a'), string(parse_json('"\\u0000"'))

select s, parse_json(s, wide_number_mode=>'round') from unnest(['123456789012345678901234567890','18446744073709551616','4e-324','1e-400','9007199254740993.0','0.1234567890123456789','1e22','-0']) s

select to_json_string(parse_json('{"a":"\\u007f\\u0080\\u2028\\u001f\\/é<>&"}'))

select j, json_type(j), to_json_string(j), j.a, j.b[0], j['a'], j[0], j[5], j.b[2].c, json_value(j), json_query(j, '$'), json_value(j, '$.a'), json_query(j, '$.b'), json_query_array(j, '$.b'), json_value_array(j, '$.b'), json_query_array(j), json_extract(j, '$.b'), json_extract_array(j), json_extract_string_array(j), json_extract_scalar(j, '$.a') from kinds

select lax_int64(j), lax_string(j), lax_float64(j), lax_bool(j), safe.int64(j), safe.float64(j), safe.bool(j), safe.string(j) from unnest([parse_json('1'), parse_json('9223372036854775807'), parse_json('9223372036854775808'), parse_json('-1e18'), parse_json('1e19'), parse_json('"9223372036854775808"'), parse_json('" 1 "'), parse_json('"TRUE"'), parse_json('"0x1F"'), parse_json('-0.5'), parse_json('0.5'), parse_json('-2.5'), parse_json('"1."'), parse_json('{}'), parse_json('""'), parse_json('1e-7'), parse_json('123456789.125'), parse_json('"-inf"'), parse_json('"t"')]) j

select json_value(s, '$.a.b'), json_query(s, '$.a'), json_query(s, '$'), json_value(s) from unnest(['{"a":{"b":1},"a":{"b":2}}', '{"a":{"c":1},"b":2}', '{"a":{"b":NaN}}', '{"x":NaN,"a":{"b":1}}', '{"a":{"b":Infinity}}', 'NaN', '-inf', '{"a":{"b":"NaN"}}', '{"a":{"b":"\\ud800x"}}', '{"a":{"b":"\\uD83D\\uDE00"}}', '{"a":{"b":"😀"}}', '{"a" : {"b" : "x y"}}', '{"a":{"b":-0}}', '{"a":{"b":0}}', '{"a":{"b":-0.0}}', '{"a":{"b":1E5}}', '{"a":{"b":123456789012345678901234567890}}', '{"a":{"b":"\t"}}', '1', '"x"', 'true', 'null', '1.0', '  [1, 2]  ', '{"a":{"b":[]}}', 'GET | 200 | x', '-', '{', '"', "'", '{"a":{"b":\'x"y\'}}', '/*c*/{"a":1}', '{"a":{"b":"a\\/b"}}', '{"a":{"b":"\\u0041\\u00e9\\u20ac"}}', '{"a":{"b":"\\q\\0"}}', '{"a":{"b":1,}}', '[{"a":1},]']) s

select json_value(s, '$[0]'), json_value(s, '$[1].x'), json_query(s, '$[1]'), json_value(s, '$.1'), json_extract_scalar(s, '$.x'), json_extract(s, "$['x y']") from unnest(['[1,{"x":2}]', '{"0":1,"1":{"x":3}}', '[]', '[[5]]', '{"x":"y"}', '{"x y":[1.0]}', '[,1]', '["a\\"b"]']) s

select json_value(s, '$.a'), json_query(s, '$.b') from (select '{"a":' || a || ',"b":{"x":' || b || '}}' s from nums)

select id, json_value(event_message, '$.a.b'), json_value(event_message, '$.d[0]'), json_query(event_message, '$.a'), json_value(event_message, '$.e') from edge_logs

select to_json(t) from nums t

select to_json_string(t), to_json_string(t, true) from kinds t where id < 10

select to_json(struct(d, dt, tm, bytes, word, words)) from kinds where id < 20

select json_object('id', id, 'ts', ts, 'x', x, 'nested', struct(a, b)), json_array(a, x, s, ts, arr) from nums where id < 20

select json_array(), json_object(), json_array(null), json_array([1, null]), json_object('a', cast(null as string)), json_object('a', parse_json('{"z":1,"b":2}')), to_json(parse_json('{"z":1,"b":2}'))

select to_json(cast(null as int64)), to_json_string(cast(null as json)), to_json_string(parse_json('null')), to_json([cast(null as string)]), to_json(cast('inf' as float64)), to_json('a"b\n\u2028'), to_json(true)

select json_value(parse_json('{"a":1.50,"b":"x","c":1e3,"d":12345678901234567890,"e":true}'), '$.a'), json_value(parse_json('{"c":1e3}'), '$.c'), json_value(parse_json('{"e":true}'), '$.e'), json_query(parse_json('{"a":{"z":1,"y":2.50}}'), '$.a')

select parse_json(concat(repeat('[', 100), repeat(']', 100)))

select json_value(concat(repeat('{"a":', 990), '1', repeat('}', 990)), '$.a') is null, json_value(concat(repeat('[', 1002), repeat(']', 1002)), '$[0]') is null

select string(parse_json('"a"')), int64(parse_json('1')), float64(parse_json('1.5')), bool(parse_json('true')), int64(parse_json('1.0')), float64(parse_json('1'))

select w, json_query(w, '$') q, json_value(w, '$') v, json_value(w, '$.a') a, json_query(w, '$.a') qa, json_extract(w, '$') e, json_query_array(w) qr from unnest(['10.0.0.1 - - x', '10.0.0.1', '1.2.3', '1.2 x', '1 2', '10.0 ', '12x', '1e5', '1e', '1.', '-1.2.3', '2026-11-20T01:02:03Z', '200 OK', '0123', '007', '0x1F', '1,2', '1]', '1}', '{"a":1.2.3}', '{"a":1.0.0.1}', '{"a":1 2}', '{"a":1} x', '[1] x', '[1.2.3]', '[1,2', '"a" b', '"a"b', 'true x', 'truex', 'nullx', '.5', '+1', '1.5.', '1.5.x', '1..2', '12.34.56.78:80', '5 xacts/s', '123.456 ms', 'abc', '1-2', '1.5-2', '1e5.3', '1.0e5e3']) w

select v, format('%t %T', v, v), to_json_string(to_json(v)), json_array(v), to_json_string([v]) from unnest([cast('-0' as float64), 0.0]) v

select to_json_string(json_strip_nulls(parse_json(x))), to_json_string(json_strip_nulls(parse_json(x), include_arrays => false)), to_json_string(json_strip_nulls(parse_json(x), remove_empty => true)) from unnest(['[1,[2,[3,null],[]],null,{"a":[null,[4]]}]', '[[]]', '[[null]]', '{"a":[[],{}]}']) x

select to_json_string(struct(v as AbC, [v, 'x'] as l, n as n, cast(null as string) as z, struct(n as Q) as s, cast(null as array<string>) as e, v = 'a' as b)) a, to_json_string([v, null]) b, to_json_string([n, null, 9007199254740992, 9007199254740993, -9007199254740993, 1]) c, to_json_string(to_json([n])) d, to_json_string(to_json(struct(n as n), stringify_wide_numbers => true)) e, json_object('a', [v], 'b', struct(n as n)) f from unnest([struct('a' as v, 1 as n), ('\u0001\b\v\f\r\u001f\u001a\u007f\u2028\u2029é😀"\\ \\u000B / 12345678901234567', 9223372036854775807), (null, -9223372036854775808), ('', null)])

select to_json_string(struct(1 as a, 2 as A)) a, to_json_string(struct(1, 'x')) b, to_json_string(struct('a' as `a b`, 1 as `é`)) c, to_json_string(cast(null as struct<a string>)) d, to_json_string(cast([] as array<struct<a int64>>)) e, to_json_string(array<struct<A int64>>[null, struct(1)]) f, to_json_string(struct(struct<B string>(null) as A)) g

select id, to_json_string(metadata), to_json(metadata) from edge_logs

select to_json_string(t), to_json_string(t.metadata) from function_logs t

select id, to_json_string(r), to_json_string(rs), to_json(rs) from records

select json_query(j, '$.a'), json_query(j, '$.b'), json_query(j, '$') from unnest(['{"a": 1.50, "b": "1.5"}', '{"a": "x 1e5", "b": [1, 2.0]}', '{"a": null, "b": "null"}', '{"a": "\\u0041", "b": {"c": [ 1e3 ]}}', '{"a":"3e-f","b":-0.0}', '1.0', ' 12e1', '[1.0]', 'null', '"null"', null]) j

select json_query('{"a":1}', @nothing), json_value('5', @nothing), json_query_array('[1]', @nothing), json_value_array('["1"]', @nothing), json_extract('2', @nothing), json_extract_scalar('1', @nothing), json_extract_array('[1]', @nothing), json_extract_string_array('[1]', @nothing)

select json_query(json '{"a":1}', null), json_value(json '5', null), json_query_array(json '[1]', @nothing), json_value_array(json '["1"]', null), json_extract(json '2', null), json_extract_scalar(json '1', @nothing), json_extract_array(json '[1]', null)

select parse_json('1', wide_number_mode => null), float64(json '1', wide_number_mode => @nothing), to_json(1, stringify_wide_numbers => null), to_json_string([1], null)
