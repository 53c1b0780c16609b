select * except(metadata) replace(upper(event_message) as event_message) from edge_logs order by id limit 30

select s, length(s), byte_length(s), upper(s), lower(s), reverse(s), trim(s), ltrim(s), rtrim(s), char_length(s) from nums

select s, substr(s, 2), substr(s, -2), substr(s, 0, 2), substr(s, 2, 2), substr(s, -10, 3), left(s, 2), right(s, 2), substr(s, 10) from nums

select s, split(s, ','), split(s, '.')[safe_offset(1)], split(s), replace(s, 'a', 'X'), strpos(s, 'b'), starts_with(s, 'a'), ends_with(s, 'c'), concat(s, '-', t), s || t from nums

select s like 'a%', s like 'a\\%b', s like 'a_b', s like '%', s not like '%b%' from nums

select lpad(s, 5), rpad(s, 5, '*'), lpad(s, 2), repeat(s, 2), initcap(s), instr(s, 'b'), ascii(t), to_hex(md5(s)), to_hex(sha256(s)), to_base64(cast(s as bytes)) from nums

select format('%d/%s', a, s), format('%05d', a), format('%.2f', y), format('%t', a), format('%10s|%-5s|', t, t), format("%'d", a * 1000000) from nums

select id, array_length(arr), arr[safe_offset(0)], array_reverse(arr), array_concat(arr, [1,2]), array_to_string(split(s, ','), '-'), 3 in unnest(arr), a in unnest(arr) from nums

select s like any ('a%', '%b'), s not like all ('a%') from nums

select id, lower(event_message) like '%error%' from edge_logs

select '%' like '\\%', 'a' like 'A', 'ab' like 'a__', 'a\nb' like 'a%b', '' like '', 'a\\b' like 'a\\\\b'

select n.id, u from nums n, unnest(array_concat(n.arr, [n.a])) u where u > 3

select concat('a', cast(null as string)), length('日本'), byte_length('日本'), reverse('añb'), upper('éß'), lower('ÀÉ'), trim('xxaxx', 'x'), ltrim('  a'), rtrim('a  '), lpad('日', 3, 'ab'), rpad('abc', 2), repeat('ab', 0), replace('aaa', 'a', ''), strpos('日本', '本'), substr('日本語', 2, 1), left('日本', 1), split('a--b', '--'), split('abc', ''), initcap('hello wORLD'), ends_with('abc', ''), instr('banana', 'an'), to_hex(b'\x00\xff'), from_base64('YQ=='), chr(8364), ascii('a')

select format('%s', 'a'), format('%5d|%-5d|%05d|%+d', 42, 42, 42, 42), format('%x %X %o', 255, 255, 8), format('%.3f %e %g', 3.14159, 12345.678, 0.0001), format('%%'), format('%t %t', true, 'x'), format('%s', cast(null as string)), format('%d', cast(null as int64)), format('%.1f%%', 12.345), format('%i', 3)

select safe_add(9223372036854775807, a), safe_subtract(-9223372036854775808, a), safe_multiply(4611686018427387904, b), safe_negate(a), safe_negate(-9223372036854775808) from nums

select safe_add(1e308, 1e308), safe_multiply(1e308, 10.0), safe_divide(a, b), safe_divide(y, x) from nums

select ceiling(y), power(y, 2), sin(y), cos(y), tan(y) from nums

select s || t, arr || [1], b'a' || b'b' from nums

select octet_length(s), substring(s, 2), regexp_substr(s, '[a-z]+') from nums

select sha1(s), from_hex('00ff'), to_hex(sha256(cast(s as bytes))), md5(bytes) from nums, kinds where nums.id = kinds.id

select current_datetime() > '2020-01-01', current_time() > '00:00:00', current_date('Asia/Tokyo') > '2020-01-01'

select extract(datetime from ts at time zone 'Asia/Tokyo'), extract(time from ts at time zone 'Asia/Tokyo'), extract(datetime from ts) from nums

select format_time('%H:%M:%E6S', tm), format_time('%T', tm), format_time('%R %p %I', tm) from kinds

select json_extract_array('[1,"a",null,{"b":2}]'), json_extract_string_array('[1,"a",true]'), json_value_array('[1,{"a":1}]'), json_value_array('[1,null]'), json_query_array('{"a":[1]}', '$.a')

select stddev(y), variance(y), var_pop(y), covar_pop(y, a), covar_samp(y, a), stddev_samp(y), stddev_pop(a) from nums where y is not null and a is not null

select stddev(y) from nums where id = 1

select repeat('ab', 3), repeat('', 5), repeat('x', 0)

select lpad(null, 3), lpad('a', null), rpad('日本', 5, 'ab'), lpad('abcdef', 3), rpad('abc', 0)

select replace('abc', '', 'x'), replace('aXbX', 'X', ''), replace(s, 'a', null) from nums

select strpos('abc', ''), strpos('', 'a'), instr('abc', ''), strpos('日本語', '語')

select split('a,b', ''), split('', ','), split('abc', 'abc'), split(null, ','), split('a', null), split('日本', '')

select starts_with('', ''), ends_with('a', ''), starts_with(null, 'a')

select substr('abc', 0), substr('abc', -1), substr('abc', -5), substr('abc', 4), substr('abc', 2, 0), substr('abc', -2, 1), substr('abc', -5, 3), substr('abc', 0, 2), substr('abc', 1, 100), substr('abc', 9223372036854775807), substr('abc', -9223372036854775807)

select left('abc', 0), left('abc', 10), right('abc', 2), right('abc', 0), left('abc', null)

