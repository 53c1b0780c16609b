select safe_cast(x as int64) from nums

select cast(x as int64) from nums where x between -1000 and 1e16

select a, b, safe_divide(a,b), div(a, nullif(b,0)), mod(a, nullif(b,0)), a / nullif(b, 0), a*b, a-b, -a, abs(a), sign(a) from nums

select x < y, x = y, x > y, x != y, x >= y, x <= y, x is null, is_nan(x), is_inf(x), x in (1.5, 3) from nums

select round(x), round(x, 1), floor(x), ceil(x), trunc(x), trunc(y,1), round(y, 2) from nums where not is_inf(x) and not is_nan(x)

select greatest(a, b), least(a, b), greatest(x, y), least(s, t) from nums

select a & b, a | b, a ^ b, ~a, a << 2, 5 >> 1 from nums where b >= 0

select sqrt(abs(y)), pow(y, 2), exp(y), ln(abs(y) + 1), log(abs(y)+1, 2), log10(abs(y)+1) from nums

select cast('  12 ' as int64), cast('+7' as int64), cast('-0x1f' as int64), cast('1e2' as float64), cast('.5' as float64), cast(' inf' as float64), cast('TRUE' as bool), safe_cast('yes' as bool), safe_cast('' as int64), safe_cast('9223372036854775808' as int64), cast(1e15 as string), cast(123456789.123456789 as string), cast(1/3 as string), cast(-0.0 as string), cast(1e-5 as string), cast(100000.0 as string), cast(0.1+0.2 as string), cast(cast(1.1 as float64) as string)

select 7/2, div(-7,2), mod(-7,3), -7/2, 5 * 1.5, cast(2.5 as int64), cast(-2.5 as int64), cast(3.5 as int64), round(-2.5), round(2.675, 2), round(1234.5, -2), trunc(-1.9), ceil(-1.1), floor(-1.1), safe_divide(1, 0), ieee_divide(1, 0), is_nan(ieee_divide(0, 0)), pow(2, 10), abs(-5), sign(-2.5), 1e308 * 1e-308, greatest(1, 2.5), least(null, 1)

select id, if(a is null, 'n', cast(a as string)) from nums where coalesce(flag, false) or a is not null order by 2, 1 limit 25

select initcap("hello wORLD o'neil a-b c_d"), initcap('ßa éA ǆa'), initcap('x1y 2nd')

select lower('ΑΣ'), lower('ΑΣΣΑ ΣΣΣ Σ ΣΑ ΑΣ. ΑΣ΄Α'), lower('İX'), upper('ᾳ ΐ ﬃ ß'), lower('ABC')

select date_from_unix_date(5), date_from_unix_date(-1)

select timestamp(datetime '2024-04-07 01:45:00', 'Australia/Lord_Howe'), timestamp(datetime '2024-10-06 02:15:00', 'Australia/Lord_Howe'), timestamp(datetime '1883-11-18 12:01:00', 'America/New_York'), timestamp(datetime '2024-10-27 02:30:00', 'Europe/Berlin'), timestamp(datetime '2024-11-03 01:30:00', 'America/New_York'), timestamp(datetime '2024-03-10 02:30:00', 'America/New_York'), timestamp(datetime '2011-12-30 12:00:00', 'Pacific/Apia')

select timestamp(dt, zone), timestamp(d, zone), timestamp(cast(dt as string), zone) from kinds where d > '1000-01-01' and d < '3000-01-01' and dt > '1000-01-01'

select format_date('%Y-%m-%d %j %a %A %b %B %C %D %d %e %F %G %h %m %U %u %V %W %w %x %y %Q %n%t%%', d) from kinds

select format_datetime('%c|%D|%e|%H|%I|%k|%l|%M|%n|%P|%p|%R|%S|%s|%T|%X|%E1S|%E4Y|%E*S|%E0S', dt) from kinds

select format_timestamp('%c|%s|%Z|%z|%Ez|%E0S', ts), format_timestamp('%F %T %Z %z %Ez', ts, zone) from nums, kinds where nums.id = kinds.id

select cast(cast(tm as string) as time), cast('1:2:3' as time), cast('10:11:12.5' as time) from kinds

select cast(dt as string), cast(d as string), cast(tm as string), cast(timestamp '2024-01-01 00:00:00.120' as string), cast(datetime '2024-01-01 00:00:00.120' as string) from kinds

