select instr('abcabc','c',-2), instr('abcabc','bc',-3), instr('aaa','a',-2,2), instr('aaa','aa',-1), instr('aaa','aa',-2), instr('aaa','',-2), instr('aé😀aé','é',-1,2), instr(b'\xff\xfe\xff', b'\xff', -1, 2)

select to_code_points('aé😀'), to_code_points(b'a\xff')

select farm_fingerprint(x), farm_fingerprint(cast(x as bytes)) from unnest(['', 'a', 'ab', 'abc', 'abcd', 'abcdefg', 'abcdefgh', 'abcdefghijklmnop', 'abcdefghijklmnopq', 'abcdefghijklmnopqrstuvwxyz012345', 'abcdefghijklmnopqrstuvwxyz0123456', repeat('x', 63), repeat('y', 64), repeat('z', 65), repeat('ab', 64), repeat('abc', 100), repeat('é日本', 77)]) x

select to_hex(sha512(s)), to_hex(sha512(cast(s as bytes))) from nums

select normalize(x), normalize(x, NFC), normalize(x, NFD), normalize(x, NFKC), normalize(x, NFKD), normalize_and_casefold(x), normalize_and_casefold(x, NFKC), normalize_and_casefold(x, NFD) from unnest(['é', 'e\u0301', 'ﬁ', 'ß', 'ẞ', 'İ', 'ı', 'Σς', 'ǅ', 'ᾳ', 'ŉ', 'Å', 'Ⅷ', '½', '가', 'K', 'ſ', 'ﬀ', 'Ꭰ', 'ꭰ', '\u0345', '①', 'ϒ', 'Ω', '\u1e9e', 'ᾼ', 'ᏸ']) x

select net.ip_to_string(net.ip_from_string(x)), net.safe_ip_from_string(x) from unnest(['::', '::1', '1::', '2001:db8::8:800:200c:417a', '1:2:3:4:5:6:7:8', '1:0:0:4:0:0:0:8', '0:0:1::', '::ffff:1.2.3.4', '::1.2.3.4', '1:2::5:6', '::ffff:0:0', '0:1:0:1:0:1:0:1', '255.255.255.255', 'FE80::ABCD', '64:ff9b::1.2.3.4', '::0.0.0.1', '::1:2']) x

