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
function_f as (select t.id, t.timestamp, t.event_message, m.level, m.function_id, m.execution_time_ms, m.status from function_logs t cross join unnest(t.metadata) m where t.project = @project)
