select cast(timestamp as datetime) as timestamp, h.x_real_ip from edge_logs left join unnest(metadata) as m on true left join unnest(m.request) as r on true left join unnest(r.headers) as h on true where h.x_real_ip is not null

select id, timestamp, event_message, request.method, request.path, response.status_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response where response.status_code >= 400 order by timestamp desc, id limit 20

select * except(metadata) from edge_logs where project = @project order by timestamp, id limit 10

select s, safe_cast(s as int64), safe_cast(s as float64), safe_cast(s as bool), safe_cast(s as timestamp), safe_cast(s as date), safe_cast(s as datetime) from nums

select cast(x as string), x, cast(a as string), cast(flag as string), cast(ts as string), cast(cast(ts as datetime) as string), cast(cast(ts as date) as string) from nums

select ts, timestamp_trunc(ts, day), timestamp_trunc(ts, week), timestamp_trunc(ts, isoweek), timestamp_trunc(ts, week(monday)), timestamp_trunc(ts, month), timestamp_trunc(ts, quarter), timestamp_trunc(ts, year), timestamp_trunc(ts, minute), timestamp_trunc(ts, second), timestamp_trunc(ts, millisecond), timestamp_trunc(ts, isoyear) from nums

select timestamp_trunc(ts, day, 'America/New_York'), datetime(ts, 'America/New_York'), date(ts, 'Asia/Kolkata'), extract(hour from ts at time zone 'America/Los_Angeles'), extract(date from ts at time zone 'Asia/Tokyo'), timestamp(datetime(ts), 'Europe/Berlin'), string(ts, 'America/New_York'), format_timestamp('%F %T %Ez', ts, 'Asia/Kolkata') from nums

select extract(year from ts), extract(month from ts), extract(day from ts), extract(dayofweek from ts), extract(dayofyear from ts), extract(week from ts), extract(isoweek from ts), extract(isoyear from ts), extract(quarter from ts), extract(hour from ts), extract(minute from ts), extract(second from ts), extract(millisecond from ts), extract(microsecond from ts), extract(date from ts), extract(time from ts), extract(week(monday) from ts) from nums

select format_timestamp('%Y-%m-%d %H:%M:%S', ts), format_timestamp('%F %T %Z', ts), format_timestamp('%E3S %E*S %E6S', ts), format_timestamp('%a %A %b %B %d %e %j %k %l %I %p %P %y %U %W %u %w %G %V %C %s %Q %D %R %%', ts), format_date('%b %d, %Y', date(ts)), format_datetime('%c', datetime(ts)) from nums

select timestamp_add(ts, interval 90 minute), timestamp_sub(ts, interval 3 day), timestamp_diff(ts, timestamp '2026-01-01', hour), timestamp_diff(ts, timestamp '2026-01-01 12:30:00', day), timestamp_diff(ts, timestamp '2026-01-01', second), date_diff(date(ts), date '2026-01-31', month), date_diff(date(ts), date '2026-01-31', week), date_diff(date(ts), date '2026-01-31', year), datetime_diff(datetime(ts), datetime '2026-01-01 12:30:00', day), date_add(date(ts), interval 1 month), date_sub(date(ts), interval 1 year), date_trunc(date(ts), month), datetime_trunc(datetime(ts), hour), datetime_add(datetime(ts), interval 1 quarter) from nums

select unix_seconds(ts), unix_millis(ts), unix_micros(ts), timestamp_seconds(a), timestamp_millis(a * 1000), timestamp_micros(a), unix_date(date(ts)), last_day(date(ts)) from nums

select cast('2024-01-01T00:00:00Z' as timestamp), cast('2024-01-01 00:00:00.123456+05:30' as timestamp), timestamp('2024-01-01'), timestamp '2024-06-01 12:00:00 America/New_York', cast('2024-1-2' as timestamp), cast('2024-01-01 10:00:00 UTC' as timestamp), timestamp('2024-03-10 02:30:00', 'America/New_York')

