select session_user()

select SESSION_USER()

select `session_user`()

select safe.session_user()

select id from edge_logs where session_user() = 'a'

select current_user

select current_user()

select @@project_id

select @@dataset_id

select @@script.job_id

select @@error.message

select @@row_count

select @@time_zone

select @@global.x

select id from edge_logs where @@version = 'a'

select @other

select @project2

select id from edge_logs where id = @key

select ?

select id from edge_logs limit ?

select $1

select :a

select @

select @@

select external_query('projects/a/locations/us/connections/b', 'select 1')

select * from external_query('projects/a/locations/us/connections/b', 'select 1')

select * from EXTERNAL_QUERY('a', 'b') as x

select * from `external_query`('a', 'b')

select * from table(external_query('a', 'b'))

select * from edge_logs, external_query('a', 'b')

select * from ml.predict(model m, table edge_logs)

select * from ml.predict(model `a.b`, (select * from edge_logs))

select * from ml.generate_text(model m, (select 'a' as prompt))

select ml.distance([1.0], [2.0])

select ai.generate('a')

select * from ai.forecast(table edge_logs)

select * from vector_search(table edge_logs, 'a', table edge_logs)

select * from appends(table edge_logs, null, null)

select * from changes(table edge_logs, null, current_timestamp())

select * from gap_fill(table edge_logs, ts_column => 'timestamp')

select * from object_table('a')

select * from table(f())

select * from f(1)

select * from f(table edge_logs)

select * from f(select 1)

select * from logs.f()

select logs.f()

select `logs.f`()

select keys.new_keyset('AEAD_AES_GCM_256')

select aead.encrypt(b'a', 'b', 'c')

select * from read_csv('a.csv')

select * from read_csv_auto('/etc/passwd')

select * from read_parquet('a.parquet')

select * from read_json('a.json')

select * from read_text('/etc/passwd')

select * from read_blob('/etc/passwd')

select * from parquet_scan('a.parquet')

select * from glob('*')

select * from sniff_csv('a.csv')

select * from duckdb_settings()

select * from duckdb_tables()

select * from duckdb_secrets()

select * from pragma_table_info('edge_logs')

select * from pragma_database_list()

select * from query('select 1')

select * from query_table('edge_logs')

select * from sqlite_scan('a', 'b')

select * from postgres_scan('a', 'b', 'c')

select * from iceberg_scan('a')

select * from range(10)

select * from generate_series(1, 10)

select * from repeat_row(1)

select * from test_all_types()

select * from seq_scan('edge_logs')

select * from 'a.csv'

select * from "a.csv"

select * from '/etc/passwd'

select read_text('/etc/passwd')

select current_setting('threads')

select set_config('a', 'b')

select getenv('HOME')

select getvariable('a')

select current_database()

select current_schemas(true)

select version()

select pg_sleep(10)

select sleep(10)

select nextval('a')

select currval('a')

select txid_current()

select which_secret('a', 'b')

select write_log('a')

select list_transform([1], lambda x: x)

select bqerr('a')

select eval('1')

select json_execute_serialized_sql('a')

select json_serialize_sql('select 1')

select columns('.*') from edge_logs

select columns(*) from edge_logs

select id::bytes from edge_logs

select id from edge_logs where id ilike 'a'

select id from edge_logs where id ~ 'a'

select * from edge_logs tablesample system (10 percent)

select * from edge_logs tablesample bernoulli (1 rows)

select * from edge_logs for system_time as of timestamp_sub(current_timestamp(), interval 1 hour)

select * from edge_logs for system time as of current_timestamp()

select * from edge_logs at (timestamp => 'a')

select * from edge_logs positional join auth_logs

select * from edge_logs natural join auth_logs

select * from edge_logs, lateral (select 1 as x)

select * from edge_logs match_recognize (pattern (a) define a as true)

select * from graph_table(g match (a) return a.id)

select _table_suffix from edge_logs

select _partitiontime from edge_logs

select _partitiondate from edge_logs

select _file_name from edge_logs

select rowid from edge_logs

select _rowid_ from edge_logs

select project from edge_logs

select edge_logs.project from edge_logs

select t.project from edge_logs as t where t.project != @project

select id from edge_logs where project = 'ffffgggghhhhiiiijjjj'

select * from edge_logs order by project

select * except (project) from edge_logs

select @@{hint=1} id from edge_logs

select id from edge_logs with differential_privacy

select with differential_privacy options (epsilon = 1) count(*) from edge_logs

select with anonymization count(*) from edge_logs
