select event_name, count(*) as events, count(distinct user_pseudo_id) as users
from `ga.events_*`
where _table_suffix between '20260128' and '20260130'
group by event_name
order by events desc, event_name

select user_pseudo_id, (select value.int_value from unnest(event_params) where key = 'ga_session_id') as session_id
from `ga.events_*`
where event_name = 'page_view' and _TABLE_SUFFIX = '20260129'

select
  (select value.string_value from unnest(event_params) where key = 'page_location') as page,
  count(*) as views,
  countif((select value.string_value from unnest(event_params) where key = 'session_engaged') = '1') as engaged
from `ga.events_2026*`
where event_name = 'page_view'
group by page
order by views desc, page

select ep.key, ep.value.string_value, count(*) n
from `ga.events_20260128`, unnest(event_params) as ep
group by 1, 2
order by 1, 2

select key, count(value.string_value) strings, count(value.int_value) ints, count(value.double_value) doubles, count(value) as filled
from `ga.events_*`, unnest(event_params)
group by key

with prep as (
  select
    user_pseudo_id,
    (select value.int_value from unnest(event_params) where key = 'ga_session_id') as session_id,
    max((select value.string_value from unnest(event_params) where key = 'session_engaged')) as engaged,
    max((select value.int_value from unnest(event_params) where key = 'engagement_time_msec')) as msec
  from `ga.events_*`
  group by user_pseudo_id, session_id
)
select
  count(distinct concat(user_pseudo_id, session_id)) as sessions,
  count(distinct case when engaged = '1' then concat(user_pseudo_id, cast(session_id as string)) end) as engaged_sessions,
  safe_divide(count(distinct case when engaged = '1' then concat(user_pseudo_id, session_id) end), count(distinct concat(user_pseudo_id, session_id))) as rate,
  sum(msec) / 1000 as seconds
from prep

select
  parse_date('%Y%m%d', event_date) as day,
  format_timestamp('%H:%M:%S', timestamp_micros(event_timestamp)) as time_of_day,
  datetime(timestamp_micros(event_timestamp), 'Europe/Berlin') as berlin
from `ga.events_*`
where _table_suffix >= format_date('%Y%m%d', date_sub(date '2026-01-31', interval 1 day))

select
  event_date,
  coalesce(traffic_source.source, '(not set)') || ' / ' || coalesce(traffic_source.medium, '(not set)') as source_medium,
  count(distinct user_pseudo_id) users
from `ga.events_*`
group by event_date, source_medium
order by event_date, users desc, source_medium

select
  case
    when traffic_source.source = '(direct)' and traffic_source.medium in ('(none)', '(not set)') then 'Direct'
    when regexp_contains(traffic_source.medium, r'^(cpc|ppc|paidsearch)$') then 'Paid Search'
    when traffic_source.medium = 'organic' or regexp_contains(traffic_source.source, 'google|bing') then 'Organic Search'
    when traffic_source.medium = 'referral' then 'Referral'
    else 'Other'
  end as channel_group,
  count(*) n,
  round(count(*) / sum(count(*)) over (), 4) as share
from `ga.events_*`
group by 1

select device.category, device.web_info.browser, count(*) from `ga.events_*` group by 1, 2

select geo.country, approx_count_distinct(user_pseudo_id) users from `ga.events_*` group by geo.country
-- as
select geo.country, count(distinct user_pseudo_id) users from `ga.events_*` group by geo.country

select item.item_id, item.item_name, sum(item.quantity) quantity, sum(item.price * item.quantity) revenue
from `ga.events_*` cross join unnest(items) as item
where event_name = 'purchase'
group by item.item_id, item.item_name
order by item_id, item_name

select ecommerce.transaction_id, ecommerce.purchase_revenue, array_length(items) item_count,
  (select string_agg(item_name, ', ' order by item_name) from unnest(items) where item_name is not null) names
from `ga.events_*`
where ecommerce.transaction_id is not null

select event_date, sum(ecommerce.purchase_revenue) revenue, sum(sum(ecommerce.purchase_revenue)) over (order by event_date) running
from `ga.events_*` group by event_date order by event_date

select regexp_extract((select value.string_value from unnest(event_params) where key = 'page_location'), r'https?://[^/]+(/[^?#]*)') as path, count(*) n
from `ga.events_*` group by path order by path

select
  net.host(p.value.string_value) host,
  regexp_extract(p.value.string_value, r'[?&]utm_source=([^&#]+)') utm_source,
  regexp_replace(p.value.string_value, r'\?.*$', '') as clean,
  split(split(p.value.string_value, '?')[safe_offset(1)], '&')[safe_offset(0)] as first_parameter
from `ga.events_*`, unnest(event_params) p
where p.key = 'page_location'

select user_pseudo_id, array_agg(event_name order by event_timestamp limit 5) as first_events
from `ga.events_*` where user_pseudo_id is not null group by user_pseudo_id