select parse_timestamp('%Y-%m-%d %H:%M:%S', '2024-01-02 03:04:05'), parse_date('%Y%m%d', '20240102'), parse_timestamp('%FT%TZ', '2024-01-02T03:04:05Z'), parse_datetime('%d/%m/%Y', '05/06/2024'), parse_timestamp('%Y-%m-%dT%H:%M:%E*S', '2024-01-02T03:04:05.678')

select ts > '2026-06-01', ts > timestamp '2026-06-01', date(ts) >= '2026-01-01', ts between '2026-01-01' and '2026-12-31' from nums

select * from unnest(generate_date_array('2024-01-30', '2024-02-02')) d

select generate_array(1, 10, 3), generate_array(5, 1), generate_array(5, 1, -2), generate_date_array('2024-01-31', '2024-05-01', interval 1 month)

select current_timestamp() > timestamp '2020-01-01', timestamp_diff(current_timestamp(), timestamp_sub(current_timestamp(), interval 1 hour), minute), current_date() > '2020-01-01'

select net.host('https://a.b.c/x?y'), 'it\'s', r'a\b', '''tri'ple''', "\u00e9\n", b'ab\xff', 1e3, .5, 0x1F, -9223372036854775808, numeric '1.10' + 2, date '2024-02-29', null, true

select timestamp_sub(timestamp '2024-03-31', interval 1 day), timestamp '2024-01-31' + interval 1 day, timestamp '2024-01-31' - interval '1:30' hour to minute

select safe.substr('abc', 1, -1), safe.parse_timestamp('%Y', 'x'), safe.sqrt(-1.0)

select `timestamp` as `select`, ID from EDGE_LOGS order by Id limit 3

select timestamp '1969-12-31 23:59:59.999999', timestamp_trunc(timestamp '1960-02-03 04:05:06.789', hour), unix_seconds(timestamp '1969-12-31 23:59:59.5'), timestamp_diff(timestamp '1969-12-31 23:00:00', timestamp '1970-01-01 01:30:00', hour), extract(microsecond from timestamp '1969-12-31 23:59:59.999999'), format_timestamp('%F %T %E6S', timestamp '0012-03-04 05:06:07.89')

select cast(timestamp '0012-03-04 05:06:07.89' as string), cast(date '0099-01-02' as string), date '0001-01-01', timestamp '9999-12-31 23:59:59.999999', extract(week from date '2023-01-01'), extract(isoyear from date '2021-01-03'), date_trunc(date '2024-03-03', week), date_trunc(date '2024-03-02', isoyear), date_diff('2024-03-03','2024-03-02', week), date_diff('2024-01-01','2023-12-31', isoweek), date_diff('2020-12-31','2021-01-04', isoyear)

select datetime(timestamp '2024-03-10 10:00:00', 'America/New_York'), timestamp(datetime '2024-11-03 01:30:00', 'America/New_York'), timestamp_trunc(timestamp '2024-11-03 05:30:00', hour, 'America/New_York'), timestamp_trunc(timestamp '2024-03-10 12:00:00', day, 'America/New_York'), timestamp_trunc(timestamp '2024-03-10 12:00:00', hour, 'Asia/Kolkata'), timestamp('2024-01-01 00:00:00', '+05:30'), extract(hour from timestamp '2024-01-01 00:00:00' at time zone '+03'), timestamp_trunc(timestamp '2024-03-10 12:00:00', week, 'UTC')

select date_add(date '2024-01-31', interval 1 month), date_sub(date '2024-02-29', interval 1 year), datetime_add(datetime '2024-01-31 10:00:00', interval 1 month), timestamp_add(timestamp '2024-01-31 10:00:00', interval 2 day), date_add(date '2024-01-01', interval 1 week), datetime_sub(datetime '2024-03-31', interval 1 month), date '2024-01-01' + 5, date '2024-01-10' - 3, last_day(date '2024-02-01'), date_diff(date '2024-03-01', date '2024-02-01', day), date_diff(date '2024-03-01', date '2023-12-31', quarter), datetime_diff(datetime '2024-01-01 00:00:00', datetime '2023-12-31 23:59:59', year), datetime_diff(datetime '2024-01-01 10:00:00', datetime '2024-01-01 09:59:00', hour)

