select safe.error('x')

select safe.array_first(cast([] as array<int64>))

select safe.array_last(cast([] as array<int64>))

select safe.array_slice([1,2],0,1)

select safe.sum(x) from unnest([9223372036854775807,1]) x

select safe.avg(x) from unnest([1,2]) x

select x > 5 k, safe.sum(x) from unnest([9223372036854775807,1,2,3]) x group by 1

select safe.sum(x) over () from unnest([9223372036854775807,1,2,3]) x

select safe.sum(x) over (order by x rows between 1 preceding and current row) from unnest([9223372036854775807,1,2,3]) x

select safe.row_number() over () from unnest([1])

select safe.array_agg(x) from unnest([1,2]) x

select safe.count(*) from unnest([1,2]) x

select safe.string_agg(x) from unnest(['a','b']) x

select safe.lag(x) over (order by x) from unnest([1,2]) x

select safe.parse_date('%Y', 'x')

select safe.array_min([1,2])

select safe.array_sum([9223372036854775807,1])

select safe.array_avg([1,2])

select safe.coalesce(1,2)

select safe.if(true,1,2)

select safe.error(cast(null as string)), safe.array_sum(cast([1.7e308,1.7e308] as array<float64>)), safe.array_max([1.5]), safe.array_includes([1,2],2), safe.array_filter([1,2], e -> e > 1), safe.nullifzero(0), safe.array_first([3,4]), safe.array_last([3,4])

select safe.array_first(a) from (select [1] a union all select [] union all select null)

select safe.sum(x), sum(1) from unnest([1.7e308,1.7e308]) x

select safe.sum(interval 10000 year) from unnest([1,2,3])

select safe.max(x), safe.min(x), safe.any_value(x), safe.countif(x > 1), safe.logical_and(x > 0), safe.bit_xor(x) from unnest([1,2]) x
