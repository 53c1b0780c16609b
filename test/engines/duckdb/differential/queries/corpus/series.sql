with recursive chain as (
  select id, name, boss, 0 as depth, name as path from `shop.employees` where boss is null
  union all
  select e.id, e.name, e.boss, c.depth + 1, concat(c.path, ' > ', e.name) from `shop.employees` e join chain c on e.boss = c.id
)
select * from chain order by path

with recursive above as (
  select id as start, id, boss from `shop.employees`
  union all
  select a.start, e.id, e.boss from above a join `shop.employees` e on a.boss = e.id
)
select start, count(*) - 1 as bosses, array_agg(id order by id) as ids from above group by start

with recursive below as (
  select id as root, id, salary from `shop.employees`
  union all
  select b.root, e.id, e.salary from below b join `shop.employees` e on e.boss = b.id
)
select root, sum(salary) as cost, count(*) as people from below group by root

with recursive fib as (select 1 as n, 0 as a, 1 as b union all select n + 1, b, a + b from fib where n < 20) select n, a from fib

with recursive months as (select date '2026-01-31' as m union all select last_day(date_add(m, interval 1 month)) from months where m < '2026-06-01') select m, extract(day from m) from months

with recursive parts as (select 0 as i, 'a/b//c' as rest, cast(null as string) as part union all select i + 1, substr(rest, strpos(concat(rest, '/'), '/') + 1), split(rest, '/')[offset(0)] from parts where rest != '') select i, part from parts where i > 0

with recursive reach as (select 1 as node union distinct select e.id from reach r join `shop.employees` e on e.boss = r.node) select node from reach

with recursive t as (select [1] as path, 1 as last union all select array_concat(path, [n]), n from t, unnest([2, 3]) n where n > last) select array_to_string(array(select cast(x as string) from unnest(path) x), '-') as p from t

select day, extract(dayofweek from day) not in (1, 7) as is_workday, row_number() over (partition by date_trunc(day, month), extract(dayofweek from day) not in (1, 7) order by day) as nth from unnest(generate_date_array(date '2026-01-28', date '2026-02-10')) as day

select week, date_add(week, interval 6 day) as until, format_date('%G-W%V', week) as name from unnest(generate_date_array('2025-12-29', '2026-02-01', interval 1 week)) as week

select m, date_diff(date_add(m, interval 1 month), m, day) as days from unnest(generate_date_array('2024-01-01', '2024-12-01', interval 1 month)) as m with offset as o order by o

select format_timestamp('%H:%M', t) as at_time, o from unnest(generate_timestamp_array('2026-03-29 00:00:00', '2026-03-29 03:00:00', interval 30 minute)) as t with offset o

select count(*) from unnest(generate_date_array(@first_day, @last_day)), unnest(generate_array(0, 23, 6))

with marked as (
  select device, measured, state, row_number() over (partition by device order by measured) - row_number() over (partition by device, state order by measured) as grp from `iot.readings`
)
select device, state, min(measured) as begins, max(measured) as ends, count(*) as n from marked group by device, state, grp order by device, begins

with gaps as (
  select device, measured, timestamp_diff(measured, lag(measured) over (partition by device order by measured), second) as gap from `iot.readings`
)
select device, measured, gap from gaps where gap > 120

with islands as (
  select device, measured, countif(gap is null or gap > 120) over (partition by device order by measured) as island from (
    select device, measured, timestamp_diff(measured, lag(measured) over (partition by device order by measured), second) as gap from `iot.readings`
  )
)
select device, island, count(*) as n, timestamp_diff(max(measured), min(measured), second) as seconds from islands group by device, island

with days as (select distinct customer_id, ordered from `shop.orders` where customer_id is not null),
runs as (select customer_id, ordered, date_sub(ordered, interval row_number() over (partition by customer_id order by ordered) day) as run from days)
select customer_id, max(n) as longest from (select customer_id, run, count(*) as n from runs group by customer_id, run) group by customer_id

select device, minute, coalesce(r.value, last_value(r.value ignore nulls) over (partition by device order by minute)) as value
from unnest(generate_timestamp_array('2026-01-28 00:00:00+00', '2026-01-28 00:20:00+00', interval 1 minute)) as minute cross join unnest(['d0', 'd1']) as device
left join (select device, timestamp_trunc(measured, minute) as minute, avg(value) as value from `iot.readings` group by 1, 2) r using (device, minute)
order by device, minute

select device, measured, value, avg(value) over w as mean, value > avg(value) over w + 2 * stddev(value) over w as outlier, min(value) over w as low from `iot.readings` window w as (partition by device order by measured rows between 5 preceding and 1 preceding)

with w as (select device, measured, value, lag(value) over (partition by device order by measured) as before, unix_seconds(measured) - unix_seconds(lag(measured) over (partition by device order by measured)) as dt from `iot.readings`)
select device, sum(value * dt) / sum(if(value is null, null, dt)) as weighted, sum(greatest(value - before, 0)) as rise from w group by device

select device, countif(ok) / count(ok) as uptime, countif(ok is null) as unknown, logical_and(ok) as always, bit_or(if(ok, 1, 2)) as bits from `iot.readings` group by device

select device, array_agg(value order by measured limit 4) is not null as has_values, array_length(array_agg(value ignore nulls order by measured limit 4)) as n from `iot.readings` group by device

select device, state, count(*) n from `iot.readings` group by grouping sets ((device), (state), ())
-- as
select device, null, count(*) from `iot.readings` group by device union all select null, state, count(*) from `iot.readings` group by state union all select null, null, count(*) from `iot.readings`

with periods as (select 'a' as who, date '2026-01-01' as begins, date '2026-01-10' as ends union all select 'a', '2026-01-05', '2026-01-20' union all select 'a', '2026-02-01', null union all select 'b', '2026-01-03', '2026-01-04'),
flagged as (select *, if(begins <= max(ends) over (partition by who order by begins rows between unbounded preceding and 1 preceding), 0, 1) as starts from periods),
numbered as (select *, sum(starts) over (partition by who order by begins) as n from flagged)
select who, min(begins) as begins, if(logical_or(ends is null), null, max(ends)) as ends from numbered group by who, n

select time, sum(change) over (order by time, change desc) as open_now from (select measured as time, 1 as change from `iot.readings` where device = 'd0' union all select timestamp_add(measured, interval 5 minute), -1 from `iot.readings` where device = 'd0')
