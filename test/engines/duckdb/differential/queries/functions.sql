select to_json_string('\u001b[1mGröße "☃" 😀\n\\\u2029\u001a'), to_json(struct('é\u000b' as a)), to_json_string('\u000b\u000e\u0001\u001f\u007f\u2028<>&\'/\\u001f'), to_json_string(tm), to_json_string(word) from kinds

select to_json_string(x), to_json_string(y), to_json_string(9007199254740993), to_json_string(-9007199254740992), to_json_string(true), to_json_string(''), to_json_string(cast(null as string)), to_json_string([1, null]), to_json_string(struct(1, 'x')), to_json_string(1.0), to_json_string(1e100), to_json_string(0.1) from nums

select array_to_string(words, ','), array_to_string(words, ',', '-'), array_to_string(words, null), array_to_string([], ','), array_to_string(words, ',', null) from kinds

select array_concat(words, ['x']), array_concat(words, cast(null as array<string>)), array_reverse(words), words || ['z'] from kinds

select json_value(j), json_query(j, '$'), json_value(j, '$.a'), json_query(j, '$.b'), json_query(j, '$.b[2].c'), json_value(j, '$.b[2].c'), json_value(j, '$[0]'), json_query_array(j, '$.b'), j.a, j['b'], j[1] from kinds

select json_value(j.b[0]), to_json_string(j) from kinds

select json_value('{"a.b":1}', '$."a.b"'), json_query('[1,[2,3]]', '$[1][0]'), json_value('{"A":1}', '$.a'), json_value('{"a":"\\u00e9\\n\\"q\\""}', '$.a'), json_query('{"a":"\\u00e9"}', '$.a'), json_query(' {"a" : [ 1 , 2 ] } ', '$'), json_value('"x"'), json_value('{"a":false}', '$.a'), json_value('{"a":12345678901234567890123}', '$.a'), json_value('{"a":""}', '$.a'), json_value('nan', '$'), json_value('{"a":Infinity}', '$.a')

select json_extract_scalar('{"a b":1}', "$['a b']"), json_extract('{"a b":[1]}', "$['a b'][0]"), json_extract_array('{"a":[1,null]}', '$.a'), json_extract_string_array('["a",1]')

select json_value('{"a":1}', '$.a.b'), json_value('[1]', '$.a'), json_value('{"a":[1]}', '$.a[5]'), json_value('', '$'), json_value('1', '$')

select parse_json('{"a":1}').a, parse_json('{"a":null}').a, parse_json('{"a":null}').b, parse_json('[1,2]')[1], parse_json('{"a":1}')['a'], parse_json('1'), safe.parse_json('x')

select t, count(*), logical_or(flag), bit_and(a) from nums group by t having logical_or(cast(null as bool)) is null

select sum(cast(null as int64)), avg(cast(null as float64)), count(null), max(cast(null as string)), string_agg(cast(null as string)), array_agg(cast(null as int64) ignore nulls) from nums

select percentile_cont(y, 0.5) over (), percentile_disc(y, 0.5) over (partition by t) from nums

select stddev(y), variance(y), var_pop(y), covar_samp(y, a) from nums

select parse_timestamp('%Y-%m-%d %H:%M:%S', '2024-01-02 03:04:05'), parse_timestamp('%Y-%m-%d', '2024-1-2'), parse_timestamp('%Y-%m-%dT%H:%M:%E*SZ', '2024-01-02T03:04:05.123Z'), parse_timestamp('%Y-%m-%dT%H:%M:%E*S', '2024-01-02T03:04:05'), parse_timestamp('%F %T', '2024-01-02 03:04:05', 'America/New_York'), parse_timestamp('%d/%b/%Y:%H:%M:%S %z', '10/Oct/2000:13:55:36 -0700'), parse_date('%b %d, %Y', 'Jan 05, 2024'), parse_datetime('%Y%m%d%H%M%S', '20240102030405'), parse_date('%y-%j', '24-060')

select parse_timestamp('%Y-%m-%d', ' 2024-01-02 '), parse_timestamp('%Y-%m-%d %H', '2024-01-02   03')

select parse_timestamp('%Y-%m-%d %I:%M %p', '2024-01-02 03:04 PM'), parse_timestamp('%Y-%m-%d %B', '2024-01-02 March')

select parse_timestamp('%y', '70'), parse_timestamp('%y', '68'), parse_timestamp('%y', '69')

select net.host('http://a.b:80/c'), net.host('//x'), net.host('https://user:pw@h.example/x'), net.host('http://[::1]:80/')

select regexp_contains(s, 'a.c'), regexp_contains('a\nc', 'a.c'), regexp_contains('ABC', '(?i)b'), regexp_extract('key=val', 'key=(\\w+)'), regexp_extract('x', '(a)|x'), regexp_extract('', '(a*)'), regexp_extract_all('a1b2', '([a-z])\\d'), regexp_replace('abc', '(b)', '[\\1\\0]'), regexp_replace('aXb', 'x', ''), regexp_replace('abc', '', '-') from nums

select regexp_contains(s, t) from nums

select regexp_replace(s, '[aeiou]', '*'), regexp_extract(word, '[a-z]+$'), regexp_contains(word, '^\\w+$'), regexp_extract_all(word, '\\w') from nums join kinds using (id)

select a + b * 2 - a / 3.0 + y * x - y + x * y / 2.0 + y + y + y + y + y + y from nums where not is_nan(x)

select upper(lower(upper(lower(upper(lower(upper(lower(upper(lower(upper(lower(s)))))))))))) from nums

select lpad(rpad(lpad(rpad(lpad(rpad(lpad(rpad(s, 5), 6), 7), 8), 9), 10), 11), 12) from nums

select safe_cast(cast(safe_cast(cast(safe_cast(cast(safe_cast(s as float64) as string) as float64) as string) as float64) as string) as float64) from nums

select length(generate_uuid()), rand() < 1

select current_datetime(), current_time(), current_timestamp(), current_date(), current_datetime('Asia/Tokyo'), current_time('+02:00')