select trim('  a\t\n\u2003 '), ltrim('xxa', 'x'), rtrim('axy', 'xy'), trim('abcba', 'ab'), trim('a', ''), trim(' \u200b a')

select reverse('e\u0301x'), reverse(''), reverse('a\nb')

select to_hex(b''), to_base64(b'abc'), from_base64('YWJj'), from_hex('aF'), from_hex('f')

select s like t from nums

select word like '%\\\\%', word like '%\'%' from kinds

select concat('a', 1), concat(b'a', b'b'), concat('a', null), concat('x', true, 1.5)

select format('%d', a), format('%5d|%-5d|%05d|%+d|% d', a, a, a, a, a), format('%i', b) from nums

select format('%f|%.2f|%e|%g|%.0f|%10.2f|%-10.2f|', y, y, y, y, y, y, y) from nums

select format('%f %g %e', x, x, x) from nums

select format('%x|%X|%o', a, a, a) from nums where a >= 0

select format('%x', -1)

select format("%'d %'d", 1234567, -1234567)

select format('%s|%5s|%-5s|%.2s', s, s, s, s) from nums

select format('%t|%t|%t|%t|%t|%T|%T', a, flag, s, date(ts), ts, a, flag) from nums

select format('%d %%', 5)

select 'axbycz' like '%a_b%c_', 'axb\nycz' like '%a_b%c_', 'a.b+c' like '%a_%._+_', 'a😀b😀c' like '%a_b%_c', 'A%b_c' like '%\\%_%\\_%c', 'é(x)[y]' like '%(_)%[_]', '' like '%_%_%', 'ab' like '%_%_', 'a\\b' like '%_%\\\\%_', b'\xffa\xfe' like b'%\xff_%_'

select s like concat(left(s, 0), '%a_%b%'), s like concat('%', left(s, 1), '_%', right(s, 1)), s like concat('%', t, '%_%'), concat(s, '%x\\') like concat(s, '%_%\\\\'), s like concat('%\\', left(s, 1), '%', right(s, 1), '%') from nums

select word like concat('%', substr(word, 2, 1), '%', substr(word, 3), '%'), word like concat('%_%', word, '%'), word like concat('%', repeat('_', 1001), '%') from kinds

select regexp_contains('axbycz', r'(?s)a.b.*c.'), regexp_contains('a\nbyc', r'(?s)^a.b.*c$'), regexp_extract('xaxbyczx', r'(?s)a.b.*c.'), regexp_extract('axxb', r'(?s).*'), regexp_contains('a\nb', r'a.b'), regexp_contains('a\nb', r'(?s:a.b)')

select replace('abcabc', 'b', 'xyz'), replace('abc', '', 'x'), replace('abc', '', cast(null as string)), replace(cast(null as string), 'a', 'bb'), replace('äöä', 'ä', 'ae'), replace(b'\xff\xfe', b'\xff', b'ab'), replace(s, t, concat(t, t)), replace(s, left(s, 1), ''), replace(s, 'a', 'b'), regexp_replace(s, '[ab]', '<\\0>'), regexp_replace(s, '', '-'), regexp_replace(s, 'a', t) from nums

select length(replace(repeat('ab', 1000), 'a', repeat('x', 1000))), length(regexp_replace(repeat('ab', 1000), '(a)', repeat('\\1', 500))), length(replace(repeat('ab', 500000), 'b', 'a'))

select initcap(x, 'a'), initcap(x, ''), initcap(x) from unnest(['aİSTANBULaİ', 'AİİaΣΣ', 'ßAßaß']) x

select v, v like 'a%', v like '%a', v like '%a%', v like 'a', v like '', v like '%', v like '%%', v like '%%a%%', v like 'é%', v like '%é', v like r'\%%', v like r'%\_', v like r'%\\%', v like r'\a\%', v like r'%\é%', v like '%\n', v not like 'a%'
  from unnest(['a', 'ab', 'ba', 'bab', 'a\n', '\na', '%', '_', 'a%', 'x_', 'é', 'xé', 'éx', 'e\u0301', '\\', 'a\\', '\n', '😀', '', null]) v

select v, v like b'\xff%', v like b'%\xff', v like rb'%\%%', v like b'%\x00%' from unnest([b'\xff', b'a\xff', b'\xffa', b'%', b'\x00', b'', null]) v

select concat(s, '-', t, s, t, '+', s, t, s, t, s), s || t || s || '|' || t || s || t || s || t || s || t || s || t, concat(concat(s, t), concat(concat(upper(s), lower(t)), s || cast(a as string)), 'x', t, s, format('%s', s), s, t, s) from nums

select concat(s, s, s, s, s, s, s, s, cast(null as string), s, s), concat(if(a > 1, s, null), t, s, t, s, t, s, t, s, t), concat(b'a', b'b', b'c', b'd', b'e', b'f', b'g', b'h', b'i', cast(s as bytes)) from nums

select to_json_string(struct(a, s, t, x as y, [s, t] as list, struct(s as s, cast(null as string) as n) as r)), to_json_string(json_array(s, t, a, null, [a], struct(s as k))), to_json_string(json_object('a', s, 'b', null, 'c', json_array(), 'd', t)), format('%t %T', (s, a, null, t), (s, a, null, t)), to_json_string(json_object()), to_json_string(json_object(['a', 'b'], [s, t])) from nums

select initcap(s) from unnest(['hello wORLD', '/rest/v1/oBJECTS?select=A', '', null, 'éCOLE ÖL', 'straße ß', 'a_b-c.D', 'x1y 2Z', 'ΑΣ ΑΣ']) s
