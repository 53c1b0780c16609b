select 1) union all (select id from logs.edge_logs

select 1) select * from logs.edge_logs --

select 1) --

select 1 /*

select 1 */

select id from edge_logs) union all (select id from logs.edge_logs

select id from edge_logs), x as (select * from logs.edge_logs

) select * from logs.edge_logs --

), x as (select * from logs.edge_logs) select * from x --

select * from (select 1 as x

select * from select 1

select 'a

select "a

select `a

select """a

select r'a

select b'\xZZ'

select '\u12'

select '\U00110000'

select '\ud800'

select 'a' 'b' from from

select 0x

select 1e

select 1.2.3

select 99999999999999999999

select -99999999999999999999

select numeric '1e100'

select date '2026-02-30'

select timestamp 'nonsense'

select cast('a' as nothing)

select 1 +

select from edge_logs

select * from

select *, from edge_logs where

select , 1

select

with

with t select 1

with t as () select 1

with t as (select 1), t as (select 2) select * from t

with t as (select * from u), u as (select 1 as x) select * from t

with t as (select * from t) select * from t

with edge_logs as (select * from auth_users) select * from edge_logs

with logs as (select 1 as x) select * from logs.edge_logs

with edge_logs as (select 1 as x) select id from edge_logs

select * from edge_logs as logs, logs.edge_logs

select * from edge_logs as logs join logs.auth_logs on true

select logs.edge_logs.id from edge_logs

select edge_logs.logs.id from edge_logs

select * from edge_logs.metadata

select * from edge_logs.metadata.request

select * from edge_logs.id

select * from edge_logs.nothing

select nothing from edge_logs

select edge_logs.nothing from edge_logs

select id + 1 from edge_logs

select count(id, 1) from edge_logs

select nothing(1)

select id, count(*) from edge_logs

select id from edge_logs group by 2

select id from edge_logs order by 2

select id from edge_logs where count(*) > 1

select id from edge_logs limit -1

select id from edge_logs limit 'a'

select id from edge_logs limit id

select id from edge_logs union all select 1, 2

select id from edge_logs union select id from auth_logs

select (select id, 1 from edge_logs)

select [1, 'a']

select -- all of it

-- nothing

/* nothing */

#

select * from edge＿logs

select * from еdge_logs

select * from edge_logs where id = ‘a’

select * from “edge_logs”

select * from edge_logs；

select＊from edge_logs

select * from `logs․edge_logs`

select * from `edge_logs​`

select * from `edge_logſ`

select * from `logs\x2eedge_logs`

select * from `logs\u002eedge_logs`

select * from `\u006cogs`.edge_logs

select * from `logs`.`edge\x5flogs`

select * from `logs.edge_logs\0`

select * from logs . edge_logs

select * from logs/**/./**/edge_logs

select * from logs -- x
.edge_logs

select*from(logs.edge_logs)

SELECT/**/*/**/FROM/**/logs.edge_logs

select * from/*`edge_logs`*/auth_users

select * from ``

select * from `.`

select * from .edge_logs

select * from edge_logs.

select * from logs..edge_logs

select * from [logs.edge_logs]

select * from [edge_logs]

select * from {edge_logs}

select * from table_date_range([logs.edge_logs], timestamp('a'), timestamp('b'))

#legacySQL
select * from [logs:edge_logs]

#standardSQL
select * from logs.edge_logs

select * from `logs.*`

select * from `logs.edge_*` where _table_suffix = 'logs'

select * from logs.`edge_*`
