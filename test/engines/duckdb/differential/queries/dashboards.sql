select cast(t.timestamp as datetime) as timestamp, event_message, metadata from edge_logs t order by timestamp desc, id limit 20

select identifier, count(*) as cnt from (select coalesce(h.x_real_ip, 'unknown') as identifier from edge_logs cross join unnest(metadata) m cross join unnest(m.request) r left join unnest(r.headers) h) group by identifier order by cnt desc, identifier limit 10

select path, count(*) as count, avg(response.origin_time) as avg_origin_time, max(response.origin_time) as slowest from edge_logs t cross join unnest(metadata) m cross join unnest(m.request) request cross join unnest(m.response) response group by path order by count desc, path limit 10

select request.path as path, request.method as method, request.search as search, response.status_code as status_code, count(request.path) as count from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(request.headers) as headers group by request.path, request.method, request.search, response.status_code order by count desc, path, method, search, status_code limit 10

select timestamp_trunc(t.timestamp, minute) as timestamp, count(t.id) as count from edge_logs t cross join unnest(t.metadata) as metadata cross join unnest(metadata.request) as request where regexp_contains(request.path, '^/rest/v1/') group by timestamp order by timestamp asc

select timestamp_trunc(t.timestamp, minute) as timestamp, avg(response.origin_time) as avg_response_time, from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response group by timestamp

select cf.country as country, count(*) as count from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r cross join unnest(r.cf) as cf where cf.country is not null group by country

select timestamp_trunc(timestamp, hour) t, countif(level = 'error') errors, countif(level = 'info') infos, safe_divide(countif(level = 'error'), count(*)) rate from function_logs, unnest(metadata) group by t order by t

select function_id, count(*) calls, round(avg(execution_time_ms), 3) avg_ms, max(execution_time_ms) max_ms, min(execution_time_ms) min_ms from function_logs cross join unnest(metadata) m where execution_time_ms is not null group by function_id having calls > 3 order by avg_ms desc

select parsed.error_severity, count(*) from function_logs cross join unnest(metadata) m cross join unnest(m.parsed) as parsed where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC') group by 1

select f.id, f.event_message, m.level from function_logs as f cross join unnest(f.metadata) as m where m.level = 'error' and regexp_contains(f.event_message, '(?i)typeerror|booted') order by f.timestamp desc, f.id limit 50

with errors as (select timestamp_trunc(timestamp, hour) as h, count(*) as n from function_logs, unnest(metadata) m where m.level = 'error' group by h), totals as (select timestamp_trunc(timestamp, hour) as h, count(*) as n from function_logs group by h) select totals.h, coalesce(errors.n, 0) as errors, totals.n as total, ifnull(errors.n, 0) / totals.n as ratio from totals left join errors using (h) order by h

with recent as (select * from edge_logs order by timestamp desc, id limit 50) select count(*), min(timestamp), max(timestamp), count(distinct project) from recent

with paths as (select r.path, m.response[safe_offset(0)].status_code as status from edge_logs, unnest(metadata) m, unnest(m.request) r), ranked as (select path, status, count(*) n, rank() over (partition by status order by count(*) desc, path) as rnk from paths group by path, status) select * from ranked where rnk <= 2 order by status, rnk, path

select split(path, '/')[safe_offset(1)] as area, count(*) from edge_logs, unnest(metadata) m, unnest(m.request) group by area order by 2 desc, 1

select case when status_code between 200 and 299 then '2xx' when status_code between 300 and 399 then '3xx' when status_code between 400 and 499 then '4xx' when status_code >= 500 then '5xx' else 'none' end as class, count(*) as n from edge_logs left join unnest(metadata) m left join unnest(m.response) group by class order by class

select format_timestamp('%Y-%m-%d %H:00', timestamp) as hour, count(1) as n from edge_logs group by hour order by hour

select extract(hour from timestamp) hr, extract(minute from timestamp) as mi, count(*) from edge_logs group by hr, mi having count(*) > 1 order by hr, mi

select h, coalesce(c, 0) c from unnest(generate_timestamp_array('2026-11-20 00:00:00', '2026-11-20 06:00:00', interval 1 hour)) h left join (select timestamp_trunc(timestamp, hour) th, count(*) c from edge_logs group by th) on h = th order by h

select id, json_value(event_message, '$.a.b') b, json_value(event_message, '$.d[1]') d1 from edge_logs where starts_with(event_message, '{') order by id limit 5

select e.id from edge_logs e where not exists (select 1 from unnest(e.metadata) m, unnest(m.response) r where r.status_code < 500) order by e.id

select e.id, (select max(r.status_code) from unnest(metadata) m cross join unnest(m.response) r) as worst from edge_logs e where (select count(*) from unnest(metadata) m, unnest(m.tags) t where t = 'a') >= 1 order by worst desc, id limit 15

select 'edge' as source, count(*) as n, max(timestamp) as latest from edge_logs union all select 'functions', count(*), max(timestamp) from function_logs union all select 'none', 0, null order by source

select source, timestamp, id from (select 'edge' source, timestamp, id from edge_logs where project = 'abc' union all select 'fn' source, timestamp, id from function_logs where project = 'abc') order by timestamp desc, id limit 30

select project, array_agg(distinct m.level ignore nulls order by m.level) levels, string_agg(distinct m.function_id, ', ' order by m.function_id) fns from function_logs, unnest(metadata) m group by project

select project, array_agg(struct(id, timestamp) order by timestamp desc, id limit 2) latest from edge_logs group by project

