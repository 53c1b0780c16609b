create temp function param(params array<struct<key string, value struct<string_value string, int_value int64, float_value float64, double_value float64>>>, name string) as (
  (select value.string_value from unnest(params) where key = name)
);
select param(event_params, 'page_location') as page, param(event_params, 'page_title') as title, count(*) as n from `ga.events_*` group by 1, 2

create temp function session_of(params any type) as ((select value.int_value from unnest(params) where key = 'ga_session_id'));
select session_of(event_params) as session, count(*) as n from `ga.events_*` group by session

create temp function clean_path(url string) returns string as (regexp_replace(regexp_extract(url, r'^https?://[^/]+([^?#]*)'), r'/$', ''));
create temp function section(url string) as (ifnull(nullif(split(clean_path(url), '/')[safe_offset(1)], ''), 'home'));
select section((select value.string_value from unnest(event_params) where key = 'page_location')) as section, count(*) from `ga.events_*` group by 1

create temp function channel(source string, medium string) as (
  case when source = '(direct)' then 'direct' when medium = 'cpc' then 'paid' when medium = 'organic' then 'search' when medium is null then null else 'other' end
);
select channel(traffic_source.source, traffic_source.medium) as channel, channel('(direct)', null) as fixed, count(*) from `ga.events_*` group by 1, 2
-- as
select case when traffic_source.source = '(direct)' then 'direct' when traffic_source.medium = 'cpc' then 'paid' when traffic_source.medium = 'organic' then 'search' when traffic_source.medium is not null then 'other' end, 'direct', count(*) from `ga.events_*` group by 1, 2

create temp function pct(part int64, whole int64) returns float64 as (round(100 * safe_divide(part, whole), 2));
select service, pct(countif(status >= 500), count(*)) as failed, pct(countif(status is null), count(*)) as unknown, pct(1, 0) as nothing from `logs.ev_*` group by service

create temp function is_bot(agent string) as (regexp_contains(ifnull(agent, ''), r'(?i)bot|crawler'));
create temp function kind(agent string) as (if(is_bot(agent), 'bot', if(starts_with(agent, 'curl'), 'tool', 'person')));
select kind(user_agent) as kind, count(*) as n, countif(is_bot(user_agent)) as bots from `logs.ev_*` group by kind

create temp function masked(message string) as (regexp_replace(regexp_replace(message, r'\d+', '#'), r'[0-9a-f]{4,}', '~'));
select masked(message) as pattern, count(*) from `logs.ev_*` group by pattern having count(*) > 1

create temp function label(labels array<struct<key string, value string>>, name string) as ((select any_value(value) from unnest(labels) where key = name));
select id, label(labels, 'env') = 'prod' as is_prod, label(labels, 'none') is null as missing from `logs.ev_20260128` where (select count(*) from unnest(labels) where key = 'env') <= 1

create temp function week_of(d date) returns date as (date_trunc(d, isoweek));
select week_of(ordered) as week, week_of(date '2026-01-01') as first_week, sum(amount) as total from `shop.orders` group by 1, 2 order by 1

create temp function median(a array<float64>) as ((
  with sorted as (select v, row_number() over (order by v) as i, count(*) over () as n from unnest(a) as v where v is not null)
  select avg(v) from sorted where i in (div(n + 1, 2), div(n + 2, 2))
));
select device, median(array_agg(value ignore nulls)) as m from `iot.readings` group by device
-- as
select distinct device, percentile_cont(value, 0.5) over (partition by device) from `iot.readings`

create temp function add(x any type, y any type) as (x + y);
create temp function twice(x any type) as (add(x, x));
select twice(3), twice(1.5), twice(amount), add(qty, 1) from `shop.orders` where order_id < 5

create temp function jsonget(doc string, name string) as (json_value(doc, '$.user.id'));
select jsonget(payload, 'x') as user, count(*) from `logs.ev_*` where starts_with(payload, '{') group by user

create temp function distance(x1 float64, y1 float64, x2 float64, y2 float64) as (sqrt(pow(x1 - x2, 2) + pow(y1 - y2, 2)));
select distance(qty, discount, 0, 0) as d, distance(3, 4, 0, 0) as five from `shop.orders`

create temp function to_day(suffix string) as (parse_date('%Y%m%d', suffix));
select to_day(_table_suffix) as day, count(*) from `logs.ev_*` where to_day(_table_suffix) between @first_day and @last_day group by day order by day

create temp function top(items array<string>, n int64) as (array(select i from (select i, count(*) as c from unnest(items) i group by i) order by c desc, i limit 2));
select channel, top(array_concat_agg(skus order by order_id), 2) as favourites from `shop.orders` group by channel

create temp function bounds(x int64, low int64, high int64) as (greatest(low, least(high, x)));
select status, bounds(status, 200, 299), bounds(status, null, 299), bounds(bounds(status, 300, 400), 350, 500) from `logs.ev_*` group by status

create temp function grade(score int64) as (case when score is null then 'none' when score < 0 then 'bad' when score < 5 then 'fair' else 'good' end);
select grade(score) as g, string_agg(distinct grade(q.score) || '/' || ifnull(cast(a.best as string), '-'), ' ' order by grade(q.score) || '/' || ifnull(cast(a.best as string), '-') limit 4) as pairs from `qa.questions` q left join (select parent_id, max(score) best from `qa.answers` group by 1) a on a.parent_id = q.id group by g

create temp function parse_agent(agent string) as (struct(regexp_extract(agent, r'^([^/ ]+)') as name, safe_cast(regexp_extract(agent, r'^[^/]+/(\d+)') as int64) as major));
select parse_agent(user_agent).name, parse_agent(user_agent).major, count(*) from `logs.ev_*` group by 1, 2
