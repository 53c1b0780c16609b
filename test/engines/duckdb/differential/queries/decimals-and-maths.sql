select numeric '1000000000000' * numeric '1000000000000', numeric '99999999999999' * numeric '99999999999999.999999999', numeric '0.000000001' * numeric '0.5'

select safe_divide(numeric '1', 0), safe_add(numeric '99999999999999999999999999999', 1), safe_multiply(numeric '1e20', numeric '1e20'), safe_subtract(numeric '1', 2), safe_negate(numeric '1'), mod(numeric '5.5', 2), mod(numeric '-5.5', 2), div(numeric '5.5', 2), div(numeric '-5.5', numeric '0.1')

select sqrt(numeric '2'), sqrt(numeric '4'), sqrt(numeric '0'), sqrt(numeric '0.000000001'), sqrt(numeric '99999999999999999999999999999')

select bignumeric '1' / 3, bignumeric '1' + 1, bignumeric '1.5' * bignumeric '2.5', bignumeric '1' - 2, -bignumeric '1', abs(bignumeric '-1'), sign(bignumeric '-2'), bignumeric '2' > bignumeric '10', bignumeric '2' = bignumeric '2.0', bignumeric '2' between 1 and 3, bignumeric '1' in (1, 2), safe_divide(bignumeric '1', 0), mod(bignumeric '5', 3), div(bignumeric '5', 3), trunc(bignumeric '1.55', 1), sqrt(bignumeric '2')

select cast('1.5' as bignumeric), cast(' 1e10 ' as bignumeric), cast(1.1 as bignumeric), cast(bignumeric '1.5' as int64), cast(bignumeric '1.1' as float64), cast(bignumeric '1.1234567895' as numeric), safe_cast('x' as bignumeric), safe_cast('1e39' as bignumeric), cast('5.7896e38' as bignumeric), cast(true as string), cast(1e10 as bignumeric)

select safe_cast('1e3' as numeric), safe_cast('1.23456789949' as numeric), safe_cast('1.2345678995' as numeric), safe_cast('.' as numeric), safe_cast('' as numeric), safe_cast('+.5e-2' as numeric), safe_cast('1e29' as numeric), safe_cast('9.9e28' as numeric), safe_cast('1e-400' as numeric), safe_cast('0e99999' as numeric), safe_cast('nan' as numeric), safe_cast('1 ' as numeric), safe_cast('\u00a01' as numeric), safe_cast('0x10' as numeric), safe_cast('1e' as numeric), safe_cast('- 1' as numeric)

select parse_numeric('1,234.5'), parse_numeric(' - 5 '), parse_numeric('5 -'), parse_numeric('+5'), parse_numeric('1e3'), parse_numeric('.5'), safe.parse_numeric('$5'), safe.parse_numeric('1.2.3'), safe.parse_numeric('--5'), safe.parse_numeric('-5-'), safe.parse_numeric(''), safe.parse_numeric('1e3-'), safe.parse_numeric(',1'), safe.parse_numeric('1,'), safe.parse_numeric('1.2,3'), parse_bignumeric('1,000')

select cast(1.005 as numeric), safe_cast(1e29 as numeric), cast(0.1 as numeric), cast(1e-10 as numeric), cast(-5e-10 as numeric), cast(99999999999999999999999999999.0 as numeric), cast(x as numeric) from nums where abs(x) < 1e28

select round(2.675, 2), round(1e300, -299), round(x, a), trunc(x, a), round(-1.55, 1), trunc(-1.55, 1), round(5.5, -1), round(4.5, -1), trunc(-15.5, -1), round(1.5, 400), round(1.5, -400), round(cast('nan' as float64), 1), round(cast('inf' as float64), -1), round(1e22, -1), round(0.5, 0), round(-0.2, 0) from nums

select acos(0.5), acosh(2), asin(0.5), asinh(1), atan(1), atan2(1,2), atanh(0.5), cosh(1), sinh(1), tanh(1), cot(1), coth(1), csc(1), csch(1), sec(1), sech(1), cbrt(27), cbrt(-8)

select acos(n), asin(n), acosh(n), asinh(n), atan(n), atan2(n, 1), atanh(n), cosh(n), sinh(n), tanh(n), cot(n), coth(n), csc(n), csch(n), sec(n), sech(n), cbrt(n), sqrt(n), ln(n), log10(n), exp(n), log(n, 2), log(2, n), pow(n, 2), pow(2, n), sin(n), cos(n), tan(n) from unnest([cast('nan' as float64)]) n

select asinh(n), atan(n), atan2(n, 1), atan2(1, n), tanh(n), cosh(n), sinh(n), coth(n), csch(n), sech(n), cbrt(n), exp(n), pow(n, 2), pow(2, n), pow(n, -1), pow(n,0), pow(0, n) from unnest([cast('inf' as float64)]) n

select cot(n), csc(n), sec(n), sin(n), cos(n) from unnest([cast('inf' as float64)]) n

select acosh(n), sqrt(n), ln(n), log10(n), log(n, 2), log(2, n), log(n,n) from unnest([cast('inf' as float64)]) n

select asinh(n), atan(n), tanh(n), cosh(n), sinh(n), exp(n), pow(n, 3), pow(2, n), cbrt(n) from unnest([cast('-inf' as float64)]) n

select log(0.5, 0.5), log(8, 2), log(1, 10), log(100)

select safe.log(0, 2), safe.log(2, 1), safe.log(2, 0), safe.acos(2), safe.asin(-2), safe.cosh(1e4), safe.cot(0), safe.csc(0), safe.coth(0), safe.csch(0), safe.atanh(1), safe.pow(0, -1), safe.abs(-9223372036854775808), safe.round(1.7e308, -308), safe.exp(710), safe.sqrt(-1)

select range_bucket(20, [0,10,20,30]), range_bucket(-1, [0,10]), range_bucket(0, [0,10]), range_bucket(25, [0,10,20]), range_bucket(20, [20,20,20]), range_bucket('b', ['a','c']), range_bucket(cast(null as int64), [1]), range_bucket(1, cast(null as array<int64>)), range_bucket(1, cast([] as array<int64>)), range_bucket(cast('nan' as float64), [1.0, 2.0]), range_bucket(1.5, [1.0, cast('inf' as float64)]), range_bucket(date '2024-01-01', [date '2023-01-01']), range_bucket(numeric '1.5', [numeric '1', numeric '2'])

select bit_count(5), bit_count(-1), bit_count(b'\xff\x01'), bit_count(0), bit_count(-9223372036854775808), bit_count(b'')

select b'\x0f' & b'\xf1', b'\x0f' | b'\xf0', b'\x0f' ^ b'\xff', ~b'\x0f', b'\x01' << 4, b'\x80' >> 7, b'\x01\x80' << 1, b'\x01\x80' >> 1, b'\x01' << 100, b'\x01\x02' >> 8, b'\x12\x34\x56' << 12, b'\x12\x34\x56' >> 12, b'\x12' << 0, b'' << 1

select ieee_divide(1, 0), ieee_divide(-1, 0), is_nan(ieee_divide(0, 0)), ieee_divide(1, 4)

select a / 3 + n from nums join kinds using (id)

select format('%t', n / 3) from kinds

select least(1, numeric '2'), greatest(b'a', b'b')

select sum(n / 3), max(n), min(n) from kinds

select range_bucket(null, [1]), range_bucket(1, cast(null as array<int64>)), range_bucket(cast('nan' as float64), [1.0]), range_bucket(5, []), range_bucket('b', ['a','b'])
