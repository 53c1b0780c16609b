select * from (select product, year, q1, q2 from `shop.quarters`) unpivot (amount for quarter in (q1, q2)) order by product, year, quarter

select * from `shop.quarters` unpivot include nulls (amount for quarter in (q1 as 1, q2 as 2, q3 as 3, q4 as 4))

select product, sum(amount) from (select * from `shop.quarters` unpivot ((first, second) for half in ((q1, q2) as 'h1', (q3, q4) as 'h2'))) unpivot (amount for nth in (first, second)) group by product

select * from (select extract(month from ordered) as month, channel, amount from `shop.orders`) pivot (sum(amount) as total, count(*) as n for month in (1 as jan, 2 as feb, 3 as mar)) order by channel

select * from (select format_date('%b', ordered) as month, status, qty from `shop.orders`) pivot (sum(qty) for month in ('Jan', 'Feb', 'Mar', 'Apr'))

select * from (select channel, status, qty, discount from `shop.orders`) pivot (max(qty) as most, avg(discount) as mean for (channel, status) in (('web', 'paid') as web_paid, ('app', 'returned') as app_returned))

select ordered, sum(amount) as revenue, avg(sum(amount)) over (order by ordered rows between 6 preceding and current row) as moving, sum(sum(amount)) over (order by ordered) as running from `shop.orders` group by ordered order by ordered

select ordered, amount, sum(amount) over (order by unix_date(ordered) range between 7 preceding and current row) as last_week, count(*) over (order by unix_date(ordered) range between 3 preceding and 3 following) as around from `shop.orders`

with daily as (select day, ifnull(sum(amount), 0) as revenue from unnest(generate_date_array('2026-01-01', '2026-01-31')) as day left join `shop.orders` on ordered = day group by day)
select day, revenue, avg(revenue) over (order by day rows between 6 preceding and current row) as moving, revenue - lag(revenue, 7) over (order by day) as against_last_week from daily order by day

select date_trunc(ordered, month) as month, sum(amount) as revenue, round(safe_divide(sum(amount) - lag(sum(amount)) over (order by min(date_trunc(ordered, month))), lag(sum(amount)) over (order by min(date_trunc(ordered, month)))) * 100, 2) as growth from `shop.orders` group by 1

select customer_id, amount, round(cast(amount / sum(amount) over (partition by customer_id) as float64), 6) as share, rank() over (partition by customer_id order by amount desc) as r, dense_rank() over (order by amount desc nulls last) as d from `shop.orders` where customer_id < 6

select * except (n) from (select *, row_number() over (partition by customer_id, ordered order by order_id desc) as n from `shop.orders`) where n = 1

select order_id, customer_id, ordered_at from `shop.orders` qualify row_number() over (partition by customer_id order by ordered_at desc, order_id) = 1

select customer_id, channel, count(*) as n from `shop.orders` group by customer_id, channel qualify n = max(n) over (partition by customer_id)

select array_agg(struct(order_id, amount) order by amount desc, order_id limit 1)[offset(0)].order_id as biggest, channel from `shop.orders` group by channel

select channel, array_agg(amount ignore nulls order by amount desc limit 3) as top_amounts, array_agg(distinct status ignore nulls order by status) as states from `shop.orders` group by channel

select sku, count(*) as n, count(distinct order_id) as orders from `shop.orders`, unnest(skus) as sku group by sku

select a as item, b as other, count(distinct order_id) as n from `shop.orders`, unnest(skus) a, unnest(skus) b where a < b group by 1, 2

select order_id, array_to_string(array(select distinct s from unnest(skus) s order by s), ',') as basket, array_length(skus) as n, 'tea' in unnest(skus) as has_tea from `shop.orders`

select customer_id, sum(amount) as total, sum(sum(amount)) over (order by sum(amount) desc, customer_id) / sum(sum(amount)) over () as cumulative from `shop.orders` where amount > 0 group by customer_id

select c.name, c.country, count(o.order_id) as orders, coalesce(sum(o.amount * (1 - cast(ifnull(o.discount, 0) as numeric))), 0) as net from `shop.customers` c left join `shop.orders` o on o.customer_id = c.id group by c.name, c.country

select country, status, count(*) as n, grouping(country) as all_countries from `shop.customers` c join `shop.orders` o on o.customer_id = c.id group by cube (country, status)
-- as
select country, status, count(*), 0 from `shop.customers` c join `shop.orders` o on o.customer_id = c.id group by country, status
union all select country, null, count(*), 0 from `shop.customers` c join `shop.orders` o on o.customer_id = c.id group by country
union all select null, status, count(*), 1 from `shop.customers` c join `shop.orders` o on o.customer_id = c.id group by status
union all select null, null, count(*), 1 from `shop.customers` c join `shop.orders` o on o.customer_id = c.id

