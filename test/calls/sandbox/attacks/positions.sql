select * from {table}

select 1 from {table} as t

select * from ({table})

select * from (select * from {table})

select * from (select * from (select * from {table}))

select * from edge_logs, {table}

select * from edge_logs cross join {table}

select * from edge_logs as e join {table} as t on true

select * from edge_logs e join {table} t using (id)

select * from edge_logs e left join {table} t on e.id = t.id

select * from edge_logs e right outer join {table} t on e.id = t.id

select * from edge_logs e full join {table} t on e.id = t.id

select * from edge_logs e inner join (auth_logs a join {table} t on true) on true

select * from (edge_logs e join {table} t on true)

select * from {table} t join edge_logs e on true

select (select 1 from {table})

select (select id from {table} limit 1) as x from edge_logs

select array(select id from {table}) as x

select array(select as struct * from {table}) as x from edge_logs

select exists(select 1 from {table}) as x

select 1 in (select 1 from {table}) as x

select 1 not in (select 1 from {table}) as x from edge_logs

select 'a' like any (select id from {table}) as x

select id from edge_logs where id in (select id from {table})

select id from edge_logs where exists (select * from {table})

select id from edge_logs where id = (select max(id) from {table})

select id from edge_logs e where exists (select 1 from {table} t where t.id = e.id)

select count(*) from edge_logs group by (select count(*) from {table})

select count(*) from edge_logs having count(*) > (select count(*) from {table})

select id from edge_logs order by (select count(*) from {table})

select id from edge_logs qualify row_number() over (order by (select count(*) from {table})) = 1

select row_number() over (partition by (select count(*) from {table})) as x from edge_logs

select sum((select count(*) from {table})) over () as x from edge_logs

select id, sum(1) over w as x from edge_logs window w as (order by (select count(*) from {table}))

select case when exists(select 1 from {table}) then 1 else 2 end as x from edge_logs

select if(true, 1, (select count(*) from {table})) as x

select coalesce(null, (select max(id) from {table})) as x

select cast((select max(id) from {table}) as bytes) as x

select struct((select max(id) from {table})) as x

select [(select max(id) from {table})] as x

select [1, 2][offset((select count(*) from {table}))] as x

select array_agg((select max(id) from {table})) as x from edge_logs

select string_agg(id order by (select max(id) from {table})) as x from edge_logs

select countif(id in (select id from {table})) as x from edge_logs

select id between 'a' and (select max(id) from {table}) as x from edge_logs

select extract(year from (select max(timestamp) from {table})) as x

select timestamp_trunc((select max(timestamp) from {table}), hour) as x

select id from edge_logs union all select id from {table}

select id from edge_logs union distinct select id from {table}

select id from edge_logs intersect distinct select id from {table}

select id from edge_logs except distinct select id from {table}

(select id from {table})

(select id from edge_logs) union all (select id from {table})

with t as (select * from {table}) select * from t

with t as (select * from edge_logs), u as (select * from {table}) select * from u

with t as (with u as (select * from {table}) select * from u) select * from t

with recursive t as (select id from {table} union all select id from t) select * from t

with recursive t as (select 'a' as id union all select x.id from t join {table} x on true) select * from t

with t as (select * from {table}) select 1 as x

select (with t as (select max(id) as x from {table}) select x from t) as x

select * from (with t as (select * from {table}) select * from t)

select * from unnest(array(select id from {table})) as x

select * from edge_logs, unnest(array(select id from {table})) as x

select * from edge_logs left join unnest((select [1] from {table})) as x

select * from unnest([1]) as x with offset o join {table} on true

select * from (select id, event_message from {table}) pivot (count(*) for id in ('a'))

select * from {table} pivot (count(*) for id in ('a'))

select * from {table} unpivot (x for y in (id, event_message))

select * from edge_logs e where (select as struct 1, (select count(*) from {table})) is null

select e.* replace ((select max(id) from {table}) as id) from edge_logs e

select as struct (select max(id) from {table}) as x

select as value (select max(id) from {table})

select {table}.id from edge_logs

select {table}.* from edge_logs, {table}

select distinct (select max(id) from {table}) as x from edge_logs

select id from edge_logs limit (select count(*) from {table})

from {table}

from {table} as t |> select 1 as x

(from {table}) |> aggregate count(*) as n

select 1 as id union all (from {table} |> select 2)

from edge_logs |> join {table} as t on true |> aggregate count(*) as n

from edge_logs as e |> where e.id = 'x' |> left join (from {table}) as t on true |> select e.id

from edge_logs |> select 'x' as x |> union all (from {table} |> select 'y'), (select 'z')

from edge_logs |> with t as (from {table}) |> aggregate count(*) as n

with t as (from {table} |> limit 1) from edge_logs |> cross join t |> aggregate count(*) as n

from edge_logs |> where exists (from {table} |> where false) |> select id

from edge_logs |> extend (from {table} |> aggregate count(*)) as n |> rename n as m |> select m

from edge_logs |> aggregate max((select 1 from {table} limit 1)) as n

from edge_logs |> order by (from {table} |> aggregate count(*)) |> select id

from edge_logs |> set id = (from {table} |> aggregate 'x' || max('y')) |> select id

select 'x' as a union all by name on (a) select 'y' as a, * from {table}

select (select 'x' from {table}).concat('y') as a

select id like any (from {table} |> select 'x') as a from edge_logs
