select client, type, count(*) as requests, sum(cast(json_value(summary, '$.respSize') as int64)) as bytes from `crawl.requests` where date = '2026-01-01' group by client, type order by client, type

select client, approx_quantiles(cast(json_value(summary, '$.respSize') as int64), 100)[offset(50)] as p50 from `crawl.requests` group by client
-- as
select distinct client, percentile_disc(cast(json_value(summary, '$.respSize') as int64), 0.5) over (partition by client) as p50 from `crawl.requests`

select client, percentile, approx_quantiles(lax_int64(summary.respSize), 1000)[offset(percentile * 10)] / 1024 as kb
from `crawl.requests`, unnest([10, 25, 50, 75, 90]) as percentile
group by client, percentile order by client, percentile
-- as
select distinct client, percentile, case percentile when 10 then percentile_disc(v, 0.1) over w when 25 then percentile_disc(v, 0.25) over w when 50 then percentile_disc(v, 0.5) over w when 75 then percentile_disc(v, 0.75) over w else percentile_disc(v, 0.9) over w end / 1024 as kb
from (select client, percentile, safe_cast(json_value(summary, '$.respSize') as int64) v from `crawl.requests`, unnest([10, 25, 50, 75, 90]) as percentile)
window w as (partition by client, percentile) order by client, percentile

select page, lower(h.name) as header, h.value from `crawl.requests`, unnest(response_headers) as h where lower(h.name) = 'cache-control'

select client, countif((select count(*) from unnest(response_headers) h where lower(h.name) = 'cache-control' and regexp_contains(h.value, r'max-age=\d+')) > 0) / count(*) as cacheable from `crawl.requests` group by client

select safe_cast(regexp_extract(h.value, r'max-age=(\d+)') as int64) / 86400 as days, count(0) as n from `crawl.requests`, unnest(response_headers) h group by days order by days

select t.technology, category, count(distinct page) pages from `crawl.requests`, unnest(technologies) t, unnest(t.categories) category group by 1, 2

select page, array(select t.technology from unnest(technologies) t where 'CMS' in unnest(t.categories)) as cms from `crawl.requests` where rank <= 1000

select t.technology, i as version, split(i, '.')[safe_offset(0)] as major from `crawl.requests`, unnest(technologies) t left join unnest(t.info) i

select client, page, json_value(lighthouse, '$.categories.performance.score') as score, cast(json_extract_scalar(lighthouse, '$.categories.performance.score') as float64) * 100 as points from `crawl.requests` where lighthouse is not null

select page, json_value(item, '$.url') as url, cast(json_value(item, '$.wastedBytes') as int64) as wasted
from `crawl.requests`, unnest(json_query_array(lighthouse, '$.audits.unused-css.details.items')) as item
where cast(json_value(item, '$.wastedBytes') as int64) > 100

select page, (select sum(cast(json_value(i, '$.wastedBytes') as int64)) from unnest(json_extract_array(lighthouse, "$.audits['unused-css'].details.items")) i) as wasted from `crawl.requests`

select net.host(url) as host, net.reg_domain(url) as domain, net.public_suffix(page) as suffix, net.reg_domain(url) = net.reg_domain(page) as own, count(*) from `crawl.requests` group by 1, 2, 3, 4

select starts_with(url, 'https') as secure, regexp_extract(url, r'\.([a-zA-Z0-9]+)(?:\?.*)?$') as extension, count(*) from `crawl.requests` group by secure, extension

select date, client, count(distinct page) as pages, count(distinct page) / sum(count(distinct page)) over (partition by date) as share from `crawl.requests` group by date, client

select client, type, sum(if(json_value(summary, '$.method') = 'GET', 1, 0)) as gets, avg(cast(json_value(summary, '$.time') as float64)) as ms from `crawl.requests` group by rollup (client, type)
-- as
select client, type, sum(if(json_value(summary, '$.method') = 'GET', 1, 0)), avg(cast(json_value(summary, '$.time') as float64)) from `crawl.requests` group by client, type
union all select client, null, sum(if(json_value(summary, '$.method') = 'GET', 1, 0)), avg(cast(json_value(summary, '$.time') as float64)) from `crawl.requests` group by client
union all select null, null, sum(if(json_value(summary, '$.method') = 'GET', 1, 0)), avg(cast(json_value(summary, '$.time') as float64)) from `crawl.requests`

select json_type(summary.respSize) as kind, count(*) n from `crawl.requests` group by kind

select lax_float64(summary.time) * 2 as twice, lax_string(summary.respSize) as size, json_value(summary.priority) as priority, int64(json_query(summary, '$.timings.wait[2]')) as wait from `crawl.requests`

select distinct to_json_string(summary) s, to_json_string(json_query(summary, '$.timings')) t, array_length(json_query_array(summary, '$.timings.wait')) n from `crawl.requests`

select rank_group, count(*) as n from `crawl.requests`, unnest([1000, 10000, 100000]) as rank_group where rank <= rank_group group by rank_group order by rank_group

select * from (select date, client, page from `crawl.requests`) pivot (count(distinct page) as pages for client in ('desktop', 'mobile')) order by date

select url, coalesce(json_value(summary, '$.mime'), 'unknown') as mime, regexp_extract(json_value(summary, '$.mime'), r'^[^/;]+') as family from `crawl.requests` where type in ('script', 'image')

select page, count(*) as n from `crawl.requests` where regexp_contains(page, r'^https://(www\.)?[a-zü]+\.') group by page

select type, string_agg(distinct client, '+' order by client) clients, corr(rank, cast(json_value(summary, '$.time') as float64)) is null as unknown from `crawl.requests` group by type

select lower(h.name) name, count(distinct h.value) as variants, array_agg(distinct h.value order by h.value limit 2) examples from `crawl.requests`, unnest(response_headers) as h where h.value != '' group by name
