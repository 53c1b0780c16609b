select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x) from unnest([numeric '1000000000.001', numeric '1000000000.002']) x

select var_pop(x), stddev_samp(x) from unnest([numeric '99999999999999999999999999999.999999999', numeric '-99999999999999999999999999999.999999999', 0]) x

select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x) from unnest([numeric '99999999999999999999999999999.999999999', numeric '99999999999999999999999999999.999999999', null]) x

select var_pop(distinct x), var_samp(x), stddev_pop(distinct x), stddev_samp(x) from unnest([numeric '12345678901234567890.123456789', -3, 5.5, 0.000000001, 5.5, null]) x

select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), corr(x, x), covar_pop(x, x), covar_samp(x, x) from unnest(cast([] as array<numeric>)) x

select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), corr(x, x), covar_pop(x, x), covar_samp(x, x) from unnest([numeric '1.5', null]) x

select corr(x, y), corr(x, x), covar_pop(x, y), covar_samp(x, y) from (select numeric '12345678901234567890.123456789' x, numeric '3' y union all select -3, numeric '99999999999999999999999999999.1' union all select 5.5, -4.5 union all select null, 4 union all select 7, null union all select 1000000000, numeric '-1000000001.000000001')

select corr(x, 3), covar_pop(x, 3) from unnest([numeric '1', 2]) x

select var_pop(x) over (order by o rows between 1 preceding and current row), corr(x, o) over (order by o rows between 1 preceding and current row), covar_samp(x, cast(o as numeric)) over (order by o), stddev_pop(distinct x) over () from unnest([numeric '12345678901234567890.123456789', -3, 5.5, 0.000000001, 5.5, null]) x with offset o

select corr(x, y), covar_pop(x, y), covar_samp(x, y) from (select 1 x, numeric '1.5' y union all select 2, 2)

select corr(x, y), covar_pop(x, y) from (select 1.5 x, numeric '1.5' y union all select 2, 2)

select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), corr(x, x), covar_pop(x, x), covar_samp(x, x) from unnest([1e308, -1e308, 3.0]) x

select stddev_pop(x), stddev_samp(x), covar_pop(x, 1 / x) from unnest([1e-200, 2e-200, 4e-200]) x

select stddev_pop(x), covar_pop(x, y), covar_samp(x, y) from (select 1e300 x, 1e-300 y union all select 2e300, 3e-300 union all select 5e300, -1e-300)

select stddev_pop(x), stddev_pop(y), corr(x, y), corr(y, x), covar_pop(x, y) from (select 1e300 x, 1e-300 y union all select 1, 2 union all select 2, 1e-20)

select var_pop(distinct x), stddev_pop(distinct x), stddev_samp(x) from unnest([1e308, 1e-200, 2e-200, 2e-200, null]) x

select stddev_pop(x) over (order by o rows between 1 preceding and current row), corr(x, o) over (order by o rows between 2 preceding and current row) from unnest([1e308, -1e308, 3.0, 4, 1e-30, 3e-30, 2e-30, cast('nan' as float64)]) x with offset o

select var_pop(x), var_samp(x), stddev_pop(x), corr(x, x), covar_pop(x, x) from unnest([cast('inf' as float64), 1, 1e308]) x

select var_pop(x), var_samp(x), stddev_pop(x), stddev_samp(x), corr(x, x), covar_pop(x, x), covar_samp(x, x) from unnest([0.0, 0, null]) x
