from `logs.ev_*` |> where status >= 500 |> aggregate count(*) as n group by service |> order by n desc, service

from `shop.orders` |> where amount is not null |> extend amount * qty as value |> aggregate sum(value) as total, count(*) as n group by channel, status |> where n > 1 |> order by total desc, channel, status

from `hub.events` |> aggregate count(*) as events, count(distinct actor.login) as people group and order by type

from `shop.orders` |> select order_id, customer_id, amount |> join `shop.customers` as c on customer_id = c.id |> aggregate sum(amount) as total group by c.country |> order by total desc nulls last

from `logs.ev_20260128` |> set level = upper(level) |> drop payload, labels, message, user_agent |> rename latency_ms as ms |> order by id |> limit 10

from `qa.questions` |> join unnest(split(tags, '|')) as tag |> where tag != '' |> aggregate count(*) as n, avg(score) as mean group by tag |> order by n desc, tag |> limit 3

from `iot.readings` |> extend lag(value) over (partition by device order by measured) as before |> where value != before |> select device, measured, value - before as jump

from `shop.quarters` |> unpivot (amount for quarter in (q1, q2, q3, q4)) |> aggregate sum(amount) as total group by quarter |> order by quarter

from (select channel, extract(month from ordered) as m, qty from `shop.orders`) |> pivot (sum(qty) for m in (1, 2, 3)) |> order by channel

from `ga.events_*` |> where event_name = 'page_view' |> extend (select value.string_value from unnest(event_params) where key = 'page_location') as page |> aggregate count(*) as views group by page |> order by views desc, page |> limit 2

from `shop.employees` |> as e |> left join `shop.employees` as b on e.boss = b.id |> select e.name, b.name as boss_name, e.salary - b.salary as difference

from `shop.orders` |> aggregate sum(amount) as total group by customer_id |> extend rank() over (order by total desc, customer_id) as r |> where r <= 3

from `shop.orders` |> select customer_id |> except distinct (from `shop.customers` |> where country = 'DE' |> select id)

from `logs.ev_*` |> where level = 'ERROR' |> select service, id |> union all (from `logs.ev_*` |> where status = 503 |> select service, id) |> distinct |> aggregate count(*) as n group by service

with errors as (from `logs.ev_*` |> where level = 'ERROR') from errors |> aggregate max(timestamp) as latest, string_agg(distinct host, ',' order by host) as hosts group by service

select service, path, count(*) as n from `logs.ev_*` group by all order by n desc, service, path limit 5

select (message).upper().substr(1, 4) as start, count(*) as n from `logs.ev_*` group by 1

select country, id from `shop.customers` union all by name select id, cast(null as string) as country from `shop.employees`

from `audit.activity` |> where protopayload_auditlog.status.code != 0 |> select protopayload_auditlog.methodName as method, protopayload_auditlog.status.message as reason |> aggregate count(*) as n group by method, reason

from `crawl.requests` as r |> join unnest(r.response_headers) as h |> aggregate count(distinct r.page) as pages group by lower(h.name) as header |> order by header