select safe_cast('2024-1-2' as date), safe_cast('2024-01-01 1:2:3' as timestamp), safe_cast('2024-01-01T01:02:03.' as timestamp), safe_cast('2024-01-01t01:02:03z' as timestamp), safe_cast('2024-01-01 01:02:03 UTC' as timestamp), safe_cast('2024-01-01 01:02:03UTC' as timestamp), safe_cast('2024-01-01 01:02:03 +5' as timestamp), safe_cast('2024-01-01 01:02:03+0530' as timestamp), safe_cast('2024-01-01+02' as timestamp), safe_cast('2024-01-01 01:02' as timestamp), safe_cast('2024-01-01T01' as timestamp)

select safe_cast('2024-01-01 01:02:03.1234567' as timestamp), safe_cast('2024-01-01 01:02:03.123456789' as timestamp)

select safe_cast(' 2024-01-01' as timestamp), safe_cast('2024-01-01 ' as timestamp), safe_cast('24-01-01' as timestamp), safe_cast('12024-01-01' as timestamp), safe_cast('0000-01-01' as timestamp), safe_cast('9999-12-31 23:59:59-01' as timestamp), safe_cast('0001-01-01 00:00:00+01' as timestamp), safe_cast('2024-13-01' as timestamp), safe_cast('2024-01-01 24:00:00' as timestamp), safe_cast('2024-01-01 23:59:60' as timestamp), safe_cast('2024-01-01 00:00:00 Nowhere/X' as timestamp)

select safe_cast('2024-01-01 00:00:00+15:00' as timestamp), safe_cast('2024-01-01 00:00:00+14:00' as timestamp), safe_cast('2024-01-01 00:00:00+5:3' as timestamp), safe_cast('2024-01-01  00:00:00' as timestamp), safe_cast('2024-01-01 00:00:00  UTC' as timestamp), safe_cast('2024-01-01 00:00:00 utc' as timestamp), safe_cast('2024-01-01 00:00:00 america/new_york' as timestamp)

select safe_cast('2024-02-30' as date), safe_cast('2024-01-01 10:00:00' as date), safe_cast('2024-01-01T10:00:00Z' as date), safe_cast('' as date), safe_cast('20240101' as date), safe_cast('2024/01/01' as date), safe_cast('-2024-01-01' as date)

select safe_cast('2024-01-01 10:00:00' as datetime), safe_cast('2024-01-01' as datetime), safe_cast('2024-01-01T10:00:00Z' as datetime), safe_cast('2024-1-1T1:2:3.5' as datetime), safe_cast('x' as datetime)

select safe_cast('10:00' as time), safe_cast('25:00:00' as time), safe_cast('1:2:3.123456' as time), safe_cast('10:00:60' as time)

select safe_cast(s as int64), safe_cast(s as float64), safe_cast(s as bool), safe_cast(s as timestamp), safe_cast(s as date), safe_cast(s as datetime), safe_cast(s as numeric), safe_cast(s as time) from nums

select safe_cast('\t12\n' as int64), safe_cast('1 2' as int64), safe_cast('0x' as int64), safe_cast('0x7fffffffffffffff' as int64), safe_cast('0xffffffffffffffff' as int64), safe_cast('-0x8000000000000000' as int64), safe_cast('007' as int64), safe_cast('+' as int64), safe_cast('-9223372036854775808' as int64), safe_cast('99999999999999999999' as int64), safe_cast('१२' as int64), safe_cast('1_000' as int64)

select safe_cast('1e400' as float64), safe_cast('1e-400' as float64), safe_cast('.' as float64), safe_cast('1.' as float64), safe_cast('-.5e+3' as float64), safe_cast('Infinity' as float64), safe_cast('-inf' as float64), safe_cast('NaN' as float64), safe_cast('+nan' as float64), safe_cast('0x1F' as float64), safe_cast('1e' as float64), safe_cast('1d' as float64), safe_cast('\u00a01' as float64)

select safe_cast('1.5' as numeric), safe_cast('1.1234567895' as numeric), safe_cast('-1.1234567895' as numeric), safe_cast('1e3' as numeric), safe_cast('99999999999999999999999999999' as numeric), safe_cast('999999999999999999999999999999' as numeric), safe_cast('  7 ' as numeric), safe_cast('.5' as numeric), safe_cast('5.' as numeric)

select cast(n as string), cast(n as float64), cast(n as int64), n + 1, n - 1, n * 2, -n, abs(n), sign(n), round(n, 1), floor(n), ceil(n), trunc(n), n > 1, n = numeric '1.1' from kinds where n < 1000000000

