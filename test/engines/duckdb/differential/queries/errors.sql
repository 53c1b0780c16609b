select 1/0

select a/b from nums where b = 0

select cast('x' as int64)

select 9223372036854775807 + a from nums where a > 0

select x + 5 + -5 from (select 9223372036854775807 as x from nums where a > 0)

select [1,2][offset(5)]

select (select id from nums)

select cast('2024-02-30' as date)

select mod(a, b) from nums where b = 0

select sum(9223372036854775807) from nums

select error('boom')

select cast(cast('nan' as float64) as int64)

select parse_timestamp('%Y', 'abc')

select 1e308 * 10

select sqrt(-1)

select cast(1e30 as int64)

select substr('a', 1, -1)

select timestamp_add(timestamp '9999-12-31', interval 10 day)

select chr(65), chr(8364), chr(0), chr(-1)

select chr(1114112)

select chr(55296)

select ascii(''), ascii('é')

select lpad('abc', -1)

select lpad('abc', 5, '')

select repeat('a', -1)

select left('abc', -1)

select from_hex('xx')

select from_base64('!')

select 'a' like 'a\\'

select s like concat('a', '\\') from nums

select timestamp_trunc(timestamp '1960-02-03 04:05:06.789', hour), timestamp_trunc(timestamp '1960-02-03 04:05:06.789', second), timestamp_trunc(timestamp '1960-02-03 04:05:06.789', day), timestamp_trunc(timestamp '0001-01-05', week), timestamp_trunc(timestamp '0001-01-05', year), timestamp_trunc(timestamp '1960-02-03 04:05:06.789123', millisecond)

select date_add(date '9999-12-31', interval 1 day)

select date_sub(date '0001-01-01', interval 1 day)

select timestamp_add(timestamp '2024-01-01', interval 9223372036854775807 microsecond)

select timestamp_add(timestamp '2024-01-01', interval 9223372036854775807 day)

select date_add(date '2024-01-01', interval 3000000000 day)

select timestamp_seconds(9223372036854775807)

select timestamp_seconds(300000000000)

select timestamp_micros(9223372036854775807)

select timestamp_trunc(timestamp '0001-01-05', week)

select cast(cast('nan' as float64) as numeric)

select cast(b'\xff' as string)

select cast(9.3e18 as int64)

select cast(-9.3e18 as int64)

select cast(9223372036854775807.0 as int64)

select abs(-9223372036854775808)

select -(a - 9223372036854775807 - 1) from nums where a = 0

select div(-9223372036854775808, -1)

select div(1, 0)

select 9223372036854775807 * 2

select -9223372036854775808 - 1

select 1 << -1

select 1e308 + 1e308

select x / y from nums where y = 0

select ln(0)

select ln(-1)

select log(1, 1)

select exp(1000)

select pow(10, 400)

select pow(-8, 0.5)

select pow(0, -1)

select arr[offset(9)] from nums

select generate_array(1, 2, 0)

select parse_json('x')

select parse_timestamp('%Y-%m-%d', '2024-01-02x')

select parse_date('%Y-%m-%d', '2024-02-30')

select regexp_contains('a', '(')

select cast(h as time) from unnest(['24:00:00']) h

select cast(d as timestamp) from unnest(['2024-01-01T24:00:00Z']) d

select json_remove(parse_json('{"a":1}'), '$')

select json_set(parse_json('{"a":1}'), '$.a', 1, '$.', 2)

select int64(parse_json('"1"'))

select int64(parse_json('1.5'))

select safe.int64(parse_json('1.5')), safe.string(parse_json('1')), safe.bool(parse_json('"true"')), string(parse_json('null'))

select float64(parse_json('9007199254740993'), wide_number_mode=>'exact')

select parse_json(s) from unnest(['1.0','1.50','1e3','-0','0.1','1e400','12345678901234567890','123456789012345678901234567890','1E5','1.0e-7','-0.0','123456.789e3','100000000000000000000000', '18446744073709551615','18446744073709551616','0.30000000000000004', '1.7976931348623157e308','5e-324','1e15','1e16','1e17','1e21','1e22', '123456789012345680000']) s

select parse_json('0.1234567890123456789')

select json_value('{}', 'a')

select json_value('{}', '$..a')

select json_value('{}', '$.a[*]')

select json_value('{}', "$['a']")

select json_extract('{}', '$."a"')

select json_value('{}', '')

select json_object(['a', null], [1, 2])

select json_object('a', 1, null, 2)

