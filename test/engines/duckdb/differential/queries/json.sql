select to_json_string(struct(a, s, x, flag, ts, arr)) from nums

select to_json_string(m) from edge_logs, unnest(metadata) m

select json_value(event_message, '$.a.b'), json_value(event_message, '$.a'), json_query(event_message, '$.a'), json_query(event_message, '$.d[1]'), json_value(event_message, '$.e'), json_extract_scalar(event_message, '$.a.c'), json_extract(event_message, '$.d'), json_value_array(event_message, '$.d'), json_query_array(event_message, '$.d') from edge_logs

select json_value(parse_json('{"a":{"b":[1,"x"]}}').a.b[1]), json_value('{"a-b":15}', '$."a-b"'), json_query('{"a":{"b" : 1}}', '$.a')

select to_json_string([1,2]), to_json_string('a"b\n\\é/<'), to_json_string(null), to_json_string(1.0), to_json_string(date '2024-01-01'), to_json_string(['a', null]), to_json_string(struct('x' as `a b`))

select json_value('{"a":true}', '$.a'), json_value('"str"', '$'), json_value('{"a":{}}', '$.a'), json_value('{"a":"\\u00e9"}', '$.a'), json_value('[1,2]', '$[1]'), json_value('{"a":1}', '$.b'), json_value('{bad', '$.a'), json_value(null, '$.a'), json_value('{"a":1, "a":2}', '$.a'), json_query('{"a":"x"}', '$.a'), json_query('{"a":null}', '$.a'), json_value('{"a":12345678901234567890}', '$.a')

select json_extract_scalar('{"a":1}', '$.a'), json_extract('{"a":{"b":null}}', '$.a'), json_extract('{"a":null}', '$.a'), json_extract_scalar('{"a":[1]}', '$.a')

select parse_json('{"a":1}').a, parse_json('{"a":null}').a, parse_json('{"a":null}').b, parse_json('[1,2]')[1], parse_json('{"a":1}')['a'], parse_json('1'), safe.parse_json('x')

select to_json_string(words), to_json_string(d), to_json_string(dt), to_json_string(word), to_json_string(struct(id as i, word as w)), to_json_string(timestamp(dt)) from kinds

select to_json_string(tm) from kinds

select to_json_string(x), to_json_string(y), to_json_string(9007199254740993), to_json_string(-9007199254740992), to_json_string(true), to_json_string(''), to_json_string('\u0001\u001f\u007f\u2028<>&\'/'), to_json_string(cast(null as string)), to_json_string([1, null]), to_json_string(struct(1, 'x')), to_json_string(1.0), to_json_string(1e100), to_json_string(0.1) from nums

select json_set(json '{}', '$[1000000000]', 1), length(to_json_string(json_set(json '[]', '$[99999]', 1))), json_set(json '[[1]]', '$[0][3]', 2), json_array_insert(json '[1]', '$[3]', 2), json_set(json '{}', '$.a[2].b[1]', true)

select to_json_string(json_object(cast([] as array<string>), cast([] as array<int64>)))