select x, net.safe_ip_from_string(x) from unnest(['', '1.2.3', '01.2.3.4', '1.2.3.4 ', ' 1.2.3.4', '1.2.3.256', '::g', '1::2::3', '1:2:3:4:5:6:7', '::1%eth0', '[::1]', '1.2.3.4/24', '0x1.2.3.4', '1.2.3.4.5', ':::', '00001::', '1.2.3.04', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8']) x

select net.ip_net_mask(4, 24), net.ip_net_mask(16, 33), net.ip_net_mask(4, 0), net.ip_net_mask(4, 32), net.ip_trunc(b'\x01\x02\x03\x04', 23), net.ip_trunc(net.ip_from_string('2001:db8:ffff::1'), 40), net.ipv4_from_int64(0), net.ipv4_to_int64(b'\xff\xff\xff\xff'), safe.net.ip_from_string('x')

select split(b'a,b', b','), split(b'ab', b''), split(b'', b','), split(b'\xff\x00\xff', b'\x00')

select instr('aaaa','aa',-1,2), instr('aaaa','aa',1,2), instr('aaaa','',1,2), instr('abc','c',4), instr('abc','',4), instr('abc','',5), instr('','',1), instr('','',-1), instr('abc','',-4), instr('abc','a',-3), instr('abc','a',-4), instr('abcabc','bc',-1), instr('abcabc','bc',-2), instr('abcabc','c',-1,2),instr('abc','',-3)

select initcap('éa', ' '), initcap('ßa ßb',' '), initcap('ǆa', ' '), initcap('AΣ AΣ', ' '), initcap('ﬁx', ' '), initcap('iI İI', ' '), initcap('😀a','😀')

select soundex('robert'), soundex('Tymczak'), soundex('Pfister'), soundex('Honeyman'), soundex('a b'), soundex('éa'), soundex('-ab'), soundex('hw'), soundex('aabbccddll'), soundex('bw b'), soundex('b1b'), soundex('bbb'), soundex('Bhb'), soundex('é'), soundex('a1b')

select to_hex(cast(safe_convert_bytes_to_string(b'\xe2\x82') as bytes)), to_hex(cast(safe_convert_bytes_to_string(b'\xe2\x82\x28\xf0\x90\x28') as bytes))

select normalize('x', NFD)

select ascii('a'), chr(65), unicode('é'), code_points_to_string([65, 233, 128512]), code_points_to_bytes([65,255])

select instr('banana','an',1,2), instr('banana','an',-1), instr('banana','an',-1,2), instr('banana','a',-3,1)

select soundex('Ashcraft'), soundex(''), soundex('123')

select translate('abc','ab','x'), translate('abcd','abc','xyz')

select normalize('e\u0301'), normalize('ﬁ', NFKC), normalize_and_casefold('ǅ'), normalize_and_casefold('ß', NFKD)

select split(b'a,b', b','), split(b'ab', b'')

select safe_convert_bytes_to_string(b'a\xffb')

select regexp_contains(b'abc', b'b'), regexp_extract(b'abc', b'(b)'), regexp_replace(b'abc', b'b', b'x'), regexp_extract_all(b'abab', b'a')

select lpad(b'a', 3, b'x'), rpad(b'a', 3), left(b'abc', 2), right(b'abc',2), substr(b'abc', 2), reverse(b'abc'), repeat(b'a',2), trim(b'xax', b'x'), ltrim(b'xa', b'x'), rtrim(b'ax',b'x'), replace(b'abc', b'b', b'x'), strpos(b'abc', b'c'), starts_with(b'abc', b'a'), ends_with(b'abc', b'c'), instr(b'abc', b'c'), upper(b'aé'), lower(b'A'), translate(b'abc',b'a',b'b'), ascii('x')

select b'abc' like b'a%', b'abc' like any (b'a%', b'x')

select sha512('a'), farm_fingerprint('foo'), farm_fingerprint(b'')

select initcap('a-b c', '-'), initcap('hello_world foo', '_')

select acos(0.5), acosh(2), asin(0.5), asinh(1), atan(1), atan2(1,2), atanh(0.5), cosh(1), sinh(1), tanh(1), cot(1), coth(1), csc(1), csch(1), sec(1), sech(1), cbrt(27)

select range_bucket(20, [0,10,20,30])

select bit_count(5), bit_count(-1), bit_count(b'\xff\x01')

select b'\x0f' & b'\xf1', b'\x0f' | b'\xf0', b'\x0f' ^ b'\xff', ~b'\x0f', b'\x01' << 4, b'\x80' >> 7

select net.ip_from_string('1.2.3.4'), net.safe_ip_from_string('x'), net.ip_to_string(b'\x01\x02\x03\x04'), net.ip_net_mask(4, 24), net.ip_trunc(b'\x01\x02\x03\x04', 16), net.ipv4_from_int64(16909060), net.ipv4_to_int64(b'\x01\x02\x03\x04')

select if(true, 1, error('x'))

select format('%T', [1,2]), format('%t', struct(1,'a')), format('%p', parse_json('1'))

select round(numeric '2.5', 0, 'ROUND_HALF_EVEN'), round(2.5, 0)

select numeric '1' / 3, avg(n) from kinds

select bignumeric '1' + 1, bignumeric '2' > bignumeric '1'

select parse_numeric('1.5'), parse_bignumeric('1.5')

select nullif(1,1), zeroifnull(null), nullifzero(0)

select nullifzero(0)

select string(parse_json('"x"')), string(date '2024-01-01'), string(timestamp '2024-01-01')

select typeof(1)

select to_code_points(''), length(b'abc'), octet_length(b'abc'), char_length('abc'), character_length('é'), byte_length(b'abc')

select parse_numeric('  1.5 - ')

select substring('abc' , 2), substring('abc', 2, 1)

select floor(numeric '-1.5'), ceiling(numeric '1.2'), trunc(numeric '-1.9')

select to_json_string(numeric '1.5'), bool(parse_json('true')), int64(parse_json('1')), float64(parse_json('1.5'))

select 'a' || 'b', 'a' < 'B', 'é' > 'z', b'\xff' > b'a'

select 'ab' not like 'a_', 'ab' like all ('a%', '%b'), 'ab' like some ('x', 'ab'), 'ab' like any unnest(['a%','b']), 'ab' not like any ('x','y'), 'ab' not like some ('ab', 'a_')

select s like any unnest([s, null]) from nums

select instr('aa','a',-5), instr('aXa','a',-9,1), instr('', ''), instr('abc','',2), instr('abc','',-1), instr('abc','',1,3), instr('abc','',9), instr('aaa','aa',1,2), instr('aaa','aa',-1,2)

select code_points_to_bytes([1, null]), code_points_to_string([65,null]), code_points_to_string([])

select unicode(''), unicode(null), chr(0), chr(1114111)

select initcap('a', null), initcap('aXbxc', 'x'), initcap('abc', '')

select bit_count(null)

select b'\x01\x80' << 1, b'\x01\x80' >> 1, b'\x01' << 100, b'\x01' >> 8

select net.ip_from_string('::1'), net.ip_from_string('1.2.3.4'), net.ip_from_string('::ffff:1.2.3.4')

select net.ip_to_string(b'\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x01\x02\x03\x04'), net.ip_to_string(net.ip_from_string('2001:db8::1'))

select net.ipv4_from_int64(-1), net.ipv4_from_int64(4294967295), net.ipv4_from_int64(-2147483648)

select cast('1e500' as float64)

select regexp_replace('baac', 'a*', '-'), regexp_replace('日本', '', '-')

select format('%*d', 5, 3)

select ascii(b'\xff'), ascii(b''), ascii(b'a')

select format('%f %+f % f %5.1f', n, n, n, n) from unnest([cast('nan' as float64), -0.0, -0.001]) n

select to_base32(b'abc'), from_base32('MFRGG===')

select cast(s as string(50)), cast(numeric '1.235' + 0 as numeric(5,2)), cast('12.345' as numeric(10,1)), cast(12.5 as numeric(5)), cast(b'a' || b'b' as bytes(2)), cast('é' as string(1)), cast(bignumeric '1.55' + 0 as bignumeric(10,1)), cast(5 as string(3)) from nums where length(s) < 9

select cast(b'abc' as string format 'hex'), cast('616263' as bytes format 'HEX'), cast(b'abc\xff' as string format 'BASE64'), cast('00ff' as bytes format 'hex'), cast('YQ==' as bytes format 'base64'), cast(b'abc' as string format 'utf-8'), cast('é' as bytes format 'UTF-8'), cast(b'abc' as string format 'base16'), safe_cast('zz' as bytes format 'hex')

select id, from_base64(to_base64(cast(s as bytes))), from_hex(to_hex(cast(s as bytes))), safe.from_base64(s), from_base64(cast(null as string)) from nums

select w, safe.from_base64(w) from unnest(['YQ', 'YQ=', 'YQ==', 'YQ===', 'Y', 'Y===', 'YW', 'YWI', 'YWI=', 'YWI==', 'YWJj', 'YWJj=', 'YWJjZA', ' Y W\nI\t=\r\f\v', 'YWI.', 'YQ=.', 'YQ..', '=', '..', ' ', '', 'YWI-', 'YWI_', 'YW=I', 'YR==', 'YWJ', 'Y\u00a0Q', 'YQé', null, 'eyJhIjoxfQ']) w

select safe_convert_bytes_to_string(from_base64(split('eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiIsImV4cCI6MX0.c2ln', '.')[safe_offset(1)]))

select id, octet_length(s), octet_length(cast(s as bytes)), regexp_instr(s, r'[a-z]'), regexp_instr(s, '[0-9]', 2), regexp_instr(s, '[0-9a-c]', 1, 2), regexp_instr(s, '.', 1, 1, 1), regexp_instr(cast(s as bytes), b'[^a]') from nums

select length(string_agg(distinct x, b'-')) from unnest([b'a', b'b', b'a', null]) x

select string_agg(distinct x) from unnest([b'\xff', b'\xff']) x

select p, q, p like any (q, 'a%'), p like all (q, 'a%'), not p like any (q, 'a%') from unnest(['a', 'b', null]) p, unnest(['a', '%', null]) q

select p, p like any unnest(q), p like all unnest(q) from unnest(['a', 'b', null]) p, (select ['a'] q union all select ['a', null] union all select ['%', 'a']) where p is null or p <> ''

select b'a' like any unnest([b, b'%']), b'a' like all unnest([b, b'%']) from unnest([b'a', b'\xff', null]) b

select s not like any ('a%'), s not like all unnest(['a%']), s not like any unnest(['a%']), s like any unnest(cast([] as array<string>)), s like any (select 'a%'), s like all (select 'a%'), s not like any (select 'a%'), s not like all (select 'a%') from nums

select repeat(b, a), repeat(b, null), repeat(cast(null as bytes), a), lpad(b, 3, cast(@nothing as bytes)), length(cast(repeat(cast(@nothing as bytes), 30) as string format 'base64m')) from unnest([b'ab']) b, unnest([3]) a

select code_points_to_string([-1, null]), code_points_to_bytes([null, 256])
