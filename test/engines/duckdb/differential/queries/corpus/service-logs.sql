select service, count(*) as total, countif(status >= 500) as failed, safe_divide(countif(status >= 500), count(*)) as error_rate from `logs.ev_*` group by service order by error_rate desc, service

select timestamp_trunc(timestamp, hour) as hour, service, count(*) as n, countif(level = 'ERROR') as errors from `logs.ev_2026*` where _table_suffix like '01%' group by hour, service order by hour, service

select timestamp, level, message from `logs.ev_20260129` where level in ('ERROR', 'WARN') and message != '' order by timestamp desc, id limit 20

select * from `logs.ev_20260130` where service = 'api' order by id

select _table_suffix as day, count(*) from `logs.ev_*` where _table_suffix >= '20260130' and timestamp >= timestamp '2026-01-30 02:00:00+00' group by day order by day

select count(*) from `logs.ev_202602*` where _table_suffix = '01'

select upper(ifnull(level, 'unknown')) as level, count(*) as n, round(100 * ratio_to, 1) as pct from (select level, count(*) over (partition by upper(level)) / count(*) over () as ratio_to from `logs.ev_*`) group by level, ratio_to

select regexp_replace(regexp_replace(regexp_replace(message, r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '<uuid>'), r'\b\d{1,3}(?:\.\d{1,3}){3}\b', '<ip>'), r'\b(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?)', '<n>') as pattern, count(*) as n, min(timestamp) as first_seen, max(timestamp) as last_seen
from `logs.ev_*` group by pattern order by n desc, pattern

select regexp_extract(message, r'user (\d+)') as user, regexp_extract(message, r'in (\d+)ms') as ms, count(*) from `logs.ev_*` where regexp_contains(message, r'^user \d+ logged in') group by 1, 2

select case
    when regexp_contains(user_agent, r'(?i)bot|crawl|spider|slurp') then 'bot'
    when regexp_contains(user_agent, r'^(curl|wget|python-requests|Go-http-client)') then 'script'
    when user_agent is null or trim(user_agent) = '' then 'none'
    when regexp_contains(user_agent, r'Mobile|iPhone|Android') then 'mobile'
    else 'desktop' end as client, count(*) as hits, count(distinct ip) as ips
from `logs.ev_*` group by client order by client

select ip, count(*) as hits, count(distinct path) as paths, countif(status = 404) as misses, countif(path like '%.php%') as probes from `logs.ev_*` group by ip having probes > 0 or misses > 2 order by ip nulls first

select regexp_replace(regexp_replace(split(path, '?')[offset(0)], r'/\d+', '/:id'), r'\.[0-9a-f]{8}\.', '.:hash.') as route, method, count(*) as n, avg(latency_ms) as mean, max(latency_ms) as worst from `logs.ev_*` group by route, method order by route, method

select path, regexp_extract(path, r'[?&]limit=(\d+)') as max_rows, regexp_extract(path, r'[?&]page=(\d+)') as page, strpos(path, '?') as q from `logs.ev_*` group by path

select service, approx_quantiles(latency_ms, 100)[offset(95)] as p95, approx_quantiles(latency_ms, 100)[offset(99)] as p99 from `logs.ev_*` group by service
-- as
select distinct service, percentile_disc(latency_ms, 0.95) over (partition by service) as p95, percentile_disc(latency_ms, 0.99) over (partition by service) as p99 from `logs.ev_*`

select distinct service, percentile_cont(latency_ms, 0.5) over (partition by service) as p50, percentile_cont(latency_ms, 0.95) over (partition by service) as p95, percentile_disc(latency_ms, 0.95) over (partition by service) as d95 from `logs.ev_*`

select service, countif(latency_ms <= @threshold and status < 500) / countif(status is not null) as sli, 1 - countif(latency_ms <= @threshold and status < 500) / countif(status is not null) as burnt, (1 - countif(latency_ms <= @threshold and status < 500) / countif(status is not null)) / (1 - 0.99) as burn_rate from `logs.ev_*` where service in unnest(@services) group by service

with hourly as (
  select service, timestamp_trunc(timestamp, hour) as h, countif(status >= 500) as bad, count(*) as n from `logs.ev_*` group by service, h
)
select service, h, sum(bad) over long / sum(n) over long as long_rate, sum(bad) over short / sum(n) over short as short_rate,
  sum(bad) over long / sum(n) over long > 0.1 and sum(bad) over short / sum(n) over short > 0.1 as fires
from hourly
window short as (partition by service order by unix_seconds(h) range between 3600 preceding and current row),
  long as (partition by service order by unix_seconds(h) range between 21600 preceding and current row)

select h, service, ifnull(n, 0) as n from unnest(generate_timestamp_array(timestamp '2026-01-28 00:00:00+00', timestamp '2026-01-28 06:00:00+00', interval 1 hour)) as h cross join unnest(['api', 'web', 'billing']) as service
left join (select timestamp_trunc(timestamp, hour) as h, service, count(*) as n from `logs.ev_20260128` group by 1, 2) using (h, service)
order by h, service

select timestamp_seconds(900 * div(unix_seconds(timestamp), 900)) as quarter_hour, timestamp_bucket(timestamp, interval 15 minute) as same, count(*) from `logs.ev_20260128` group by 1, 2

