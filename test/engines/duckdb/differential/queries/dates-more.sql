select time_add(time '10:00:00', interval 15 hour), time_sub(time '01:00:00', interval 90 minute), time_diff(time '10:00:00', time '09:59:59.5', second), time_trunc(time '10:11:12.345678', minute)

select date_bucket(date '2024-01-10', interval 2 day), timestamp_bucket(timestamp '2024-01-10 10:11:12', interval 15 minute), datetime_bucket(datetime '2024-01-10 10:11:12', interval 7 day, datetime '2024-01-03')

select extract(week(tuesday) from d), d from kinds

select last_day(d, year), last_day(d, quarter), last_day(d, week), last_day(d, isoweek), last_day(d, isoyear), last_day(d, week(wednesday)) from kinds where d < '9999-01-01' and d > '0002-01-01'

select make_interval(1,2,3,4,5,6), justify_days(interval 45 day), justify_hours(interval 30 hour), justify_interval(make_interval(0,0,29,49,0,0))

select interval 1 day + interval 2 hour, interval 1 day * 3, -interval 1 month, interval 1 month > interval 29 day, interval 30 day = interval 1 month, cast(interval 1 day as string), cast('1-2 3 4:5:6.789' as interval)

select extract(day from interval '1-2 3 4:5:6.789' year to second), extract(year from interval '1-2 3 4:5:6.789' year to second), extract(month from interval '1-2 3 4:5:6.789' year to second),extract(second from interval '1-2 3 4:5:6.789' year to second), extract(hour from interval '1-2 3 4:5:6.789' year to second), extract(millisecond from interval '1-2 3 4:5:6.789' year to second), extract(microsecond from interval '1-2 3 4:5:6.789' year to second)

select date '2024-03-01' - date '2024-02-01', timestamp '2024-03-01' - timestamp '2024-02-01 01:00:00', datetime '2024-03-01' - datetime '2024-02-01 01:00:00', time '10:00:00' - time '11:00:00'

select interval 5 day / 2, interval '1-1' year to month / 2, max(i), min(i) from unnest([interval 1 day, interval 25 hour]) i

select generate_timestamp_array(timestamp '2024-01-01', timestamp '2024-01-02', interval 6 hour), generate_timestamp_array(timestamp '2024-01-02', timestamp '2024-01-01', interval -6 hour), generate_date_array('2024-01-01', '2024-03-01', interval 2 week), generate_date_array('2024-01-31', '2024-06-01', interval 1 month), generate_date_array(null, '2024-06-01'), generate_date_array('2024-01-03', '2024-01-01', interval -1 day)

select date '2024-01-01' + interval 1 month, datetime '2024-01-31 00:00:00' + interval '1-1' year to month, timestamp '2024-01-01' + make_interval(hour => 3), interval 1 hour + timestamp '2024-01-01'

select string(timestamp '2024-01-01 10:00:00', 'Asia/Kolkata'), string(date '2024-01-01'), string(datetime '2024-01-01 10:00:00.5'), string(time '10:00:00')

select safe.timestamp_trunc(timestamp '2024-01-01 10:11:12.345678', day, 'Nowhere/City')

select datetime(timestamp '2024-01-01', 'EST5EDT'), datetime(timestamp '2024-01-01', 'EST')

select safe.date(2024, 13, 1), safe.datetime(2024, 1, 32, 0, 0, 0), safe.time(25, 0, 0), safe.datetime(date '2024-01-01', null)

select time(23, 59, 60)

select unix_date(date '1969-12-31'), date_from_unix_date(-1), date_from_unix_date(2932896)

select extract(isoyear from d), extract(year from dt), extract(datetime from ts at time zone '-08:00'), extract(time from dt), extract(date from dt), extract(isoweek from dt) from kinds join nums using (id)

select datetime_trunc(datetime '0001-01-05', isoyear)

