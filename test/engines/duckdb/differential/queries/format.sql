select regexp_extract(b'a\xffb', b'a(.)b'), regexp_extract(b'a\xc3\xa9b', b'a(.)b'), regexp_replace(b'\xff', b'\xff', b'x'), regexp_contains(b'\xe9', b'(?i)\xc9'), regexp_contains(b'\xe9', rb'\xe9'), regexp_contains(b'\xe9', rb'\w'), regexp_contains(b'\xe9', rb'\pL')

select upper(b'\xe9a'), lower(b'\xc9A'), initcap('x')

select concat(b'a', b'\xff'), b'a' like b'_', b'\xff' like b'_', b'\xff' like b'%\xff', b'%' like b'\\%'

select to_base64(b'\xff\xfe'), to_hex(b'\xab'), from_hex('ABC'), from_hex('')

select md5(b'a'), sha1(b'a'), sha256(b'a'), md5(null)

select ascii(b'a')

select format('%t|%T', b'a\xff\'"', b'a\xff\'"\n')

select format('%T', "a'b\"\n\t\u0001é😀\\"), format('%T', "it's"), format('%T', 'a"b'), format('%t', 'a"b')

select format('%t|%T', 1.0, 1.0), format('%t|%T', 1e20, 1e20), format('%t|%T', 0.1, cast('nan' as float64)), format('%T', cast('-inf' as float64)), format('%T %t', true, false), format('%t|%T', date '2024-01-01', date '2024-01-01'), format('%t|%T', datetime '2024-01-01 01:02:03.5', datetime '2024-01-01 01:02:03.5'), format('%t|%T', time '01:02:03', time '01:02:03.25'), format('%t|%T', timestamp '2024-01-01', timestamp '2024-01-01 00:00:00.123'), format('%t|%T', numeric '1.5', numeric '1.5'), format('%t|%T', bignumeric '1.5', bignumeric '1.5'), format('%t|%T', interval 1 day, interval 1 day), format('%t|%T', parse_json('{"a":1}'), parse_json('{"a":1}'))

select format('%t|%T', [1,2], [1,2]), format('%t|%T', ['a',null], ['a',null]), format('%t|%T', struct(1 as a,'x' as b), struct(1 as a,'x' as b)), format('%t|%T', struct(1), struct(1)), format('%t|%T', [struct(1,'a')], [struct(1,'a')]), format('%t|%T', cast([] as array<int64>), cast([] as array<int64>)), format('%t|%T', [date '2024-01-01'], [date '2024-01-01']), format('%t|%T', [1.0], [1.5]), format('%t', cast(null as array<int64>)), format('%T', cast(null as int64)), format('%t|%T', [b'a'], [b'a']), format('%T', [numeric '1']), format('%T', struct(date '2024-01-01', timestamp '2024-01-01'))

select format('%5t|%-5T|', 1, 'a'), format('%.2t', 'abc'), format('%10T', [1,2]), format('%.3T', 'abcdef'), format('%5s|%-5s|%05s|%.0s|%5.1s|', 'ab', 'ab','ab','ab','ab'), format('%5s', 'é'), format('%.1s', 'éa')

select format('%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%+05d|%#d|% 05d|%-05d', 42,42,42,42,42,42,42,42,42,42,42,42,42)

select format('%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%.0d|%.0d', -42,-42,-42,-42,-42,-42,-42,-42, 0, 5)

select format("%'d|%'15d|%'-15d|%'015d|%'+d|%'.10d|%'d", 1234567, 1234567, 1234567, 1234567, 1234567, 1234567, -123), format("%'x|%'o", 1234567, 1234567)

select format('%x|%X|%o|%#x|%#X|%#o|%8x|%-8x|%08x|%#08x|%.8x|%+x', 255,255,255,255,255,255,255,255,255,255,255,255), format('%x|%o|%#x', -255, -8, -255), format('%x %#x %#o', 0, 0, 0), format('%x', -9223372036854775808)

select format('%f|%F|%e|%E|%g|%G|%.2f|%10.2f|%-10.2f|%010.2f|%+f|% f|%#.0f|%.0f', 3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,3.14159,2.5)

select format("%'f|%'.2f|%'15.2f|%'e|%'g|%'g", 1234567.891, 1234567.891, 1234567.891, 1234567.891,1234567.891, 123456.0), format('%g|%g|%g|%#g|%.3g', 1e10, 1e-5, 100000.0, 1.0, 1234.5)

select format('%f|%e|%g|%10f|%-10f|%+f|%010f', cast('inf' as float64), cast('-inf' as float64), cast('nan' as float64), cast('inf' as float64), cast('nan' as float64), cast('inf' as float64), cast('inf' as float64)), format('%F %E %G', cast('inf' as float64), cast('nan' as float64), cast('-inf' as float64))

select format('%f %.2f %e %g %.3f', numeric '1.5', numeric '1.555', numeric '123.4', numeric '0.00001', numeric '-2.0005'), format("%'.1f", numeric '12345.67')

select format('%p|%P', parse_json('{"a":[1,"x"],"b":{}}'), parse_json('{"a":[1,"x"],"b":{}}')), format('%p', parse_json('"x"')), format('%t', parse_json('"x"'))

select format('%*d|%-*d|%.*f|%*.*f', 5, 3, 5, 3, 2, 1.005, 8, 2, 1.5), format('%*d', -5, 3), format('%.*f', -1, 1.5), format('%*d', cast(null as int64), 3)

select format(cast(null as string), 1), format("%s %d", cast(null as string), 1), format('a%%b'), format(''), format('%t', null), format('x%Tx', null), format('%s', cast(null as string)), format('%5t', null)

select format(s, 1) from unnest(['%d', 'x%dx', '%5d|%%']) s

select format(concat('%', '5', 'd'), 3)

select format('%d %s', 1, t), format('%s-%s', s, t) from nums limit 3

select format('%.20f|%.0e|%.15g|%.17g', 0.1, 12345.0, 0.1, 0.1), format('%.60f', 0.1), format('%.2f', 0.005), format('%.2f', 1e300), format('%5.1f%%', 99.55)

select format('%-10s|', '日本'), format('%10.1s|', '日本')

select format('%T %T', v, [v]) from unnest(['\x01c1ä', '\x01g1', '\x7f9"9', '\x02\n9', 'f\x1fAbg', '\x01"a\'b']) v