select extract(date from timestamp '2024-01-01 23:00:00+00' at time zone 'Asia/Tokyo'), date(timestamp '2024-01-01 23:00:00+00', 'Asia/Tokyo'), date(datetime '2024-01-01 23:00:00'), time(datetime '2024-01-01 23:01:02.5'), datetime(date '2024-01-01'), datetime(2024, 1, 2, 3, 4, 5), date(2024, 2, 3), timestamp(date '2024-01-01'), timestamp(datetime '2024-01-01 00:00:01'), extract(second from time '10:11:12'), time '10:11:12.5', cast('10:11:12' as time), time(10, 11, 12)

select format_time('%H:%M:%E6S', tm), format_time('%T', tm), format_time('%R %p %I', tm) from kinds

select 'ab' like 'a\\%', '_' like '\\_', 'a\\' like 'a\\\\', s like t || '%', s like '\\\\%' from nums

select split('a', null), format('%x %o', -255, 8)

select upper('straße'), upper('ŉ'), upper('ǰ'), upper('ﬁ'), upper('İ'), upper('ı'), upper('ΐ'), upper('ա'), upper('ǆ'), upper('ᾳ'), upper('ß')

select lower('ÀÉ'), lower('ΑΣ'), lower('Σ'), lower('İ'), lower('ẞ'), lower('Ǆ')

select initcap("hello wORLD o'neil a-b c_d"), initcap('ßa éA ǆa'), initcap('x1y 2nd')

select substr('abc', 9223372036854775807), substr('abc', -9223372036854775807), substr('abc', 2, 9223372036854775807), substr('日本語', -2)

select timestamp_trunc(ts, week(tuesday)), timestamp_trunc(ts, week(sunday)), timestamp_trunc(ts, microsecond), datetime_trunc(datetime(ts), isoyear), date_trunc(date(ts), week(saturday)), date_trunc(date(ts), quarter), date_trunc(date(ts), isoweek) from nums

select timestamp_trunc(ts, day, zone), timestamp_trunc(ts, hour, zone), timestamp_trunc(ts, week, zone), timestamp_trunc(ts, month, zone), datetime(ts, zone), date(ts, zone), extract(hour from ts at time zone zone), string(ts, zone) from nums, kinds where nums.id = kinds.id

select timestamp(dt, zone), timestamp(d, zone), timestamp(cast(dt as string), zone) from kinds where d > '1000-01-01' and d < '3000-01-01' and dt > '1000-01-01'

select timestamp(datetime '2024-11-03 01:30:00', 'America/New_York'), timestamp(datetime '2024-03-10 02:30:00', 'America/New_York'), timestamp(datetime '2024-04-07 01:45:00', 'Australia/Lord_Howe'), timestamp(datetime '2024-10-06 02:15:00', 'Australia/Lord_Howe'), timestamp(datetime '1883-11-18 12:01:00', 'America/New_York'), timestamp(datetime '2024-10-27 02:30:00', 'Europe/Berlin')

select timestamp_trunc(timestamp '2024-11-03 06:30:00', hour, 'America/New_York'), timestamp_trunc(timestamp '2024-03-31 00:30:00', day, 'Europe/Berlin'), timestamp_trunc(timestamp '2024-04-06 15:15:00', hour, 'Australia/Lord_Howe')

select d, extract(week from d), extract(isoweek from d), extract(isoyear from d), extract(dayofweek from d), extract(dayofyear from d), extract(quarter from d), extract(week(monday) from d), extract(year from d) from kinds

select dt, extract(microsecond from dt), extract(millisecond from dt), extract(second from dt), extract(date from dt), extract(time from dt), extract(hour from dt) from kinds

select extract(hour from tm), extract(microsecond from tm), extract(millisecond from tm), extract(second from tm) from kinds

select date_diff(d, '2024-03-03', day), date_diff(d, '2024-03-03', week), date_diff(d, '2024-03-03', isoweek), date_diff(d, '2024-03-03', month), date_diff(d, '2024-03-03', quarter), date_diff(d, '2024-03-03', year), date_diff(d, '2024-03-03', isoyear), date_diff(d, '2024-03-03', week(friday)) from kinds

