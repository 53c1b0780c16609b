select * from edge_logs order by id limit 5

select metadata[safe_offset(0)].request[safe_offset(0)].path as p, id from edge_logs order by id limit 15

select id, x from nums order by x, id

select id, x from nums order by x desc, id

select id, s from nums order by s desc, id

select id, s from nums order by s nulls last, id limit 20 offset 3

select id, ts from nums order by ts desc nulls first, id

select distinct t, b from nums

select stddev(y), variance(y), stddev_pop(y), corr(a, b) from nums where a is not null and b is not null

select t, case t when 'a' then 1 when 'b' then 2 else 0 end, if(flag, 'y', 'n'), nullif(t, 'a'), coalesce(t, s, 'z'), ifnull(a, b), flag is true, flag is not false, not flag, flag and a > 0, flag or null, a is distinct from b from nums

select a as x, x as a from nums order by x, a, id limit 20

select id, a + 1 as a from nums where a > 0 order by a, id

select id, 'x' as c from nums order by c, id limit 3

select 'a' < 'B', 'a' < 'á', '' < 'a', 'Z' < 'a', '😀' > '～'

select distinct x, y from nums

select as value id from nums where id < 3

select 1 as one from nums limit 0

select 5 as x limit 1 offset 1

select id from nums order by if(a is null, 1, 0), a desc, id limit 10

select logical_or(null), logical_and(flag) from nums where flag is null

select bit_and(id), bit_or(id), bit_xor(id) from nums where id > 0

select cast('3' as integer), cast('4' as bigint), cast('1' as int), cast(2.6 as smallint), safe_cast('x' as tinyint), cast(3 as byteint), array<integer>[1, 2], struct<a int, b bigint>(1, 2)