select json_object(['a'], [1, 2])

select string(parse_json('1'))

select bool(parse_json('1'))

select float64(parse_json('"1"'))

select parse_json('{"a":1')

select json_value('{}', '$["a"]')

select parse_date('%H', '1')

select parse_timestamp('%Y-%m-%d', 'x')

select parse_time('%Y', '2024')

select parse_datetime('%Z', 'UTC')

select parse_timestamp('%F %Z', '2024-01-01 Mars/Base')

select parse_timestamp('%F', '2024-01-01', 'Mars/Base')

select format_timestamp('%Z', timestamp '2024-07-01', 'utc')

select format_timestamp('%J', timestamp '2024-07-01')

select format_timestamp('%+ %r %E9S %E7S %E12S %Es %i %J %O', timestamp '2024-03-05 07:08:09.123456')

select z, timestamp('2024-01-01 00:00:00', z) from unnest(['+0530','-8','+08','+14:00', '-00:30', 'UTC', '+5:30', '+530']) z

select timestamp('2024-01-01 00:00:00', '08:00')

select timestamp('2024-01-01 00:00:00', '+00:60')

select timestamp('2024-01-01 00:00:00', '')

select timestamp('2024-01-01 00:00:00', 'Z')

select timestamp('2024-01-01 00:00:00', 'z')

select timestamp('2024-01-01 00:00:00', 'GMT+5')

select generate_date_array('2024-01-03', '2024-01-01', interval 0 day)

select timestamp_trunc(timestamp '2024-01-01 10:11:12.345678', day, 'Nowhere/City')

select datetime(timestamp '2024-01-01', 'america/new_york')

select datetime(timestamp '2024-01-01', 'PST')

select datetime(timestamp '2024-01-01', '+14:01')

select date(2024, 2, 30)

select date(0, 1, 1)

select time(24, 0, 0)

select datetime(10000, 1, 1, 0, 0, 0)

select date_from_unix_date(2932897)

select date_sub(date '0001-01-01', interval 1 month)

select timestamp_sub(timestamp '0001-01-01', interval 1 hour)

select datetime_add(datetime '9999-12-31', interval 10 year)

select datetime_sub(datetime '0001-01-01', interval 1 microsecond)

select date '9999-12-31' + 1

select date '0001-01-01' - 1

select datetime '9999-12-31' + interval 10 day

select date_trunc(date '0001-01-05', week)

select timestamp_millis(-9223372036854775807)

select last_day(date '9999-12-31', week)

select datetime(timestamp '9999-12-31 23:00:00', 'Asia/Tokyo')

select timestamp(datetime '0001-01-01 00:00:00', 'Asia/Tokyo')

select datetime(2024, 13, 1, 0, 0, 0)

select datetime(2024, 1, 1, 24, 0, 0)

select time(1, 60, 0)

select extract(date from timestamp '9999-12-31 23:00:00' at time zone 'Asia/Tokyo')

select date_bucket(date '2024-01-10', interval 0 day)

select timestamp_bucket(timestamp '2024-01-10', interval 1 month)

select timestamp_bucket(timestamp '2024-01-10', interval '1 1' day to hour)

select timestamp_trunc(timestamp '0001-01-01', day, 'Asia/Tokyo')

select datetime(9999, 12, 31, 23, 59, 60)

select timestamp('2024-01-01 02:00:00+05', 'America/New_York')

select timestamp('2024-01-01 02:00:00Z', 'UTC')

select timestamp '2024-01-01' + interval 1 month

select timestamp '2024-01-01' + interval '1-1' year to month

select interval 1 day / 0

select interval 10001 year

select interval 10000 year * 2

select interval 3660001 day

select interval 87840001 hour

select date_add(date '2024-01-31', interval 1 month), datetime '9999-12-31' + interval 1 day

select timestamp '9999-12-31' + interval 1 day

select date '9999-12-31' + interval 1 month

select numeric '1' / 3, numeric '-1' / 3, numeric '2' / 3, numeric '0.000000001' / 2, numeric '-0.000000001' / 2, numeric '99999999999999999999999999999.999999999' / 1, numeric '1e28' / numeric '0.1'

select round(numeric '99999999999999999999999999999.9')

select pow(-8, 1.0/3)

select x * 1e308 from nums where x > 10

select abs(n), sign(n), -n, n > 5, n * 2, n / 3, mod(n, 7), round(n / 7, 3), cast(n as string), cast(n as int64), cast(n as float64) from kinds

select error('x')

select regexp_replace('abc', '(', '')

