with steps as (
  select user_pseudo_id,
    min(if(event_name = 'view_item', event_timestamp, null)) as viewed,
    min(if(event_name = 'add_to_cart', event_timestamp, null)) as added,
    min(if(event_name = 'purchase', event_timestamp, null)) as bought
  from `ga.events_*` group by user_pseudo_id
)
select countif(viewed is not null) viewed, countif(added > viewed) added, countif(bought > added and added > viewed) bought,
  safe_divide(countif(added > viewed), countif(viewed is not null)) as rate
from steps

with funnel as (
  select user_pseudo_id, event_timestamp, event_name,
    case event_name when 'page_view' then 1 when 'view_item' then 2 when 'add_to_cart' then 3 when 'begin_checkout' then 4 when 'purchase' then 5 end as step
  from `ga.events_*`
),
reached as (select user_pseudo_id, max(step) as furthest from funnel where step is not null group by user_pseudo_id)
select s as step, count(r.user_pseudo_id) as users, lag(count(r.user_pseudo_id)) over (order by s) as before,
  round(safe_divide(count(r.user_pseudo_id), first_value(count(r.user_pseudo_id)) over (order by s)), 3) as of_first
from unnest(generate_array(1, 5)) as s left join reached r on r.furthest >= s
group by s order by s

select step_name, users from (
  select countif(a > 0) as page_view, countif(b > 0) as view_item, countif(c > 0) as purchase from (
    select user_pseudo_id, countif(event_name = 'page_view') a, countif(event_name = 'view_item') b, countif(event_name = 'purchase') c from `ga.events_*` group by user_pseudo_id
  )
) unpivot (users for step_name in (page_view, view_item, purchase as 'bought'))

with firsts as (select customer_id, min(ordered) as first_day from `shop.orders` where customer_id is not null group by customer_id),
activity as (select distinct customer_id, date_trunc(ordered, month) as month from `shop.orders`)
select date_trunc(f.first_day, month) as cohort, date_diff(a.month, date_trunc(f.first_day, month), month) as months_later, count(distinct a.customer_id) as customers
from firsts f join activity a using (customer_id)
group by 1, 2 order by 1, 2

with cohort as (select id, date_trunc(signup, month) as joined from `shop.customers`),
sizes as (select joined, count(*) as size from cohort group by joined),
kept as (
  select c.joined, date_diff(o.ordered, c.joined, month) as m, count(distinct o.customer_id) as n
  from cohort c join `shop.orders` o on o.customer_id = c.id where o.ordered >= c.joined group by 1, 2
)
select joined, size, m, n, round(n / size * 100, 1) as pct from kept join sizes using (joined) order by joined, m

select * from (
  select date_trunc(c.signup, month) as cohort, concat('m', cast(date_diff(o.ordered, c.signup, month) as string)) as age, o.customer_id
  from `shop.customers` c join `shop.orders` o on o.customer_id = c.id
) pivot (count(distinct customer_id) for age in ('m0', 'm1', 'm2', 'm3'))
order by cohort

with days as (select distinct user_pseudo_id, parse_date('%Y%m%d', event_date) as day from `ga.events_*`)
select a.day, count(distinct a.user_pseudo_id) as active, count(distinct b.user_pseudo_id) as back_next_day
from days a left join days b on a.user_pseudo_id = b.user_pseudo_id and b.day = date_add(a.day, interval 1 day)
group by a.day order by a.day

with d as (select distinct user_pseudo_id u, parse_date('%Y%m%d', event_date) as day from `ga.events_*` where user_pseudo_id is not null)
select day, (select count(distinct x.u) from d x where x.day between date_sub(s.day, interval 1 day) and s.day) as two_day_active
from unnest(generate_date_array('2026-01-28', '2026-02-01')) as s_day join (select day as day from unnest(generate_date_array(date '2026-01-28', date '2026-02-01', interval 1 day)) as day) s on s.day = s_day

select count(*) as buyers, avg(date_diff(second_order, first_order, day)) as days_between from (
  select customer_id, min(ordered) as first_order, array_agg(ordered order by ordered, order_id)[safe_offset(1)] as second_order
  from `shop.orders` where customer_id is not null group by customer_id
) where second_order is not null

