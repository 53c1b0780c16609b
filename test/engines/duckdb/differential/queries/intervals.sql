select interval 1 day + timestamp '2024-01-01', date '2024-01-31' + interval 1 month, date '2024-01-31' - interval 1 day, datetime '2024-01-31 10:00:00' + make_interval(year=>1, month=>1, hour=>5), date '2024-01-31' + interval '1:30' hour to minute

select make_interval(), make_interval(1), make_interval(second=>90, minute=>-1), make_interval(hour=>-25, day=>3)

select justify_days(make_interval(month=>1, day=>-40)), justify_hours(make_interval(day=>1, hour=>-30)), justify_interval(make_interval(month=>1,day=>-40,hour=>50)), justify_days(interval -65 day), justify_hours(interval '-50:30:1.5' hour to second), justify_interval(interval '-1-2 40 50:0:0' year to second)

select i, cast(i as string), -i, i * 2, i / 2, extract(year from i), extract(month from i), extract(day from i), extract(hour from i), extract(minute from i), extract(second from i), extract(millisecond from i), extract(microsecond from i) from unnest([interval '1-2 3 4:5:6.789' year to second, interval '-1-2 -3 -4:5:6.000001' year to second, interval 0 day, interval 100 hour, make_interval(month=>-13, day=>5, second=>-1), interval 3 month, interval 7 day, interval 1 second, interval '0.000003' second]) i

select i / 3, i / -7, i * -3 from unnest([interval 1 month, interval 1 day, interval 1 hour, interval '1-1 1 1:1:1' year to second, interval 100 day, make_interval(month=>-7, day=>5, second=>-1)]) i

select interval 10000 year

select interval 3660000 day, interval -3660000 day

select interval 87840000 hour

select a, interval a day, interval a month, interval a*3 quarter, interval a week, interval a hour, interval a second, interval a minute, interval a year from nums where id < 8

select a < b, a = b, a > b, a <= b, a, b from unnest([interval 1 month, interval 30 day, interval 720 hour, interval 31 day, interval 29 day, interval -1 day, interval -24 hour, interval 0 day]) a, unnest([interval 1 month, interval 30 day, interval 29 day, interval 720 hour, interval -1 month]) b

select i, count(*) from unnest([interval 1 month, interval 30 day, interval 720 hour]) i group by i

select distinct i = interval 30 day from unnest([interval 1 month, interval 30 day, interval 720 hour, null]) i

select min(i), max(i) from unnest([interval 1 month, interval 31 day, interval -3 hour, null]) i

select i from unnest([interval 1 month, interval 31 day, interval -3 hour, interval 29 day]) i order by i

select s, safe_cast(s as interval) from unnest(['1-2 3 4:5:6.789', '1-2', '3 4:5:6', '4:5:6', '-1-2 -3 -4:5:6', 'P1Y2M3DT4H5M6.5S', 'P1D', 'PT36H', 'PT-5M', 'P-1Y2M', '1', '1 2', '4:5', '1-2 3', '1-2 4:5', '+1-2 +3 +4:5:6', '0-0 0 0:0:0', '1-13', '4:99', '', 'P', 'PT', '1-2 3 4:5:6.1234567', '1-2 3 4:5:6.123456789', '10001-0', 'P1W', 'p1d', 'PT0.000001S', ' 1-2', '0:0:0.5', '-0:0:0.5','1-2 3 100:0:0', '.5', '1:2:3.', 'P1.5D','PT1.5M']) s

select timestamp '2024-03-01' - timestamp '2024-02-01 01:00:00', datetime '2024-03-01' - datetime '2024-02-01 01:00:00.5', time '10:00:00' - time '11:00:00', date '2024-01-01' - date '2023-01-01', date '2024-01-01' - 5

select ts - timestamp '2026-01-01', dt - datetime '2020-01-01 10:00:00.5', d - date '2000-01-01', tm - time '12:00:00' from nums join kinds using (id)

select ts + i, datetime(ts) - i, ts - i from nums, unnest([interval 1 hour, interval -90 minute, make_interval(day=>1, hour=>2)]) i where id < 5

select datetime '2024-01-31' + i, date '2024-03-31' - i from unnest([interval 1 month, interval '1-1' year to month, make_interval(month=>1, day=>1, hour=>-1)]) i

select safe.date_add(date '9999-12-31', interval 1 month), safe.timestamp_add(timestamp '2024-01-01', interval 9223372036854775807 microsecond), safe.date_add(date '2024-01-01', interval 3000000000 day), safe.date_sub(date '2024-01-01', interval a year) from nums where id < 5

select extract(day from timestamp '2024-01-02' - timestamp '2024-01-01'), extract(hour from timestamp '2024-01-03' - timestamp '2024-01-01')

select to_json_string(i), to_json(i) from unnest([interval 1 day, interval '1-2 3 4:5:6.789' year to second, interval -5 minute, interval 0 day, make_interval(-1,2,-3,4,5,6), interval '0.000001' second, interval -100 hour, interval 14 month, interval '-0.5' second, interval '-3:00:00.5' hour to second]) i

select interval '10:20:30.5' hour to second, interval '5' day, interval '1 2' day to hour, interval '2 10:20' day to minute, interval '7-1 3' year to day

select interval '10:20:30.5' hour to second, interval '5' day, interval '1 2' day to hour, interval '2 10:20' day to minute, interval '7-1 3' year to day, interval '-7' day, interval '-1:2' minute to second