select timestamp_diff(timestamp '9999-12-31', timestamp '0001-01-01', microsecond), datetime_diff(datetime '9999-12-31', datetime '0001-01-01', microsecond)

select date_bucket(date '2024-01-10', interval 1 month)

select timestamp_bucket(timestamp '2024-01-10', interval '25' hour), timestamp_bucket(timestamp '1900-01-10', interval '25' hour),timestamp_bucket(timestamp '2024-01-10 03:00:00', interval '1.5' second), datetime_bucket(datetime '2024-01-10 03:04:05', interval 3 month), datetime_bucket(datetime '1824-01-10 03:04:05', interval 1 year, datetime '2020-02-29'), date_bucket(date '2024-01-10', interval 7 day, date '2024-01-03'), date_bucket(date '1924-01-10', interval 5 month, date '2024-01-31'), timestamp_bucket(timestamp '2024-01-10 03:00:00', interval 2 hour, timestamp '2024-01-01 01:30:00')

select time_trunc(t, hour), time_trunc(t, second), time_trunc(t, millisecond), time_trunc(t, microsecond), time_add(t, interval 25 hour), time_sub(t, interval 1 microsecond), time_diff(t, time '12:00:00.5', hour), time_diff(t, time '12:00:00.5', minute), time_diff(t, time '12:00:00.5', second), time_diff(t, time '12:00:00.5', millisecond), time_diff(t, time '12:00:00.5', microsecond), time_add(t, interval 100000000 millisecond) from (select tm t from kinds)

select d, last_day(d, isoyear), last_day(d, year), last_day(d, week(monday)) from kinds where d between '0002-01-01' and '9998-01-01'

select extract(week(wednesday) from d), extract(week(thursday) from dt), extract(week(friday) from d), extract(week(saturday) from d), extract(week(sunday) from d), d, dt from kinds

select safe.timestamp_add(ts, interval a * 1000000 day), safe.date_add(date(ts), interval a * 1000 year), safe.datetime_sub(datetime(ts), interval a * 100000000000 second), safe.timestamp_seconds(a * 100000000000), safe.date_from_unix_date(a * 1000000), safe.date(2024, a, b), safe.datetime(2024, 1, a, b, 0, 0), safe.time(a, b, 0) from nums

select timestamp_trunc(ts, day, 'America/St_Johns'), timestamp_trunc(ts, hour, 'Asia/Kathmandu'), timestamp_trunc(ts, quarter, 'Australia/Lord_Howe'), timestamp_trunc(ts, isoweek, 'Pacific/Apia'), timestamp_trunc(ts, year, '+05:45') from nums

