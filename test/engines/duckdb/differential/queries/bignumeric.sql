with t as (select x, i from unnest([bignumeric '1.5', -2.25, null, 578960446186580977117854925043439539266.34992332820282019728792003956564819967, -578960446186580977117854925043439539266.34992332820282019728792003956564819968, 0, 0.00000000000000000000000000000000000001, 10, 9, 1.5]) x with offset i) select x, i from t order by x desc, i

with t as (select x from unnest([bignumeric '1.5', -2.25, null, 10, 9, 1.5, 0.00000000000000000000000000000000000001]) x) select sum(x), avg(x), min(x), max(x), count(x), count(distinct x), sum(distinct x), avg(distinct x) from t

with t as (select x from unnest([bignumeric '1.5', -2.25, null, 10, 9, 1.5, 0.00000000000000000000000000000000000001]) x) select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), var_samp(distinct x) from t

select corr(x, y), covar_pop(x, y), covar_samp(x, y) from (select bignumeric '1.5' x, bignumeric '3' y union all select 2, 5 union all select null, 3 union all select 7.25, -1)

select x, count(*) from unnest([bignumeric '1.5', 1.5, 1.50, null, null, 2]) x group by x order by x

select distinct x from unnest([bignumeric '1.5', 1.5, 1.50, null, null, 2]) x

select a, b from unnest([bignumeric '1.5', 2, null]) a join unnest([bignumeric '1.50', 3, null]) b on a = b

select a < b, a <= b, a > b, a >= b, a = b, a != b, a between b and 10, a in (b, 2), a is distinct from b from unnest([bignumeric '1.5', 2, null, -3]) a cross join unnest([bignumeric '1.50', 3, null]) b

select greatest(a, b), least(a, b), nullif(a, b), coalesce(a, b), if(a > b, a, b), case a when b then 'x' else 'y' end from unnest([bignumeric '1.5', 2, null, -3]) a cross join unnest([bignumeric '1.50', 3, null]) b

select a + b, a - b, a * b, -a, abs(a), sign(a), div(a, b), mod(a, b), a / b from unnest([bignumeric '1.5', 2, null, -3.123456789012345678901234567890123456789]) a cross join unnest([bignumeric '1.50', 3, null, -0.7]) b

select round(a), round(a, 5), round(a, -1), trunc(a), trunc(a, 3), ceil(a), floor(a), round(a, 2, 'ROUND_HALF_EVEN') from unnest([bignumeric '1.5', 2, null, -3.123456789012345678901234567890123456785, 15.555, 0.125]) a

select cast(x as bignumeric) from unnest(['1', '  -1.5e3 ', '0.000000000000000000000000000000000000005', '-0', '.5', '578960446186580977117854925043439539266.34992332820282019728792003956564819967']) x

select safe_cast(x as bignumeric) from unnest(['1x', '', null, '578960446186580977117854925043439539266.34992332820282019728792003956564819968', '1e40', '-578960446186580977117854925043439539266.34992332820282019728792003956564819968']) x

select cast(x as bignumeric) from unnest([1, 0, -5, 9223372036854775807, -9223372036854775808, null]) x

select cast(x as bignumeric) from unnest([numeric '1', 0, -5, 0.000000001, -0.5, 99999999999999999999999999999.999999999, null]) x

select cast(x as bignumeric) from unnest([1.5, 0, -5, 1e-38, 0.1, 5e38, -0.0, null]) x

select safe_cast(x as bignumeric) from unnest([6e38, cast('nan' as float64), cast('inf' as float64), 2]) x

select safe_add(a, b), safe_subtract(-a, b), safe_multiply(a, a), safe_divide(a, 0), safe_negate(a) from unnest([bignumeric '578960446186580977117854925043439539266', 3]) a, unnest([bignumeric '1']) b

select x, sum(x) over (order by x), rank() over (order by x desc), lag(x) over (order by x), avg(x) over (order by x rows between 1 preceding and current row), min(x) over (order by i), first_value(x) over (order by i desc), ntile(2) over (order by x) from unnest([bignumeric '1.5', 12, -3, null]) x with offset i

select range_bucket(x, [bignumeric '1', 2, 3]) from unnest([bignumeric '1.5', 12, -3, 2, null]) x

select cast('1.255' as bignumeric(3,2)), cast(9.994 as bignumeric(3,2)), cast(x as bignumeric(38,38)) from unnest([bignumeric '0.99']) x