select datetime_diff(dt, '2024-03-03 01:02:03.5', day), datetime_diff(dt, '2024-03-03 01:02:03.5', hour), datetime_diff(dt, '2024-03-03 01:02:03.5', minute), datetime_diff(dt, '2024-03-03 01:02:03.5', second), datetime_diff(dt, '2024-03-03 01:02:03.5', millisecond), datetime_diff(dt, '2024-03-03 01:02:03.5', microsecond), datetime_diff(dt, '2024-03-03 01:02:03.5', week), datetime_diff(dt, '2024-03-03 01:02:03.5', isoyear) from kinds

select timestamp_diff(ts, timestamp '2026-06-01 12:30:00.25', day), timestamp_diff(ts, timestamp '2026-06-01 12:30:00.25', hour), timestamp_diff(ts, timestamp '2026-06-01 12:30:00.25', millisecond), timestamp_diff(ts, timestamp '2026-06-01 12:30:00.25', microsecond) from nums

select date_add(d, interval 1 day), date_sub(d, interval 1 day) from kinds where d between '0002-01-01' and '9998-01-01'

select date_add(d, interval 1 month), date_sub(d, interval 13 month), date_add(d, interval 1 quarter), date_add(d, interval -1 year), date_add(d, interval 3 week) from kinds where d between '0102-01-01' and '9998-01-01'

select datetime_add(dt, interval 1 month), datetime_sub(dt, interval 5 microsecond), datetime_add(dt, interval 7 week), datetime_sub(dt, interval 1 year) from kinds

select timestamp_add(ts, interval a day), timestamp_sub(ts, interval b hour), timestamp_add(ts, interval a millisecond) from nums

select safe.timestamp_add(timestamp '9999-12-31', interval 10 day), safe.date_add(date '9999-12-31', interval 1 day)

select d + 1, d - 1, date '2024-01-01' + interval 1 day, dt + interval 1 hour, dt - interval 1 month, ts - interval 90 minute from kinds, nums where kinds.id = nums.id and d between '0002-01-01' and '9998-01-01'

select last_day(d), last_day(dt), last_day(d, month) from kinds

select unix_date(d), unix_seconds(timestamp(d)), unix_millis(timestamp(d)), unix_micros(timestamp(d)) from kinds

select timestamp_seconds(a * 100000000), timestamp_millis(a * 1000000000), timestamp_micros(-1), date_from_unix_date(5) from nums

select format_timestamp('%c|%s|%Z|%z|%Ez|%E0S', ts), format_timestamp('%F %T %Z %z %Ez', ts, zone) from nums, kinds where nums.id = kinds.id

select format_timestamp('%F %T %Z %z %Ez', ts, 'America/New_York'), format_timestamp('%Z', ts, 'Asia/Kolkata'), format_timestamp('%Z', ts, '+05:30'), format_timestamp('%H:%M:%E2S', ts), format_timestamp('x', ts), format_timestamp('', ts) from nums

select cast(ts as string), cast(dt as string), cast(d as string), cast(tm as string), cast(timestamp '2024-01-01 00:00:00.120' as string), cast(datetime '2024-01-01 00:00:00.120' as string) from nums, kinds where nums.id = kinds.id

select cast(cast(tm as string) as time), cast('1:2:3' as time), cast('10:11:12.5' as time) from kinds

select safe_cast(d || ' ' || h as datetime), safe_cast(d || 'T' || h || 'Z' as timestamp), safe_cast(d || ' ' || h || ' Europe/Berlin' as timestamp), safe_cast(h as time) from unnest(['2024-01-01', '2024-12-31']) d, unnest(['24:00:00', '24:00:00.5', '23:59:59', '3:4:5', '00:00:00', '25:00:00', '19:00:00', '20:00:00']) h

select d, date(concat(d, '')), safe.date(concat(d, 'x')) from unnest(['2020-09-01', '2020-9-1', '2020-09-01 23:34:56-08', '2020-09-01T00:34:56.5+08:00', '2020-09-01 23:59:60', '2020-09-01 23:34:56 America/New_York', '2020-09-01 +08', '0001-01-01', null]) d
