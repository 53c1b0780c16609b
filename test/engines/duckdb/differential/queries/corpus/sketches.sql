select service, hll_count.extract(hll_count.init(ip)) as ips from `logs.ev_*` group by service
-- as
select service, count(distinct ip) as ips from `logs.ev_*` group by service

with daily as (select date(timestamp) as day, hll_count.init(ip, 12) as sketch from `logs.ev_*` group by day)
select hll_count.merge(sketch) as ips, count(*) as days from daily
-- as
select count(distinct ip) as ips, count(distinct date(timestamp)) as days from `logs.ev_*`

with hourly as (select timestamp_trunc(timestamp, hour) as h, service, hll_count.init(path) as s from `logs.ev_*` group by h, service),
daily as (select timestamp_trunc(h, day) as d, hll_count.merge_partial(s) as s from hourly group by d)
select d, hll_count.extract(s) as paths from daily
-- as
select timestamp_trunc(timestamp, day) as d, count(distinct path) as paths from `logs.ev_*` group by d

select hll_count.extract(s) as people from (select hll_count.init(if(type = 'PushEvent', actor.login, null)) as s from `hub.events`)
-- as
select count(distinct if(type = 'PushEvent', actor.login, null)) as people from `hub.events`

select hll_count.merge(s) from (select hll_count.init(customer_id) as s from `shop.orders` where false)
-- as
select 0

select month, hll_count.merge(s) over_all from (select date_trunc(ordered, month) as month, channel, hll_count.init(customer_id) s from `shop.orders` group by 1, 2) group by month
-- as
select date_trunc(ordered, month) as month, count(distinct customer_id) from `shop.orders` group by month

select approx_count_distinct(ip) as ips, approx_count_distinct(if(status >= 500, ip, null)) as failing from `logs.ev_*`
-- as
select count(distinct ip), count(distinct if(status >= 500, ip, null)) from `logs.ev_*`

select channel, approx_top_count(status, 1)[safe_offset(0)].count as n from `shop.orders` group by channel
-- as
select channel, max(n) from (select channel, status, count(*) n from `shop.orders` group by 1, 2) group by channel

select t.value, t.count from (select approx_top_count(service, 10) as tops from `logs.ev_*`), unnest(tops) as t
-- as
select service, count(*) from `logs.ev_*` group by service

select t.value as path, t.sum from (select approx_top_sum(path, bytes, 20) as tops from `logs.ev_*` where bytes is not null), unnest(tops) t
-- as
select path, sum(bytes) from `logs.ev_*` where bytes is not null group by path

select approx_quantiles(bytes, 4) as q, approx_quantiles(distinct status, 2) as s from `logs.ev_*`
-- as
select [min(bytes), (select distinct percentile_disc(bytes, 0.25) over () from `logs.ev_*`), (select distinct percentile_disc(bytes, 0.5) over () from `logs.ev_*`), (select distinct percentile_disc(bytes, 0.75) over () from `logs.ev_*`), max(bytes)],
  [min(status), (select distinct percentile_disc(status, 0.5) over () from (select distinct status from `logs.ev_*`)), max(status)] from `logs.ev_*`

select device, max_by(value, measured) as newest, min_by(state, measured) as oldest from `iot.readings` where value is not null and state is not null group by device
-- as
select device, any_value(value having max measured), any_value(state having min measured) from `iot.readings` where value is not null and state is not null group by device

select format_date('%Y%m', date(timestamp)) as month, hll_count.extract(hll_count.init(concat(ip, ifnull(user_agent, '')))) as visitors, count(*) as hits from `logs.ev_*` group by month
-- as
select format_date('%Y%m', date(timestamp)) as month, count(distinct concat(ip, ifnull(user_agent, ''))), count(*) from `logs.ev_*` group by month

select grouping(service) as total, service, approx_count_distinct(id) as n from `logs.ev_*` group by rollup (service)
-- as
select 0, service, count(distinct id) from `logs.ev_*` group by service union all select 1, null, count(distinct id) from `logs.ev_*`