select parse_bignumeric('1,234.5-'), parse_bignumeric(' - 12.34 '), safe.parse_bignumeric('x'), sqrt(bignumeric '2')

select [bignumeric '1.5', null][safe_offset(0)], struct(bignumeric '1.5' as a).a, array_length([bignumeric '1']), bignumeric '1.5' in unnest([bignumeric '1.5', null]), array_to_string([cast(bignumeric '1' as string)], ',')

select array_sum(x), array_avg(x), array_min(x), array_max(x), array_reverse(x), array_is_distinct(x) from (select [bignumeric '1.5', 3, null] x)

select ieee_divide(cast(x as float64), 0), is_nan(cast(x as float64)), typeof(x), x is null from unnest([bignumeric '1.5']) x

select logical_or(x > 1), countif(x > 1), sum(cast(x as float64)), max(x) filterless from unnest([bignumeric '1.5']) x

select * from (select bignumeric '1.5' x, 'a' k union all select 2, 'b') pivot (sum(x) for k in ('a', 'b'))

select json_object('a', bignumeric '1.5', 'b', [bignumeric '2']), json_array(bignumeric '1e30'), to_json_string(bignumeric '1e30'), to_json(bignumeric '0.1234567890123456789', stringify_wide_numbers => true)

select row_number() over (partition by x order by i), x from unnest([bignumeric '1.5', 1.5, null]) x with offset i

select x from unnest([bignumeric '1.5', 1.5, null, 3]) x order by x nulls last limit 3

select cast(a as string), cast(a as int64), cast(a as numeric), cast(a as float64), format('%t %T %f %e %.3g', a, a, a, a, a), to_json_string(a), to_json_string([a]), to_json_string(struct(a as x)) from unnest([bignumeric '1.5', 2, -3.123456789012345678901234567890123456785, 15.555, 0.125, 123456789012345.5, null]) a

select generate_array(bignumeric '1', 3, 0.5), generate_array(numeric '1', 3), generate_array(numeric '1', 3, -1), generate_array(numeric '3', 1, -0.75), generate_array(numeric '3', 3, -0.75), generate_array(bignumeric '3', null), generate_array(numeric '1', 0.5), generate_array(numeric '1', 0.5, -1)

select sum(x), avg(x), safe.sum(x) from unnest([bignumeric '578960446186580977117854925043439539266', bignumeric '578960446186580977117854925043439539266', bignumeric '-578960446186580977117854925043439539266']) x

select avg(x) from unnest([bignumeric '578960446186580977117854925043439539266', bignumeric '578960446186580977117854925043439539266']) x

select x from (select bignumeric '1.5' x union all select 2 union all select numeric '3') except distinct select bignumeric '3'

select var_pop(x), stddev_samp(x), covar_pop(x, -x), corr(x, -x) from unnest([bignumeric '578960446186580977117854925043439539266', bignumeric '-578960446186580977117854925043439539266', null, bignumeric '578960446186580977117854925043439539265']) x

select var_pop(x), stddev_samp(x), covar_pop(x, -x), corr(x, -x) from unnest([bignumeric '57896044618658097711785492504343953926.00000000000000000000000000000000000001', bignumeric '57896044618658097711785492504343953926.00000000000000000000000000000000000002']) x

select max(x) over (order by x rows between 3 preceding and 2 preceding), var_pop(x) over (order by x rows between 1 preceding and 1 following) from unnest([bignumeric '5', bignumeric '6', bignumeric '8']) x

select pow(numeric '1.5', 3), pow(numeric '-1.5', 3), pow(numeric '10', 28), pow(numeric '2', -3), pow(numeric '0.2', -3), pow(numeric '1.000000001', 6000000000), pow(bignumeric '1.1', 900), pow(bignumeric '0.3', -7), pow(numeric '0', 0), pow(numeric '3', -1), pow(numeric '-3', 2), pow(cast(null as numeric), 0)

select cbrt(x), cbrt(-x) from unnest([numeric '2', 27, 0, null, 0.000000001, numeric '99999999999999999999999999999.999999999']) x

select cbrt(x), cbrt(-x), sqrt(x), pow(x, -2), pow(x, 3) from unnest([bignumeric '2', 27, null, 0.000001, bignumeric '123456789012.99999999999999999999999999999999999999']) x

select ln(numeric '1'), log10(bignumeric '1'), exp(numeric '0'), log(numeric '1', 2)