select t, z, datetime(t, z), timestamp_trunc(t, day, z), timestamp_trunc(t, hour, z), extract(hour from t at time zone z), string(t, z) from unnest([timestamp '2024-03-10 06:59:59', '2024-03-10 07:00:00', '2024-11-03 05:30:00', '2024-11-03 06:30:00', '2024-03-31 00:59:59.999999', '2024-03-31 01:00:00', '2024-10-27 00:30:00', '2024-10-27 01:30:00', '2024-04-06 15:15:00', '2024-10-05 15:30:00', '2011-12-30 10:00:00', '1970-01-01', '2038-01-19 03:14:08', '2100-07-01']) t, unnest(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Sao_Paulo', 'Asia/Kolkata', '-03:30']) z

select dt, z, timestamp(dt, z), timestamp(string(dt), z) from unnest([datetime '2024-03-10 01:59:59', '2024-03-10 02:00:00', '2024-03-10 02:30:00', '2024-03-10 03:00:00', '2024-11-03 00:59:59', '2024-11-03 01:00:00', '2024-11-03 01:30:00', '2024-11-03 02:00:00', '2024-03-31 02:30:00', '2024-10-27 02:30:00', '2024-04-07 01:45:00', '2024-10-06 02:15:00', '2011-12-30 12:00:00', '2018-11-04 00:30:00']) dt, unnest(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Sao_Paulo', 'Asia/Kolkata', '-03:30']) z

select generate_date_array('2024-01-31', '2025-01-31', interval 1 quarter), generate_date_array('2024-02-29', '2030-02-28', interval 1 year), generate_timestamp_array(timestamp '2024-01-01', '2024-01-01 00:00:00.000005', interval 2 microsecond), array_length(generate_timestamp_array(timestamp '2024-01-01', '2024-01-08', interval 1 minute)), generate_timestamp_array(timestamp '2024-01-01', '2023-01-01', interval 1 day), generate_timestamp_array('2024-01-01', '2024-01-02', interval 1 day)

select current_date('America/New_York') > '2020-01-01', current_datetime('+05:30') > '2020-01-01', current_time('Asia/Tokyo') is not null, current_timestamp > '2020-01-01'

select d between date '2020-01-01' and '2024-12-31', dt > '2024-01-01', d = '2024-02-29', tm < '12:00:00', d in ('2024-02-29', '2021-01-03'), ts in (timestamp '2026-01-01'), dt = datetime '2024-03-10 02:30:00' from kinds join nums using (id)

select date(2024, 2, 29), date(1, 1, 1), datetime(date '2024-01-01', time '10:00:00'), datetime(9999, 12, 31, 23, 59, 59), datetime(2024, 1, 1, 0, 0, 60), time(0, 0, 0), time(datetime '2024-01-01 10:11:12.5'), time(timestamp '2024-01-01 10:11:12.5', 'Asia/Kolkata'), timestamp(date '2024-01-01', 'America/New_York'), date(timestamp '2024-01-01 02:00:00', 'America/New_York')

select date(timestamp '2024-01-01 02:00:00'), timestamp('2024-01-01T02:00:00', 'America/New_York'), datetime('2024-01-01'), date('2024-1-1'), timestamp(timestamp '2024-01-01')

select safe.timestamp('2024-01-01 02:00:00+00', 'UTC'), timestamp('2024-01-01 02:00:00', 'UTC'), timestamp('2024-06-01', 'Europe/Berlin')

select datetime(timestamp '2026-11-20 06:00:00') a, timestamp(datetime '2026-11-20 06:00:00') b, datetime(timestamp(datetime '2026-11-20 06:00:00')) c, timestamp_add(timestamp '2026-11-20', interval 6 hour) d, datetime_add(datetime '2026-11-20', interval 6 hour) e from nums limit 1

select x, safe.timestamp_trunc(x, hour, 'Asia/Tokyo'), safe.timestamp_trunc(x, day, 'Asia/Tokyo'), safe.timestamp_trunc(x, hour, 'America/New_York'), safe.timestamp_trunc(x, minute, '-08:00'), safe.timestamp_trunc(x, isoyear, 'Asia/Kolkata') from unnest([timestamp '0001-01-01 00:00:00', '0001-01-01 00:30:00', '0001-01-02 00:00:00', '9999-12-31 23:59:59.999999', '9999-12-31 12:00:00', '9999-12-30 00:00:00']) x

select p, date_diff(a, b, minute), datetime_diff(a, b, hour), date_diff(b, a, day), timestamp_diff(a, b, second) from unnest(['x']) p, unnest([struct(timestamp '2024-02-29 12:34:56.789123' as a, timestamp '2023-12-31 23:59:59' as b)])

select timestamp_diff(a, b, minute), timestamp_diff(a, b, hour), timestamp_diff(b, a, day), timestamp_diff(a, b, week), date_diff(a, b, month), timestamp_diff(a, b, isoyear), timestamp_diff(a, date '2023-12-31', day), timestamp_diff(date(a), date(b), week(friday)), timestamp_diff(date(a), b, quarter) from unnest([struct(datetime '2024-02-29 12:34:56.789123' as a, datetime '2023-12-31 23:59:59' as b)])
