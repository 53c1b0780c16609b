select * from edge_logs

SELECT * FROM EDGE_LOGS;

select id, timestamp, event_message from edge_logs order by timestamp desc limit 100

select * except (metadata) from postgres_logs

select * replace (upper(id) as id) from function_edge_logs

select t.* from function_logs as t

select `id` from `auth_logs`

select count(*) from realtime_logs

select count(*) as n, min(timestamp) as first, max(timestamp) as last from storage_logs

select count(distinct id) as n from postgrest_logs

select id from pgbouncer_logs where event_message like 'own%'

select timestamp_trunc(timestamp, minute) as minute, count(*) as n from edge_logs group by minute order by minute

SELECT TIMESTAMP_TRUNC(t.timestamp, HOUR) AS timestamp, COUNT(t.id) AS count FROM edge_logs t GROUP BY 1 ORDER BY 1 DESC

select m.request[safe_offset(0)].method as method from edge_logs, unnest(metadata) as m

select r.path, count(*) as n from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r group by r.path order by n desc limit 10

select request.method, response.status_code from edge_logs t, t.metadata as m, m.request as request, m.response as response

select response.status_code, countif(response.status_code >= 500) as errors, count(*) as total from edge_logs left join unnest(metadata) as m left join unnest(m.response) as response on true group by 1

select h.user_agent from edge_logs e, unnest(e.metadata) m, unnest(m.request) r, unnest(r.headers) h where h.user_agent is not null

select id from edge_logs where exists (select 1 from unnest(metadata) m, unnest(m.response) r where r.status_code > 200)

select id, (select max(r.status_code) from unnest(metadata) m, unnest(m.response) r) as status from edge_logs

select id, array(select r.path from unnest(metadata) m, unnest(m.request) r) as paths from edge_logs

select array_length(metadata) as n from edge_logs

select metadata[offset(0)].request as request from edge_logs

select o, m.load_balancer_redirect_identifier as x from edge_logs, unnest(metadata) as m with offset as o

select id from edge_logs union all select id from auth_logs

select 'edge' as source, count(*) as n from edge_logs union all select 'auth', count(*) from auth_logs union all select 'storage', count(*) from storage_logs order by n

(select id from edge_logs) union distinct (select id from edge_logs)

select id from edge_logs except distinct select id from auth_logs

select id from edge_logs intersect distinct select id from edge_logs

select e.id, a.id as auth_id from edge_logs as e join auth_logs as a on e.timestamp = a.timestamp

select e.id, a.id as auth_id from edge_logs e left join auth_logs a using (timestamp)

select count(*) from edge_logs e full join auth_logs a on e.id = a.id

select count(*) from edge_logs, auth_logs

select a.id from (edge_logs e join auth_logs a using (timestamp)) join storage_logs s using (timestamp)

with errors as (select * from edge_logs where event_message like '%own%') select count(*) as n from errors

with a as (select id, timestamp from edge_logs), b as (select id, timestamp from a) select * from b

with edge_logs as (select id, event_message from edge_logs where id != 'x') select * from edge_logs

with edge_logs as (select 1 as x), auth_logs as (select x + 1 as y from edge_logs) select * from edge_logs, auth_logs

with recursive r as (select 1 as n union all select n + 1 from r where n < 10) select sum(n) as total from r

with buckets as (select ts from unnest(generate_timestamp_array('2026-11-20', '2026-11-20 05:00:00', interval 1 hour)) as ts), counts as (select timestamp_trunc(timestamp, hour) as ts, count(*) as n from edge_logs group by 1) select b.ts, coalesce(c.n, 0) as n from buckets b left join counts c using (ts) order by b.ts

select * from (select id from edge_logs limit 2) limit 1

select id from (select id, row_number() over (order by timestamp desc) as rank from edge_logs) where rank = 1

select id, row_number() over (order by timestamp) as n, lag(id) over (order by timestamp) as previous from edge_logs

select id, sum(1) over (order by timestamp rows between unbounded preceding and current row) as running from edge_logs

select id from edge_logs where true qualify row_number() over (partition by event_message order by timestamp) = 1

select id, rank() over w as r from edge_logs window w as (order by timestamp)

select approx_count_distinct(id) as n from edge_logs

select string_agg(id, ', ' order by id) as ids from edge_logs

select array_agg(id order by timestamp desc limit 2) as ids from edge_logs

select any_value(id) is not null as x from edge_logs

select avg(length(event_message)) as mean, stddev(length(event_message)) as deviation from edge_logs

select approx_quantiles(length(id), 4)[offset(2)] as median from edge_logs

select logical_or(id like '%0%') as x, logical_and(true) as y from edge_logs

select event_message, count(*) as n from edge_logs group by event_message having n >= 1 order by n desc, event_message

select count(*) as n from edge_logs group by rollup (event_message)

select distinct substr(id, 1, 3) as prefix from edge_logs

select case when id like '%0%' then 'zero' when id like '%2%' then 'two' else 'other' end as kind from edge_logs

select if(id is null, 'none', id) as x, ifnull(event_message, '') as y, nullif(id, 'a') as z, coalesce(null, id) as w from edge_logs

select regexp_extract(id, r'own (\d+)') as n, regexp_contains(id, 'edge'), regexp_replace(id, '[0-9]', '#') as x from edge_logs

select lower(id), upper(id), trim(id), length(id), replace(id, 'own', 'my'), split(id, ' ')[safe_offset(1)] as n, starts_with(id, 'own'), strpos(id, 'of') from edge_logs

