insert into edge_logs (id) values ('a')

insert into logs.edge_logs select * from edge_logs

update edge_logs set id = 'a' where true

delete from edge_logs where true

delete edge_logs where true

truncate table edge_logs

merge edge_logs t using auth_logs s on t.id = s.id when matched then delete

create table x (a int64)

create table x as select * from edge_logs

create or replace table edge_logs as select 1 as x

create temp table x as select 1 as x

create external table x options (format = 'CSV', uris = ['gs://a/b'])

create view v as select 1 as x

create materialized view v as select 1 as x

create function f(x int64) as (x)

create temp function f(x int64) as (x); select f(1)

create temp function f() returns string language js as "return 'a'"; select f()

create table function f() as select 1 as x

create procedure p() begin select 1; end

create aggregate function f(x int64) as (sum(x))

create schema s

create model m options (model_type = 'linear_reg') as select 1 as label

create index i on edge_logs (id)

create search index i on edge_logs (all columns)

create row access policy p on edge_logs grant to ('a') filter using (true)

create snapshot table x clone edge_logs

drop table edge_logs

drop table if exists edge_logs

drop view v

drop schema logs cascade

drop function f

alter table edge_logs add column x int64

alter table edge_logs rename to x

alter view v set options (description = 'a')

alter schema logs set options (description = 'a')

undrop schema logs

rename table edge_logs to x

export data options (uri = 'gs://a/*', format = 'CSV') as select * from edge_logs

export model m options (uri = 'gs://a')

load data into x from files (format = 'CSV', uris = ['gs://a/b'])

copy edge_logs to 'out.csv'

copy (select * from edge_logs) to '/tmp/x.parquet' (format parquet)

call p()

call bq.refresh_materialized_view('x')

execute immediate 'select 1'

execute immediate concat('select * from ', 'logs.edge_logs')

begin select 1; end

begin transaction

commit transaction

rollback

start transaction

set @@time_zone = 'UTC'

set x = 1

set memory_limit = '1GB'

declare x int64 default 1

declare x int64; select x

if true then select 1; end if

while true do select 1; end while

loop select 1; end loop

for r in (select 1 as x) do select r.x; end for

repeat select 1; until true end repeat

case when true then select 1; end case

raise using message = 'a'

return

break

assert true

assert exists (select * from logs.edge_logs) as 'a'

grant `roles/bigquery.dataViewer` on table edge_logs to 'user:a'

revoke `roles/bigquery.dataViewer` on table edge_logs from 'user:a'

explain select 1

explain analyze select 1

describe edge_logs

describe select 1

show tables

show databases

use logs

analyze

analyze table edge_logs

attach 'x.duckdb' as x

detach x

install httpfs

load httpfs

pragma database_list

pragma show_tables

vacuum

checkpoint

prepare p as select 1

deallocate p

summarize edge_logs

import module a.b

module a.b

define table t (x = 1)

run script 'a'

select 1; select 2

select 1; drop table edge_logs

select 1;; select 2

; select 1

select 1; -- a
select 2

select 1 union all select 2; delete from edge_logs where true

with t as (insert into edge_logs (id) values ('a')) select * from t

with t as (delete from edge_logs where true returning *) select * from t

select * from (delete from edge_logs where true)

select * from (drop table edge_logs)

select (delete from edge_logs where true)

select 1 into outfile '/tmp/x'

select * into x from edge_logs

create or replace macro f(x) as x

values (1)

table edge_logs

from edge_logs select id

from edge_logs where true

from edge_logs |>

|> select 1

from edge_logs |> call external_query('a', 'b')

from edge_logs |> insert into auth_logs

from edge_logs |> create table x

from edge_logs |> export data options (uri = 'x')

from edge_logs |> assert id = 'x'

from edge_logs |> group by id

from edge_logs |> select count(*)

from edge_logs |> aggregate 1

from edge_logs |> select id; from edge_logs

select 1 as x format json