select user_pseudo_id,
  array_agg((select value.string_value from unnest(event_params) where key = 'page_location') ignore nulls order by event_timestamp limit 1)[safe_offset(0)] as landing,
  array_agg((select value.string_value from unnest(event_params) where key = 'page_location') ignore nulls order by event_timestamp desc limit 1)[safe_offset(0)] as last_page
from `ga.events_*` where event_name = 'page_view' group by 1

select user_pseudo_id, event_timestamp,
  lead(event_timestamp) over (partition by user_pseudo_id order by event_timestamp) - event_timestamp as micros_to_next,
  (select value.string_value from unnest(event_params) where key = 'page_title') title
from `ga.events_*` where event_name in ('page_view', 'scroll')

select distinct event_name, key, case when value.string_value is not null then 'string' when value.int_value is not null then 'int' when value.double_value is not null then 'double' else 'none' end as type
from `ga.events_*` left join unnest(event_params) order by 1, 2, 3

select coalesce(p.value.string_value, cast(p.value.int_value as string), cast(p.value.double_value as string)) as value, p.key
from `ga.events_20260130`, unnest(event_params) p with offset o
where o < 2

select event_name, o, key from `ga.events_2026*`, unnest(event_params) with offset as o where _table_suffix like '013%' and key like 'page%'

select event_date, count(*) n, count(distinct if(event_name = 'purchase', user_pseudo_id, null)) buyers from `ga.events_*`
where _table_suffix between format_date('%Y%m%d', @first_day) and format_date('%Y%m%d', @last_day)
group by event_date having buyers > 0 or n > 10

select user_id, exists(select 1 from unnest(event_params) where key = 'source') has_source, (select count(*) from unnest(event_params)) parameters from `ga.events_*` where user_id is not null

select event_name, (select as struct max(if(key = 'ga_session_id', value.int_value, null)) as session, max(if(key = 'page_location', value.string_value, null)) as page from unnest(event_params)).* from `ga.events_*`

select event_name, array(select as struct key, coalesce(value.string_value, to_json_string(to_json(value.int_value is null))) v from unnest(event_params) order by key, v) params from `ga.events_*` where event_name = 'scroll'

select date(timestamp_micros(event_timestamp), 'America/Los_Angeles') as local_day, extract(hour from timestamp_micros(event_timestamp) at time zone 'America/Los_Angeles') h, count(*) from `ga.events_*` group by 1, 2

select * except (event_params, items, device, geo, traffic_source, ecommerce) from `ga.events_20260131` order by event_timestamp

select _table_suffix as suffix, count(*) from `ga.events_*` group by suffix order by suffix

select count(*) n, min(_table_suffix), max(_table_suffix) from `ga.events_202601*` where right(_table_suffix, 1) != '9'

select event_name, count(*) as n, round(100 * count(*) / (select count(*) from `ga.events_*`), 2) pct from `ga.events_*` group by event_name

select user_pseudo_id, min(timestamp_micros(event_timestamp)) first_seen, max(timestamp_micros(event_timestamp)) last_seen, timestamp_diff(max(timestamp_micros(event_timestamp)), min(timestamp_micros(event_timestamp)), minute) minutes from `ga.events_*` group by user_pseudo_id

select a.user_pseudo_id, count(*) pairs from `ga.events_*` a join `ga.events_20260128` b on a.user_pseudo_id = b.user_pseudo_id and a.event_name = b.event_name group by 1

with items_of as (select i.item_id, user_pseudo_id from `ga.events_*`, unnest(items) i)
select a.item_id, b.item_id as other, count(distinct a.user_pseudo_id) together
from items_of a join items_of b on a.user_pseudo_id = b.user_pseudo_id and a.item_id < b.item_id
group by 1, 2 order by together desc, 1, 2

select event_date, event_name, any_value(device.category having max event_timestamp) latest_device, any_value(geo.city having min event_timestamp) first_city from `ga.events_*` where device is not null group by 1, 2

select lower(trim(coalesce(geo.city, 'n/a'))) city, logical_or(device.category = 'mobile') any_mobile, logical_and(device.category = 'mobile') all_mobile from `ga.events_*` group by 1

select (select sum(price * quantity) from unnest(items)) total, (select max(price) from unnest(items)) highest, array(select item_id from unnest(items) where price > 10 order by item_id) expensive from `ga.events_*` where array_length(items) > 0

select event_name, p.value.int_value session from `ga.events_*` e, e.event_params p where p.key = 'ga_session_id' and event_name = 'purchase'

select count(distinct (select value.int_value from unnest(event_params) where key = 'ga_session_id')) sessions, count(distinct event_timestamp) stamps, avg((select value.double_value from unnest(event_params) where key = 'value')) average from `ga.events_*`

select max(if(event_name = 'purchase', 1, 0)) over (partition by user_pseudo_id) as is_buyer, user_pseudo_id, event_name from `ga.events_*` qualify row_number() over (partition by user_pseudo_id order by event_timestamp desc) = 1