select n * n from kinds where abs(n) < 100000000000

select numeric '1234567890.123456789' * numeric '1.000000001', numeric '0.000000001' * numeric '0.5', numeric '-0.000000001' * numeric '0.5'

select sum(n), min(n), max(n), count(distinct n) from kinds

select cast(x as numeric) from nums where abs(x) < 1e20

select cast(1.005 as numeric), cast(123456789012.12345 as numeric), cast(0.0009765625 as numeric), cast(-2.5e-10 as numeric), cast(5e-10 as numeric), cast(1e28 as numeric)

select round(y, 1), round(x, 2), round(a), round(y, -1), trunc(y, 1), trunc(x, 2), trunc(y) from nums where not is_nan(x)

select round(0.125, 2), round(2.5), round(-2.5), round(1.005, 2), round(0.285, 2), round(1e300, 2), round(123456.789, 18), trunc(1.15, 2), trunc(-0.29, 2), round(-0.004, 2), round(5e-324, 5), round(0.5), round(1.15, 1), round(1234567.125, 2)

select round(15, -1), round(-25, -1), round(1234.5, -2), round(-0.5), round(4503599627370497.5), trunc(9.99, 1)

select cast(y as string), cast(x as string), cast(1e21 as string), cast(1.5e-7 as string), cast(123456789012345678 as string), cast(1e15 as string), cast(1e16 as string), cast(0.1 + 0.2 as string), cast(-0.0 as string), cast(5e-324 as string), cast(1.7976931348623157e308 as string) from nums

select cast(a as bool), cast(flag as int64), cast(flag as string), cast(a as float64), cast(a as numeric), cast('abc' as bytes), cast(b'abc' as string), cast(d as timestamp), cast(d as datetime) from nums, kinds where nums.id = kinds.id

select safe_cast(b'\xff' as string)

select safe_cast(9.3e18 as int64), safe_cast(cast('inf' as float64) as int64), safe_cast(2.5 as int64), safe_cast(-1.5 as int64), cast(0.49999999999999994 as int64)

select mod(-9223372036854775808, -1), mod(5, -3), mod(-5, 3), div(7, -2)

select 1 << 63, 1 << 64, -1 >> 1, -8 >> 1, 5 >> 70, a & 3, a | 8, a ^ 5, ~a, a << 3 from nums

select x + y, x - y, x * y, x / nullif(y, 0), -x, abs(x), sign(x), floor(x), ceil(x) from nums

select log(8, 2), log(100), log10(1000), ln(1), exp(0), exp(1), sqrt(2), pow(0, 0), pow(-8, 3), pow(2, -1), pow(2, 0.5)

select sin(cast('inf' as float64))

select ln(x), log10(x), exp(y), pow(y, 3), pow(x, 2) from nums where x > 0 and x < 1e20

select greatest(1, null), greatest(1.5, x), least(x, y), greatest('a', 'B', 'c'), least(date '2024-01-01', d), greatest(true, flag) from nums, kinds where nums.id = kinds.id

select safe.exp(1000), safe.ln(0), safe.log(1,1), safe.log10(-1), safe.pow(10, 400), sin(cast('inf' as float64)), ln(cast('inf' as float64)), exp(cast('-inf' as float64))

select distinct y, b, safe_divide(y, b), cast(safe_divide(y, b) as string) from nums where b != 0

select to_json_string(0.0/-1), format('%f %g', 0.0/-1, 0.0/-1), cast(0.0/-1 as string)

select x between y and 2, y not between x and 5, x != x, not (x = y), x <> cast(null as float64), x > y, x >= y, x < y, x <= y, x < 2.5, x > 2.5, 2.5 > x, x in (y, 2.5), x not in (1.5, null), case x when 2.5 then 1 when y then 2 else 3 end, nullif(x, y) from nums

select (x, y) = (y, x), (x, a) != (y, b), (x, y) in ((1.5, y), (x, 0)) from nums

select bignumeric '12345678901234567890123456789012345678.12345678901234567890123456789012345678', bignumeric '-1.50', cast(null as bignumeric), cast(cast(1.5 as numeric) as bignumeric), cast(7 as bignumeric), cast(bignumeric '2.50' as string), if(true, bignumeric '1', null), [bignumeric '1.10']

select x + 9223372036854775807 + 1, x * 4611686018427387904 * 0 from (select a - a - 1 as x from nums where a > 0)