select min(i), max(i), sum(i), avg(i), count(i) from unnest([interval 1 month, interval 31 day, interval -3 hour, null]) i

select sum(i), avg(i) from unnest([interval '1-2 3 4:5:6.789' year to second, interval '-0-1 -40 -100:0:0.5' year to second, interval '0.000001' second]) i

select sum(i), avg(i) from unnest(cast([] as array<interval>)) i

select flag, avg(ts - timestamp '2026-01-01'), sum(ts - timestamp '2026-01-01') from nums group by flag

select id, sum(interval a day) over (order by id), avg(interval b hour) over (partition by flag order by id rows between 2 preceding and current row) from nums where a is not null and b is not null

select timestamp_bucket(timestamp '2020-01-02 03:04:05', interval 3 hour, null)

select timestamp_bucket(timestamp '2020-01-02 03:04:05', interval 3 hour)

select date_bucket(date '2020-01-02', interval 3 day, cast(null as date)), datetime_bucket(datetime '2020-01-02 03:04:05', interval 3 hour, null)

select date_bucket(datetime '2020-01-02 03:04:05', interval 3 day)

select date_bucket(timestamp '2020-01-02 03:04:05', interval 3 day), timestamp_bucket(date '2020-01-02', interval 2 day), timestamp_bucket(datetime '2020-01-02 03:04:05', interval 2 hour)

select a, b, a < b, a = b, a >= b, a is distinct from b, a between b and interval 27 day, a in (b, interval 1 day), a in unnest([b]), nullif(a, b), case a when b then 1 else 2 end, greatest(a, b, interval 5 day), least(a, b) from unnest([make_interval(month=>1, day=>-4), interval 26 day, make_interval(day=>1, hour=>-23), interval 1 hour]) a, unnest([interval 26 day, make_interval(day=>27, hour=>-24), make_interval(month=>2, day=>-60)]) b

select i, count(*) from unnest([interval 29 day, make_interval(month=>1, day=>-1), interval 30 day]) i group by i having i < interval 30 day

select count(distinct i), max(i), min(i), count(i), string_agg(cast(i as string), ',' order by i desc, j) from unnest([make_interval(month=>1, day=>-4), interval 27 day, interval 25 day, interval '26 -0:0:1' day to second, null]) i with offset j

select i from unnest([make_interval(month=>1, day=>-4), interval 27 day, interval 25 day, make_interval(month=>-1, day=>40), null]) i order by i

select j, rank() over (order by i), count(*) over (partition by i), first_value(j) over (order by i desc, j), max(i) over (order by j) from unnest([make_interval(month=>1, day=>-4), interval 26 day, interval 27 day, make_interval(month=>1, day=>-3)]) i with offset j

select count(*) from (select make_interval(month=>1, day=>-4) i union distinct select interval 26 day)

select count(*) from (select make_interval(month=>1, day=>-4) i intersect distinct select interval 26 day)

select count(*) from (select make_interval(month=>1, day=>-4) i except distinct select interval 26 day)

select x.j, y.j from unnest([make_interval(month=>1, day=>-4), null]) i with offset j join unnest([interval 26 day, null]) k with offset l on i = k join (select 7 j) y on true join (select 8 j) x on true

select make_interval(month=>1, day=>-4) in (select interval 26 day), interval 3 day in (select cast(null as interval)), (make_interval(month=>1, day=>-4), 1) = (interval 26 day, 1)

select any_value(j having max i) from unnest([make_interval(month=>1, day=>-4), interval 25 day]) i with offset j

select array_is_distinct([interval 1 month, interval 30 day]), array_is_distinct([make_interval(month=>1, day=>-4), interval 26 day]), array_is_distinct([make_interval(month=>1, day=>-4), interval 27 day, null]), array_is_distinct([interval 1 day, null, null])

select approx_top_count(i, 2) from unnest([interval 1 day, interval 24 hour, make_interval(month=>1, day=>-4), interval 26 day, interval 2 day, interval 26 day]) i where i != interval 48 hour

select (select as struct t.value = interval 26 day, t.count from unnest(top) t with offset o where o = 0) a, (select as struct t.value = interval 1 day, t.count from unnest(top) t with offset o where o = 1) b, array_length(top) from (select approx_top_count(i, 9) top from unnest([interval 24 hour, make_interval(month=>1, day=>-4), interval 1 day, interval 26 day, null, interval '624:0:0' hour to second]) i)

select (select as struct t.value = interval 1 month, t.sum from unnest(top) t with offset o where o = 0) a, array_length(top) from (select approx_top_sum(i, w, 9) top from unnest([struct(interval 30 day as i, 2 as w), (interval 29 day, 3), (interval 1 month, 4)]))

select greatest(interval 1 month, interval 30 day, interval 29 day), least(interval 30 day, interval 1 month), greatest(interval 1 day, null), least(make_interval(month=>1, day=>-4), interval 25 day, interval 27 day)

select range_bucket(make_interval(month=>1, day=>-4), [interval 25 day, interval 26 day, interval 27 day])

select safe_cast(x as interval) from unnest(['PT2,25S', 'PT-2,25S', 'PT2,1234567S', 'PT1H2,5S', 'PT,5S', 'PT.5S', 'PT-.5S', 'PTS', 'PT2,S', 'P1,5Y', 'PT1,5M', '0:0:1,5', 'PT2,1234567891S', 'PT']) x