select customer_id, ordered, order_id, ordered = min(ordered) over (partition by customer_id) as is_first_day,
  date_diff(ordered, lag(ordered) over (partition by customer_id order by ordered, order_id), day) as since
from `shop.orders`

with rfm as (
  select customer_id, date_diff(date '2026-05-01', max(ordered), day) as recency, count(*) as frequency, sum(amount) as monetary
  from `shop.orders` where status != 'cancelled' and customer_id is not null group by customer_id
)
select customer_id, ntile(3) over (order by recency, customer_id) r, ntile(3) over (order by frequency desc, customer_id) f, ntile(3) over (order by monetary desc, customer_id) m from rfm

select c.segment, count(distinct c.id) as customers, count(distinct o.customer_id) as buyers, count(distinct c.id) - count(distinct o.customer_id) as lost, sum(o.amount) as revenue, sum(o.amount) / nullif(count(distinct o.customer_id), 0) as per_buyer
from `shop.customers` c left join `shop.orders` o on o.customer_id = c.id and o.status in ('paid', 'shipped') group by c.segment

select c.id from `shop.customers` c where not exists (select 1 from `shop.orders` o where o.customer_id = c.id and o.ordered > date_sub(date '2026-04-30', interval 30 day))

select month, new_customers, sum(new_customers) over (order by month) as total, new_customers - lag(new_customers, 1, 0) over (order by month) as change
from (select date_trunc(signup, month) as month, count(*) as new_customers from `shop.customers` group by month)

select login, array_agg(distinct type order by type) as kinds, countif(type = 'PullRequestEvent') > 0 and countif(type = 'PushEvent') > 0 as does_both
from (select actor.login as login, type from `hub.events`) group by login

with first_event as (select actor.login, min(timestamp_trunc(created_at, isoweek)) as week from `hub.events` group by actor.login)
select f.week, timestamp_diff(timestamp_trunc(e.created_at, isoweek), f.week, day) / 7 as week_number, count(distinct e.actor.login) as active
from first_event f join `hub.events` e on e.actor.login = f.login group by 1, 2 order by 1, 2

with seq as (
  select user_pseudo_id, array_agg(event_name order by event_timestamp) as names from `ga.events_*` where user_pseudo_id is not null group by user_pseudo_id
)
select user_pseudo_id, (select min(o) from unnest(names) n with offset o where n = 'purchase') as first_purchase_at, (select count(*) from unnest(names) n with offset o where n = 'page_view' and o < (select min(p) from unnest(names) m with offset p where m = 'purchase')) as views_before from seq

with seq as (select user_pseudo_id, string_agg(substr(event_name, 1, 1), '' order by event_timestamp) as letters from `ga.events_*` group by user_pseudo_id)
select user_pseudo_id, regexp_contains(letters, r'p.*v.*a') as converted, array_length(regexp_extract_all(letters, 'p+')) as bursts, length(letters) as n from seq

select if(event_name = 'purchase', 'buyer', 'visitor') as kind, percentile_cont(event_timestamp, 0.5) over (partition by event_name = 'purchase') as middle from `ga.events_*`

select channel, countif(status = 'returned') / count(*) as returned, countif(status is null) as unknown, sum(if(status in ('paid', 'shipped'), amount, 0)) as net, sum(case when status = 'returned' then -amount else 0 end) as back from `shop.orders` group by channel

with a as (select variant, count(*) n, countif(status = 'paid') c from (select *, if(mod(order_id, 2) = 0, 'A', 'B') as variant from `shop.orders`) group by variant),
p as (select max(if(variant = 'A', c / n, null)) pa, max(if(variant = 'B', c / n, null)) pb, sum(c) / sum(n) pool, max(if(variant = 'A', n, null)) na, max(if(variant = 'B', n, null)) nb from a)
select round(pb - pa, 6) as lift, round((pb - pa) / sqrt(pool * (1 - pool) * (1 / na + 1 / nb)), 6) as z from p
