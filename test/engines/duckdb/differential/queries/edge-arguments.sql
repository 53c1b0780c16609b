select s, lower(s), concat(s, 'x'), to_code_points(s), regexp_extract(s, '(?s)^.'), strpos(s, 'b') from unnest(['\ufeffbom', '\ufeff', 'a\ufeff', '']) as s

select cast(y as string), safe_convert_bytes_to_string(y) from unnest([b'\xef\xbb\xbfa', b'\xef\xbb\xbf']) as y

select instr(s, '\ufeff', 1, 1), translate(s, 'b', '\ufeff'), struct(s as s), [s] from unnest(['\ufeffbom', 'bom']) as s

select json_query(j, '$'), json_value(j, '$.a') from unnest(['\ufeff{"a":1}', '{"a":"\ufeffx"}']) as j

select from_base64(s), safe.from_base64(s) from unnest([null, '', 'YQ', 'YQ==', 'YWI', 'YWJj', ' YW\nJj ', 'eyJzdWIiOiIxIn0']) as s

select s, safe.from_base64(s) from unnest(['Y', 'YQ=', '=', 'Y-', 'YWJjZ']) as s

select repeat(s, n), replace(s, '', t), left(s, n), lpad(s, n, t) from unnest(['', 'a', null]) as s, unnest([1, null]) as n, unnest(['x', null]) as t

select left(s, n), right(s, n), lpad(s, n), rpad(s, n), repeat(s, n), substr(s, n, n), substr('abc', cast(s as int64), n), cast(s as int64) << n, cast(s as int64) >> n from unnest([cast(null as string)]) as s, unnest([-1, null]) as n

select a[offset(i)], a[ordinal(i)] from unnest([struct(cast(null as array<int64>) as a, -1 as i), ([1], null)])

select array_to_string(words, word), array_to_string(words, word, '-'), array_to_string(words, ',', word), array_to_string(words, '\ufeff') from kinds

select d + n, d - n, n + d from unnest([date '2024-02-29', null]) as d, unnest([1, -1, 0, null]) as n

select d + n from unnest([cast(null as date)]) as d, unnest([9223372036854775807, -9223372036854775808]) as n

select acos(x), asin(x), atanh(x) from unnest([cast('inf' as float64), cast('-inf' as float64), cast('nan' as float64), null]) as x

select ln(x), log10(x), acosh(x), log(x) from unnest([cast('-inf' as float64), cast('nan' as float64), 2, null]) as x

select log(x, y) from unnest([cast('-inf' as float64), cast('inf' as float64), cast('nan' as float64), null]) as x, unnest([-1.0, 0, 0.5, 2, cast('inf' as float64), cast('-inf' as float64), null]) as y

select format_timestamp('%s', t) from unnest([timestamp '9999-12-31 23:59:59.999999', timestamp '1969-12-31 23:59:59.5', timestamp '0001-01-01']) as t

select format('%T', j), format('%T', [j]) from unnest([json '1', json '"a"', json 'null', json '{"a":"it\'s"}']) as j

select range_bucket(null, [1]), range_bucket(1, cast(null as array<int64>)), range_bucket(5, cast([] as array<int64>)), range_bucket('b', ['a', 'b'])

select timestamp(d), datetime(d), timestamp(date '2024-01-01'), datetime(date '2024-01-01') from kinds

select octet_length(s), regexp_instr(s, '[a-c]'), regexp_instr(s, 'a', 2) from nums

select [1,2][safe_ordinal(v)], [1][safe_offset(v)] from unnest([0, 1, 2, 3, null, -9223372036854775808, 9223372036854775807]) v

select safe_cast(x as int64) from unnest([-9223372036854775808.0, 9223372036854775807.0, 9223372036854774784.0, -9223372036854777856.0]) x

select v, count(*) over (order by v range between 1 preceding and 2 following), count(*) over (order by v desc range between 9223372036854775807 preceding and 2 following), count(*) over (order by v range between unbounded preceding and 1 following) from unnest([0, 1, 3, -1, 9223372036854775807, -9223372036854775807, null]) v

select c, initcap(concat('a', code_points_to_string([c]), 'b')), initcap(concat(code_points_to_string([c]), 'b')) from unnest(array_concat(generate_array(1, 500), [0x1680, 0x1e9e, 0x2000, 0x2009, 0x2028, 0x202f, 0x3000])) c

select initcap('ΟΔΥΣΣΕΥΣ aΣ'), initcap(r'back\slash'), initcap('İI ı xİ')
