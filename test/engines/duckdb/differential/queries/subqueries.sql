
select id, (select a + id), (select x * 2 from (select a as x)), (select y from (select x as y, 1 as z from (select s as x))) from nums order by id

select id, (select (select (select a))) from nums order by id

select id, array(select (select x + a) from unnest(arr) x) from nums order by id

select l.id, r.id from nums l full join nums r on (select l.id = r.id and l.a > 1) order by 1, 2

select (select count(*) from unnest(arr) x where x > (select a)), (select max(x) from unnest(arr) x where (select x = a)) from nums order by id