select user_agent, count(distinct x_real_ip) ips, count(*) hits, min(t.timestamp) first_seen, max(t.timestamp) last_seen from edge_logs t, unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h where user_agent is not null group by user_agent order by hits desc

select timestamp_diff(max(timestamp), min(timestamp), minute) mins, count(*) / timestamp_diff(max(timestamp), min(timestamp), minute) per_min from edge_logs

select id, timestamp, lag(timestamp) over (partition by project order by timestamp, id) prev, timestamp_diff(timestamp, lag(timestamp) over (partition by project order by timestamp, id), millisecond) gap from edge_logs order by id

select bucket, count(*) n, sum(count(*)) over (order by bucket) running from (select timestamp_seconds(300 * div(unix_seconds(timestamp), 300)) bucket from edge_logs) group by bucket order by bucket

select date(timestamp) as day, count(*) as total, countif(project = 'abc') as abc, count(distinct if(project = 'def', id, null)) as def from edge_logs group by day

select count(*) from edge_logs where timestamp between timestamp '2026-11-20 01:00:00' and timestamp '2026-11-20 02:00:00' and (event_message like '%ERROR%' or event_message is null)

select * except (metadata) from edge_logs where id in (select id from edge_logs group by id having count(*) = 1) order by id limit 5

select t.id, metadata.load, array_length(metadata.tags) from edge_logs t, unnest(metadata) as metadata where metadata.load is not null and 'a' in unnest(metadata.tags) order by id, load

select r.method, any_value(r.path having max t.timestamp) latest_path, count(*) from edge_logs t, unnest(metadata) m, unnest(m.request) r group by r.method

select if(r.search is null, '(none)', r.search) search, count(*) from edge_logs, unnest(metadata), unnest(request) r group by search order by 2 desc, 1

select regexp_extract(r.url, r'https?://([^/]+)') host, count(*) from edge_logs, unnest(metadata), unnest(request) r group by host order by host

select net.host(r.url) host, regexp_extract(r.path, '^/([a-z]+)/v1') api, count(*) c from edge_logs, unnest(metadata), unnest(request) r group by 1, 2 order by c desc, 1, 2

select status, safe_cast(status as int64) s, safe_cast(status as float64) f from function_logs, unnest(metadata) group by status order by status

select percentile_cont(execution_time_ms, 0.95) over (partition by function_id) p95, function_id from function_logs, unnest(metadata) order by function_id, p95

select distinct function_id, percentile_cont(execution_time_ms, 0.5) over (partition by function_id) median from function_logs, unnest(metadata) order by 1

select function_id, t.timestamp, execution_time_ms, avg(execution_time_ms) over (partition by function_id order by t.timestamp, t.id rows between 4 preceding and current row) as moving from function_logs t, unnest(metadata) order by function_id, timestamp, execution_time_ms

select id, level, row_number() over (partition by level order by timestamp desc, id) rn from function_logs, unnest(metadata) qualify rn <= 2 order by level, rn

select level, n, n - lag(n, 1, 0) over (order by n, level) as delta from (select level, count(*) n from function_logs, unnest(metadata) group by level) order by n, level

select id, event_message, length(event_message) len, upper(substr(event_message, 1, 3)) head from edge_logs where length(trim(event_message)) > 5 order by len desc, id limit 4

select a.h, a.n as edge, b.n as fn from (select timestamp_trunc(timestamp, hour) h, count(*) n from edge_logs group by h) a full outer join (select timestamp_trunc(timestamp, hour) h, count(*) n from function_logs group by h) b on a.h = b.h order by 1

select * from (select project, extract(hour from timestamp) as h from edge_logs) pivot (count(*) for h in (0, 1, 2, 3, 4, 5)) order by project

select * from (select project, r.method as m from edge_logs, unnest(metadata), unnest(request) r) pivot (count(*) as n for m in ('GET' as get, 'POST' as post, 'PUT')) order by 1

select t.timestamp as timestamp, t.id as log_id, t.event_message as msg, from edge_logs as t where t.project = @project and t.timestamp > timestamp_sub(timestamp '2026-11-20 06:00:00', interval 3 hour) order by t.timestamp desc, log_id limit 10;

select timestamp, id from edge_logs where timestamp > cast(@iso_timestamp_start as timestamp) and timestamp < timestamp(@iso_timestamp_end) order by timestamp, id limit 5

select countif(case when @interval = 'hourly' then true else false end), if(@project = 'abc', 'yes', 'no') from edge_logs

select timestamp_trunc(timestamp, day) d, timestamp_trunc(timestamp, week) w, timestamp_trunc(timestamp, month) m, count(*) from edge_logs group by d, w, m

select min(id) keep, count(*) dup, event_message from edge_logs group by event_message having dup > 1 order by dup desc, event_message

select id from edge_logs where event_message = (select event_message from edge_logs where event_message is not null group by event_message order by count(*) desc, event_message limit 1) order by id

select l.project, l.n, r.n from (select project, count(*) n from edge_logs group by project) l join (select project, count(*) n from function_logs group by project) r on r.project = l.project order by l.project

select count(*) total, count(event_message) with_message, count(*) - count(event_message) without, count(distinct event_message) kinds from edge_logs

select r.*, o.* from edge_logs, unnest(metadata) m, unnest(m.request) r, unnest(m.response) o where id = 'e0003'

select m.* from edge_logs, unnest(metadata) m order by id limit 3

select as struct id, (select array_agg(t order by t) from unnest(m.tags) t) tags from edge_logs, unnest(metadata) m order by id limit 5