select concat(id, ' ', event_message) as a, id || '-' || event_message as b, format('%s: %d', id, 1) as c from edge_logs

select extract(hour from timestamp) as hour, extract(date from timestamp) as day, format_timestamp('%F %T', timestamp) as text from edge_logs

select date(timestamp) as day, datetime(timestamp, 'Europe/Berlin') as local, unix_micros(timestamp) as micros from edge_logs

select timestamp_sub(timestamp, interval 1 day) as before, timestamp_diff(current_timestamp(), timestamp, second) as age from edge_logs

select id from edge_logs where timestamp > timestamp_sub(current_timestamp(), interval 1 day)

select id from edge_logs where timestamp between '2026-11-20' and '2026-11-21'

select id from edge_logs where timestamp >= timestamp '2026-11-20 02:00:00+00'

select cast(timestamp as string) as text, safe_cast(id as int64) as n, cast('1' as int64) as one from edge_logs

select to_json_string(struct(id, timestamp)) as json from edge_logs

select json_value('{"a": {"b": 1}}', '$.a.b') as b

select parse_timestamp('%Y-%m-%d', '2026-11-20') as t

select struct(1 as a, 'x' as b) as s

select [1, 2, 3] as a, [struct(1 as x)] as b

select x from unnest([1, 2, 3]) as x where x > 1

select * from unnest([struct(1 as a, 'b' as b), (2, 'c')])

select 1

select 1 as one, 'two' as two, 3.5 as three, true as four, null as five

select 1, 2, 3

select current_timestamp() is not null as x, current_date() is not null as y

select @project as project

select id from edge_logs where event_message != @project

select coalesce(@iso_timestamp_start, 'none') as start

select id from edge_logs where timestamp > safe_cast(@iso_timestamp_start as timestamp) or @iso_timestamp_start is null

select id from edge_logs where id in ('own 0 of edge_logs', 'x')

select id from edge_logs where id in (select id from edge_logs)

select id from edge_logs where id not in (select id from auth_logs)

select id from edge_logs e where exists (select 1 from auth_logs a where a.timestamp = e.timestamp)

select id from edge_logs where id like any ('own%', 'x%')

select id from edge_logs where not (id is null) and (id = 'a' or id != 'b')

select id from edge_logs order by timestamp desc, id asc nulls last limit 10 offset 1

select id as `order`, event_message as `select` from edge_logs

select 'select * from logs.edge_logs' as text -- logs.auth_logs

select "it's", '''a 'b' c''', r'\d', "a;b", "--", "/*"

/* select * from logs.edge_logs */ select id from edge_logs # logs.auth_logs

-- a comment
select id, -- another
  event_message, /* and
  one more */
from edge_logs
;

select
	id
from
	edge_logs
where
	true

select sum(n) as n from (select count(*) as n from edge_logs union all select count(*) from auth_logs)

select * from (select 'a' as k, 1 as v union all select 'b', 2) pivot (sum(v) for k in ('a', 'b'))

select * from (select 1 as a, 2 as b) unpivot (v for k in (a, b))

select t.k, count(*) as n from (select if(id like '%0%', 'x', 'y') as k from edge_logs) t group by t.k

select id from edge_logs as logs

select logs.id from edge_logs as logs order by logs.timestamp

select edge_logs.id from edge_logs join auth_logs on edge_logs.timestamp = auth_logs.timestamp

select as struct id, timestamp from edge_logs

select as value id from edge_logs

select greatest(1, 2) as a, least(1, 2) as b, abs(-1) as c, round(1.5) as d, mod(5, 3) as e, div(5, 2) as f, safe_divide(1, 0) as g

select to_hex(md5('a')) as a, to_base64(sha256(b'a')) as b

select net.host('https://a.example/x') as host

select count(*) / 60.0 as per_second, round(100 * countif(id like 'own%') / nullif(count(*), 0), 2) as percent from edge_logs

select e.hour, e.n, a.n as auth_n from (select timestamp_trunc(timestamp, hour) as hour, count(*) as n from edge_logs group by 1) e join (select timestamp_trunc(timestamp, hour) as hour, count(*) as n from auth_logs group by 1) a using (hour) order by 1

from edge_logs

from edge_logs |> where id != 'x' |> aggregate count(*) as n group by event_message |> order by n desc |> limit 5

from edge_logs as e |> cross join unnest(e.metadata) as m |> cross join unnest(m.request) as r |> aggregate count(*) as n group and order by r.method desc

from edge_logs as e |> extend timestamp_trunc(timestamp, hour) as hour |> aggregate count(*) as n, max(e.id) as latest group by hour

from edge_logs as e |> extend 1 as one |> join auth_logs as a on e.timestamp <= a.timestamp or one = 1 |> select e.id, a.id as other |> limit 3

from edge_logs |> rename id as edge_id |> drop metadata |> set edge_id = upper(edge_id) |> select edge_id, timestamp |> distinct

select id from edge_logs |> union all (from auth_logs |> select id), (select 'x') |> aggregate count(*) as n

with t as (from edge_logs |> where id is not null) from t |> with u as (from t) |> cross join u |> aggregate count(*) as n

select timestamp_trunc(timestamp, hour) as hour, count(*) as n from edge_logs group by all order by hour

select id, timestamp from edge_logs union all by name select timestamp, id from auth_logs

select (id).upper().substr(1, 3) as a from edge_logs

select id from edge_logs where id like any (from auth_logs |> select id || '%') or true

select @{hint=1} id from edge_logs

@{hint=1} select id from edge_logs

select id from edge_logs @{force_index=x}