select regexp_replace(initcap(trim(name)), r'\s+', ' ') as clean, lower(email) as mail, regexp_contains(email, r'^[^@\s]+@[^@\s]+\.[a-z]+$') as valid, split(lower(email), '@')[safe_ordinal(2)] as domain from `shop.customers`

select coalesce(nullif(trim(name), ''), 'n/a') as name, count(*) as n, min(id) as kept, array_agg(id order by id) as ids from `shop.customers` group by 1 having n > 1

select c.id, x.kind from `shop.customers` c cross join unnest(array<struct<kind string, wanted bool>>[('jp', country = 'JP'), ('vip', segment = 'vip'), (null, country is null)]) as x where x.wanted

select order_id, case channel when 'web' then 1 when 'app' then 2 else 3 end as code, if(status = 'paid', amount, null) as paid, nullif(qty, 0) as q, greatest(qty, 2) as g, least(amount, 50) as l, ifnull(discount, 0.0) as d from `shop.orders`

select ordered, date_add(ordered, interval 1 month) as next_month, last_day(ordered) as month_end, date_diff(last_day(ordered), ordered, day) as days_left, extract(isoweek from ordered) as week, format_date('%a %d.%m.%y', ordered) as text, date_trunc(ordered, week(monday)) as monday from `shop.orders` group by ordered

select ordered_at, datetime_trunc(ordered_at, hour) as h, datetime_diff(datetime '2026-06-01 00:00:00', ordered_at, day) as age, extract(dayofweek from ordered_at) as d, format_datetime('%H:%M', ordered_at) as clock, timestamp(ordered_at, 'Europe/Berlin') as berlin, time(ordered_at) as t from `shop.orders`

select count(*) as n, countif(amount is null) as missing, avg(amount) as mean, min(amount) as low, max(amount) as high, stddev_samp(qty) as deviation, sum(amount * qty) as value from `shop.orders` where status is distinct from 'cancelled'

select qty, count(*) as n, round(avg(amount), 2) as mean, sum(count(*)) over (order by qty rows between unbounded preceding and 1 preceding) as before from `shop.orders` group by qty order by qty

select order_id, amount, (amount - avg(amount) over ()) / stddev_pop(cast(amount as float64)) over () as z from (select order_id, cast(amount as float64) as amount from `shop.orders`)

select o.order_id from `shop.orders` o where o.amount > (select avg(i.amount) from `shop.orders` i where i.channel = o.channel)

select order_id from `shop.orders` where (customer_id, status) in (select as struct customer_id, status from `shop.orders` where channel = 'app') and channel != 'app'

select channel, sum(amount) as total from `shop.orders` where ordered between @first_day and date_add(@last_day, interval 2 week) group by channel

select 'orders' as name, count(*) as n, cast(max(ordered) as string) as latest from `shop.orders` union all select 'customers', count(*), cast(max(signup) as string) from `shop.customers` order by name

select product, year, coalesce(q1, 0) + coalesce(q2, 0) + coalesce(q3, 0) + coalesce(q4, 0) as total, (select max(q) from unnest([q1, q2, q3, q4]) q) as best, (select as value o + 1 from unnest([q1, q2, q3, q4]) q with offset o where q is not null order by q desc, o limit 1) as best_quarter from `shop.quarters`

select t.* replace (upper(t.product) as product) from `shop.quarters` t where note is null or note = ''

select a.product, b.q1 - a.q1 as change from `shop.quarters` a join `shop.quarters` b on a.product = b.product and b.year = a.year + 1

select order_id, cast(amount as string) as s, cast(amount as int64) as i, cast(discount as string) as d, format('%s-%05d', channel, order_id) as code, format('%t', struct(order_id, status)) as f, to_json_string(struct(order_id as id, amount, ordered, skus)) as j from `shop.orders`

select parse_numeric('1,234.5') as a, safe.parse_numeric('x') as b, safe_cast('12.5' as numeric) * 2 as c, round(numeric '2.5') as d, div(7, 2) as e, mod(-7, 2) as f, 7 / 2 as g, safe_divide(1, 0) as h, power(2, 10) as i

select exists (select 1 from `shop.orders` where amount > 100000) as has_huge, (select count(*) from `shop.orders` where customer_id not in (select id from `shop.customers`)) as orphans
