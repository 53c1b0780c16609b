select id, cast(r.f as string), to_json_string(r.f), format('%t %T', r.f, r.f), to_json_string(to_json(r.f)), to_json_string(r) from records

select id, if(r.n between 0 and 1000, chr(r.n), null), safe.chr(r.n) from records

select id, if(r.n between 0 and 1000, lpad('a', r.n, 'b'), null), safe.rpad('a', r.n, 'b'), safe.repeat('a', r.n) from records

select id, if(r.n between 0 and 1000, date_add(date '2020-01-31', interval r.n month), null), safe.date_add(date '2020-01-31', interval r.n day), safe.datetime_sub(datetime '2020-01-31 00:00:00', interval r.n quarter) from records

select id, safe.timestamp_add(timestamp '2020-01-31 00:00:00', interval r.n hour), safe.timestamp_millis(r.n), safe.date_from_unix_date(r.n) from records

select id, if(abs(r.f) < 1e9, cast(r.f as int64), 0), safe_cast(r.f as int64), safe_cast(r.f as numeric) from records

select id, if(r.n >= 0, left('abc', r.n), null), if(r.n >= 0, right('abc', r.n), null), if(r.n >= 0, left(b'abc', r.n), null), substr('abc', r.n) from records

select id, e.n, if(e.n between 0 and 1000, chr(e.n), null), if(e.n between 0 and 10, date_sub(date '2020-01-31', interval e.n week), null) from records, unnest(rs) e

select to_json_string(cast(null as struct<c timestamp, d float64, e array<date>>)), to_json(cast(null as struct<c timestamp>))

select format('%t', cast(null as struct<c timestamp, d float64, e bytes>))

select timestamp_trunc(cast(null as struct<c timestamp>).c, hour), unix_seconds([cast(null as struct<c timestamp>)][offset(0)].c)

select to_json_string(s.c) from (select cast(null as struct<c struct<d timestamp>>) as s)

select x.d from (select 1) cross join unnest(cast(null as struct<c array<struct<d timestamp>>>).c) x
