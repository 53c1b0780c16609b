-- stored
select datetime(cc.timestamp, 'UTC') as timestamp, coalesce(sum(cc.rest),0) rest, sum(auth) auth, sum(storage) s from chart_counts cc group by timestamp order by timestamp asc

-- stored
select id, event_message from edge_logs_f order by timestamp desc, id limit 7

-- stored
select level, count(*) c, avg(execution_time_ms) av, max(execution_time_ms) mx from function_f group by level order by c desc, level

-- stored
select f.function_id, count(distinct e.id) n from function_f f join edge_logs_f e on timestamp_trunc(e.timestamp, minute) = timestamp_trunc(f.timestamp, minute) group by 1

-- stored
select function_id, approx_quantiles(execution_time_ms, 100)[offset(95)] p95, approx_quantiles(execution_time_ms, 4) q from function_f group by 1

-- stored
select * from (select id, 'edge' src, timestamp from edge_logs_f union all select id, 'fn', timestamp from function_f) order by timestamp desc, id limit 25

-- stored
select timestamp_trunc(timestamp, minute) mnt, src, count(*) c from (select timestamp, 'e' as src from edge_logs_f union all (select timestamp, level from function_f)) group by 1, 2 order by 1, 2

with edge_logs_f as (
  select t.id, t.timestamp, t.event_message, t.metadata from edge_logs as t
  where t.project = @project and case when coalesce(@iso_timestamp_start, '') = '' then t.timestamp > timestamp_sub(timestamp '2026-11-20 06:00:00+00', interval 24 hour) else t.timestamp > cast(@iso_timestamp_start as timestamp) end
    and case when coalesce(@iso_timestamp_end, '') = '' then t.timestamp <= timestamp '2026-11-20 06:00:00+00' else t.timestamp <= cast(@iso_timestamp_end as timestamp) end
  order by cast(t.timestamp as timestamp) desc
),
dates as (select (case when @interval = 'hourly' then timestamp_sub(timestamp '2026-11-20 06:00:00+00', interval 5 hour) when @interval = 'daily' then timestamp_sub(timestamp '2026-11-20 06:00:00+00', interval 7 day) end) as start),
chart_counts as (
  select timestamp_trunc(t.timestamp, hour) as timestamp, COUNTIF(REGEXP_CONTAINS(f2.path, '/rest')) as rest, COUNTIF(REGEXP_CONTAINS(f2.path, '/auth')) as auth, COUNTIF(REGEXP_CONTAINS(f2.path, '/storage')) as storage
  from dates, edge_logs as t left join unnest(metadata) as f1 on true left join unnest(f1.request) as f2 on true
  where regexp_contains(f2.url, @project) and t.timestamp >= dates.start group by timestamp
),
function_f as (select t.id, t.timestamp, t.event_message, m.level, m.function_id, m.execution_time_ms, m.status from function_logs t cross join unnest(t.metadata) m where t.project = @project), x as (select id, row_number() over (order by timestamp, id) rn from edge_logs_f) select * from x where mod(rn, 7) = 0 order by rn
