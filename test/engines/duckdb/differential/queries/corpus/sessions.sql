select user_pseudo_id, event_timestamp,
  last_value(traffic_source.source ignore nulls) over (partition by user_pseudo_id order by event_timestamp rows between unbounded preceding and current row) as carried
from `ga.events_*`

select user_pseudo_id, event_timestamp,
  first_value((select value.string_value from unnest(event_params) where key = 'page_location') ignore nulls) over (partition by user_pseudo_id order by event_timestamp rows between unbounded preceding and unbounded following) landing
from `ga.events_*`

with gaps as (
  select id, ip, timestamp, timestamp_diff(timestamp, lag(timestamp) over (partition by ip order by timestamp, id), minute) as gap
  from `logs.ev_*`
),
marked as (select *, if(gap is null or gap > 30, 1, 0) as is_new from gaps)
select id, ip, sum(is_new) over (partition by ip order by timestamp, id) as session from marked

with gaps as (
  select ip, timestamp, id, if(timestamp_diff(timestamp, lag(timestamp) over w, second) >= 3600 or lag(timestamp) over w is null, 1, 0) is_start
  from `logs.ev_*` where ip is not null
  window w as (partition by ip order by timestamp, id)
),
numbered as (select *, sum(is_start) over (partition by ip order by timestamp, id rows unbounded preceding) as n from gaps)
select ip, n, count(*) hits, min(timestamp) started, timestamp_diff(max(timestamp), min(timestamp), second) as seconds
from numbered group by ip, n order by ip, n

with s as (
  select user_pseudo_id, event_timestamp, event_name,
    event_timestamp - lag(event_timestamp) over (partition by user_pseudo_id order by event_timestamp) > 30 * 60 * 1000000 as late
  from `ga.events_*`
)
select user_pseudo_id, countif(late or late is null) as sessions, count(*) as events, count(*) / nullif(countif(late is null or late), 0) as per_session
from s group by user_pseudo_id order by user_pseudo_id

with hits as (
  select *, concat(coalesce(user_pseudo_id, '?'), '-', cast(div(event_timestamp, 3600000000) as string)) as sid from `ga.events_*`
)
select sid, string_agg(event_name, ' > ' order by event_timestamp) as path, count(*) as depth
from hits group by sid order by sid

select sid, path from (
  select div(event_timestamp, 86400000000) sid, string_agg(distinct event_name, '>' order by event_name limit 3) path from `ga.events_*` group by sid
) where path like '%page_view%'

with ordered as (
  select user_pseudo_id, event_name, row_number() over (partition by user_pseudo_id order by event_timestamp) as step from `ga.events_*`
)
select a.event_name as origin, b.event_name as next, count(*) as n
from ordered a left join ordered b on a.user_pseudo_id = b.user_pseudo_id and b.step = a.step + 1
group by origin, next

select device, measured, value, last_value(value ignore nulls) over (partition by device order by measured) as filled, first_value(value ignore nulls) over (partition by device order by measured rows between 1 following and unbounded following) as ahead from `iot.readings`

select device, measured, nth_value(value, 2 ignore nulls) over (partition by device order by measured rows between unbounded preceding and unbounded following) second_value, lead(state, 2, 'end') over (partition by device order by measured) later from `iot.readings`

select user_pseudo_id, event_timestamp,
  ntile(4) over (partition by user_pseudo_id order by event_timestamp) quarter,
  percent_rank() over (partition by user_pseudo_id order by event_timestamp) pr,
  cume_dist() over (partition by user_pseudo_id order by event_timestamp) cd
from `ga.events_*` where user_pseudo_id is not null

with t as (select ip, timestamp, coalesce(timestamp_diff(timestamp, lag(timestamp) over (partition by ip order by timestamp, id), millisecond), 0) ms from `logs.ev_*`)
select ip, max(ms) longest, avg(ms) average, approx_quantiles(ms, 2)[offset(1)] as median from t group by ip
-- as
with t as (select ip, timestamp, coalesce(timestamp_diff(timestamp, lag(timestamp) over (partition by ip order by timestamp, id), millisecond), 0) ms from `logs.ev_*`)
select distinct ip, max(ms) over (partition by ip) longest, avg(ms) over (partition by ip) average, percentile_disc(ms, 0.5) over (partition by ip) from t

with e as (select actor.login, created_at, date_diff(date(created_at), date(lag(created_at) over (partition by actor.login order by created_at, id)), day) as days from `hub.events`)
select login, countif(days > 7) as breaks, max(days) longest from e group by login

select ip, session_end - session_start as length, events from (
  select ip, min(timestamp) session_start, max(timestamp) session_end, count(*) events from `logs.ev_*` group by ip, timestamp_trunc(timestamp, hour)
) where events > 1

with first_touch as (
  select user_pseudo_id, array_agg(struct(traffic_source.source, traffic_source.medium) order by event_timestamp limit 1)[offset(0)] as t from `ga.events_*` group by 1
)
select user_pseudo_id, t.source, t.medium from first_touch

with touches as (
  select user_pseudo_id, event_timestamp, traffic_source.source as source, event_name = 'purchase' as is_sale from `ga.events_*` where traffic_source.source is not null
),
paths as (
  select user_pseudo_id, event_timestamp,
    array_agg(source) over (partition by user_pseudo_id order by event_timestamp rows between 3 preceding and 1 preceding) as before, is_sale
  from touches
)
select user_pseudo_id, event_timestamp, array_length(before) n, array_to_string(before, '>') as path from paths where is_sale

select id, timestamp, count(*) over (partition by ip order by unix_seconds(timestamp) range between 600 preceding and current row) as last_ten_minutes from `logs.ev_*`

select id, service, sum(bytes) over (partition by service order by unix_micros(timestamp) range between 3600000000 preceding and 1 preceding) as hour_before, max(latency_ms) over (partition by service order by timestamp, id rows between 2 preceding and 2 following) as peak from `logs.ev_*`

select session, countif(event_name = 'page_view') = 1 and count(*) = 1 as bounced from (
  select (select value.int_value from unnest(event_params) where key = 'ga_session_id') session, event_name from `ga.events_*`
) where session is not null group by session

select user_pseudo_id, timestamp_micros(min(event_timestamp)) as started, timestamp_trunc(timestamp_micros(min(event_timestamp)), week(monday)) as week from `ga.events_*` group by user_pseudo_id having started >= timestamp '2026-01-28 00:00:00+00'

select * from (
  select service, level, lag(level) over (partition by service order by timestamp, id) as before, id from `logs.ev_*`
) where level = 'ERROR' and before != 'ERROR'

select id, ip, first_value(path) over w as entry, last_value(path) over w as exit, count(*) over w as hits
from `logs.ev_*`
window w as (partition by ip, date(timestamp) order by timestamp, id rows between unbounded preceding and unbounded following)

select id, sum(n) over (order by id) - n as before from (select id, array_length(labels) as n from `logs.ev_*`)

with x as (select device, measured, timestamp_seconds(div(unix_seconds(measured), 300) * 300) as bucket, value from `iot.readings`)
select device, bucket, avg(value) mean, array_agg(value ignore nulls order by measured desc limit 1)[safe_offset(0)] as closing from x group by device, bucket