select div(5, 0)

select instr('a','a',0)

select instr('a','a',1,0)

select translate('a','aa','b')

select code_points_to_string([55296])

select code_points_to_string([-1])

select code_points_to_bytes([256])

select chr(-1)

select from_hex('zz')

select from_base64('YQ'), from_base64('YQ='), from_base64('Y Q=='), from_base64(''), from_base64('YWI-_w==')

select range_bucket(1, [3,1])

select range_bucket(1, [null, 1])

select b'\x01' & b'\x01\x02'

select b'a' << -1

select net.ip_from_string('1.2.3')

select net.ip_to_string(b'abc')

select net.ip_net_mask(5, 1)

select net.ip_net_mask(4, 33)

select net.ip_net_mask(4, -1)

select net.ip_trunc(b'\x01\x02\x03\x04', 33)

select net.ip_trunc(b'abc', 1)

select net.ipv4_from_int64(4294967296)

select net.ipv4_to_int64(b'abc')

select acos(2)

select acosh(0.5)

select atanh(1)

select cosh(1000)

select cot(0)

select parse_numeric('x')

select parse_numeric('1 2')

select parse_numeric('1e50')

select numeric '99999999999999999999999999999' + 1

select numeric '99999999999999999999999999999' * 10

select numeric '1' / 0

select mod(numeric '1', 0)

select div(numeric '1', 0)

select cast('x' as numeric)

select cast('99999999999999999999999999999999' as numeric)

select cast(1e40 as numeric)

select cast(cast('inf' as float64) as numeric)

select cast(numeric '99999999999999999999' as int64)

select cast('99999999999999999999' as int64)

select cast('x' as float64)

select cast('x' as bool)

select -(-9223372036854775808)

select 9223372036854775807 + 1

select 1e308*10

select mod(1, 0)

select round(1.7976931348623157e308, -308)

select log(-1, 2)

select exp(1e9)

select pow(-1, 0.5)

select error('my message')

select substr('abc', 1, -1)

select left(b'abc', -1)

select lpad('a', 10000000)

select repeat('ab', 10000000)

select cast(date '2024-03-05' as string format f) from unnest(['Q']) f

select cast(date '2024-03-05' as string format 'IYYY IW')

select cast(date '2024-03-05' as string format 'YYYYT')

select cast(date '2024-03-05' as string format 'HH24')

select cast(time '10:11:12' as string format 'YYYY')

select cast(datetime '2024-03-05 01:02:03' as string format 'TZH')

select cast('2024-03-05' as date format 'YYYY-MM-DD HH24')

select cast('2024-03-05' as date format 'DAY')

select cast('2024 2024' as date format 'YYYY YYYY')

select cast('x' as date format 'YYYY')

select cast('10 AM' as time format 'HH24 AM')

select sum(interval a*1000 year) from nums where a > 4

select regexp_extract('abc', '(')

select regexp_extract('abc', 'a**')

select regexp_instr('abc', r'\1')

select regexp_extract(v, '*') from unnest(['a']) v

select regexp_instr('a', '[b-a]')

select regexp_instr('a', 'a{1001}')

select regexp_instr('a', '(?z)a')

select regexp_instr('a', 'a)')

select regexp_instr('a', '[[:foo:]]')

select regexp_instr('a', r'\p{Foo}')

select regexp_instr('a', '(?P<n>a)(?P<n>b)')

select regexp_instr('a', '(?=a)')

select regexp_instr('a', 'a', 1, 1, 2)

select cast(concat('a','bc') as string(2))

select cast(numeric '1234.5' + 0 as numeric(5,2))

select cast(b'abc' || b'' as bytes(2))

select d + 9223372036854775807 from kinds

select from_base64(s) from unnest(['YQ=']) as s

select replace(repeat('a', 1000), 'a', repeat('b', 2000))

select replace(concat(repeat('a', a), repeat('a', 1000)), 'a', repeat('b', 2000)) from nums where a = 1

select json_set(json '[]', '$[100000000]', 1)

select json_array_insert(json '[]', '$[100000000]', 1)

select (select v from unnest(arr) v) from nums where array_length(arr) > 1

select timestamp_trunc(x, hour, 'America/New_York') from unnest([timestamp '0001-01-01 00:00:00']) x

select to_json_string(json_object(['a'], cast(null as array<int64>)))

select to_json_string(json_object(cast(null as array<string>), [1]))

select x, lag(x, 1, x) over (order by x) from unnest([1, 2]) x