select l.key, l.value, count(*) as n from `logs.ev_*`, unnest(labels) as l group by l.key, l.value order by 1, 2 nulls last

select id, (select value from unnest(labels) where key = 'env' limit 1) as env, (select max(value) from unnest(labels) where key = 'team') as team from `logs.ev_*` where exists (select 1 from unnest(labels) where key = 'env' and value = 'prod')

select id, json_value(payload, '$.user.id') as user, json_value(payload, '$.user.plan') as plan, json_query(payload, '$.user') as u, json_value(payload, '$.error.code') as code from `logs.ev_*` where starts_with(payload, '{')

select json_value(payload, '$.user.plan') as plan, count(*) as n, avg(cast(json_value(payload, '$.ms') as float64)) as ms from `logs.ev_*` where payload like '{%' group by plan

select id, tag from `logs.ev_*`, unnest(json_value_array(payload, '$.tags')) as tag where payload like '{%'

select id, json_value(item, '$.sku') as sku, ifnull(safe_cast(json_value(item, '$.n') as int64), 1) as n from `logs.ev_*`, unnest(json_query_array(payload, '$.items')) as item where payload like '{%'

select safe.parse_json(payload) is null as broken, count(*) from `logs.ev_*` group by broken

select json_type(safe.parse_json(payload)) as type, count(*) n from `logs.ev_*` group by type

select id, lax_string(safe.parse_json(payload).user.id) as user, safe.int64(safe.parse_json(payload).user.id) as n from `logs.ev_*`

select substr(message, 1, instr(message, ' ') - 1) as first_word, count(*) from `logs.ev_*` where message is not null and instr(message, ' ') > 0 group by first_word

select host, string_agg(distinct service, ',' order by service desc limit 2) as services, array_agg(distinct status ignore nulls order by status) as statuses from `logs.ev_*` group by host

select div(status, 100) as class, count(*) as n, concat(cast(div(status, 100) as string), 'xx') as name from `logs.ev_*` where status is not null group by class, name

select * from (select service, concat('s', cast(div(status, 100) as string)) as class from `logs.ev_*`) pivot (count(*) for class in ('s2' as ok, 's3' as moved, 's4' as client, 's5' as server))

select service, hits, bytes, format("%'d", bytes) as grouped, format('%.2f MB', bytes / 1048576) as size from (select service, count(*) hits, sum(bytes) bytes from `logs.ev_*` group by service)

select floor(log10(latency_ms)) as magnitude, count(*) as n, repeat('#', cast(count(*) / 4 as int64)) as bar from `logs.ev_*` where latency_ms > 0 group by magnitude order by magnitude

select net.ip_to_string(net.ip_trunc(net.safe_ip_from_string(ip), if(byte_length(net.safe_ip_from_string(ip)) = 16, 48, 24))) as subnet, count(*) as n from `logs.ev_*` group by subnet

select id, format_timestamp('%Y-%m-%dT%H:%M:%E3S%Ez', timestamp, 'Asia/Tokyo') as tokyo, string(timestamp, 'America/New_York') as ny, datetime(timestamp, '+05:30') as india from `logs.ev_20260128`

select date(timestamp, 'Australia/Sydney') as day, count(*) from `logs.ev_*` where timestamp between timestamp('2026-01-28', 'Australia/Sydney') and timestamp_add(timestamp('2026-01-30', 'Australia/Sydney'), interval 1 day) group by day

select id, level from `logs.ev_*` where timestamp >= @since and (@verbose or lower(level) not in ('debug', 'info')) and service in unnest(@services) order by id

select id from `logs.ev_*` where (@nothing is null or service = @nothing) and coalesce(level, '') = coalesce(@nothing, level, '') order by timestamp desc, id limit 5

select * except (r) from (select service, path, count(*) as n, row_number() over (partition by service order by count(*) desc, path) as r from `logs.ev_*` group by service, path) where r <= @top order by service, r

select e.id, e.timestamp, (select count(*) from `logs.ev_*` b where b.service = e.service and b.timestamp between timestamp_sub(e.timestamp, interval 10 minute) and e.timestamp) as nearby from `logs.ev_*` e where e.level = 'ERROR'

select service, timestamp_diff(max(timestamp), min(timestamp), hour) as hours, count(*) / greatest(1, timestamp_diff(max(timestamp), min(timestamp), hour)) as per_hour from `logs.ev_*` group by service

select to_base64(md5(message)) as digest, to_hex(sha256(coalesce(message, ''))) as sha, mod(abs(farm_fingerprint(message)), 10) as bucket, count(*) from `logs.ev_*` group by 1, 2, 3

select id, trim(message, 'u ') as t, lpad(cast(status as string), 5, '0') as s, rpad(service, 8, '.') as p, left(message, 4) as l, right(message, 4) as r, reverse(service) as v, translate(service, 'aeiou', '12345') as x from `logs.ev_20260131`

select service, latency_ms, bytes, safe_divide(bytes, latency_ms) as rate, ieee_divide(bytes, status - 200) as odd, safe_cast(path as int64) as nothing, round(latency_ms, -1) as tens, trunc(latency_ms) as whole, ceil(latency_ms) as up from `logs.ev_20260130`