select parse_date('%Y%j', '2020 50')

select safe.array_first([1, cast('a' as int64)])

select safe.sum(cast(x as int64)) from unnest(['a']) x

select safe.array_transform([1, 1/0], e -> e)

select cast('8' as bytes format 'base8')

select cast(' 1' as bytes format 'base8')

select cast('2' as bytes format 'base2')

select cast('YQ==' as bytes format 'base32')

select cast('ä' as bytes format 'ascii')

select cast(b'\x80' as string format 'ascii')

select cast(b'abc' as string format f) from unnest(['hexx']) f

select cast(b'abc' as string format 'hex ')

select approx_top_count(x, 100001) from unnest([1]) x

select approx_top_sum(x, 1, 100001) from unnest([1]) x

select approx_quantiles(x, 100001) from unnest([1]) x

select sum(x) from unnest([numeric '99999999999999999999999999999.999999999', 0.000000001]) x

select sum(x) from unnest([bignumeric '578960446186580977117854925043439539266', bignumeric '578960446186580977117854925043439539266']) x

select cast(x as bignumeric) from unnest([6e38]) x

select cast(x as bignumeric) from unnest([cast('nan' as float64)]) x

select cast(x as int64) from unnest([bignumeric '9223372036854775807.5']) x

select cast(x as numeric) from unnest([bignumeric '99999999999999999999999999999.9999999995']) x

select a + b from unnest([bignumeric '578960446186580977117854925043439539266']) a, unnest([bignumeric '1']) b

select abs(a) from unnest([bignumeric '-578960446186580977117854925043439539266.34992332820282019728792003956564819968']) a

select cast('9.995' as bignumeric(3,2))

select to_json(bignumeric '0.1234567890123456789')

select generate_array(bignumeric '3', 100000000000)

select sum(x) from unnest([numeric '-99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', numeric '99999999999999999999999999999.999999999']) x

select sum(x) over (order by x) from unnest([numeric '99999999999999999999999999999.999999999', 1]) x

select sum(x) from unnest([1.5e308, 1.5e308, -1e307]) x

select date(concat(d, 'x')) from unnest(['2020-09-01']) d

select date(concat(d, ' 25:00:00')) from unnest(['2020-09-01']) d

select collate('abc','und:ci') like 'a_c'

select collate('abc','und:ci') like 'a\\'

select instr(collate('abc','und:ci'), 'a', 0)

select instr(collate('abc','und:ci'), 'a', 1, 0)

select x from unnest(['b']) x order by x collate ''

select (collate('a','und:ci'), 1) = ('A', 1)

select pow(x, 29) from unnest([numeric '10']) x

select pow(x, -1) from unnest([numeric '0']) x

select pow(x, bignumeric '0.5') from unnest([bignumeric '-2']) x

select ln(x) from unnest([numeric '0']) x

select log(x, 1) from unnest([bignumeric '2']) x

select format(x, y) from (select '%d' x, 'abc' y) where true

select format(x, y) from (select '%s' x, 5 y) where true

select if(id > 5, 1, (select div(n.id, 0) from nums n where n.id = m.id)) from nums m

select coalesce(null, (select cast(error('chosen') as int64)))

select case when id = 1 then (select n.id from nums n) else 0 end from nums

select if(m.id < 3, cast(m.s as int64) in (select n.id from nums n), true) from nums m

select (select n.id from nums n where n.a = m.a order by n.id limit 2) from nums m

select concat(parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s)) x from unnest(['2024-02-29', 'x']) s

select generate_array(2147483648, 1, -0.5)

select t, string_agg(s, @nothing order by id limit 3) from nums group by t

select string_agg(t, @nothing) over (partition by flag) from nums

select sum(a) over (order by id rows between @no_number preceding and current row) from nums

select sum(a) over (order by a range between 1 preceding and @no_number following) from nums

select sum(a) over (order by id rows between 1 preceding and @negative following) from nums

select generate_array(0.0, 1, cast('-inf' as float64))

select array_agg(a order by id limit @negative) from nums

select cast(1 as string format '9X')

select cast(a as string format s) from nums

select date_diff('2024-02-29', date '2023-12-31', second)

select date_trunc('2024-02-29', hour)

select time_diff('12:34:56', '12:34:55', day)

select timestamp_diff(timestamp '2024-01-15 00:00:00', timestamp '2024-01-01 00:00:00', week)

select date_diff(timestamp '2024-01-15 00:00:00', timestamp '2024-01-01 00:00:00', month)
