select case when lower(s) = 'a' then 1 when lower(s) = 'b' then 2 when lower(s) = 'ς' then 3 when lower(s) in ('c', 'd') then 4 else 5 end x, lower(s) y, concat(lower(s), upper(s), upper(s), upper(s), upper(s)) z from unnest(['A', 'b', 'ΑΣ', 'D', '', null, 'ß']) s order by s

select s, case when starts_with(s, 'n') then 0 when cast(s as int64) = 1 then 1 when cast(s as int64) = 2 then 2 when cast(s as int64) = 3 then 3 when cast(s as int64) = 4 then 4 else 5 end x from unnest(['1', '2', 'no', null, '9']) s order by s

select s, if(s like '2%', concat(parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s), parse_date('%Y-%m-%d', s)), 'none') x from unnest(['2024-02-29', 'x', null]) s order by s

select coalesce(nullif(replace(trim(s), 'a', 'b'), ''), nullif(replace(trim(s), 'a', 'b'), 'b'), nullif(replace(trim(s), 'a', 'b'), 'c'), concat(replace(trim(s), 'a', 'b'), '!')) x from unnest([' a ', 'aa', '', null]) s order by s

select lower(s) k, countif(lower(s) = 'a') a, countif(lower(s) = 'b') b, countif(upper(s) = 'A') c, countif(upper(s) = 'B') d, countif(upper(s) = 'C') e, countif(upper(s) in ('D', 'E')) f, string_agg(upper(s) order by s) g from unnest(['a', 'A', 'b', 'ab', null]) s group by k order by k

select k, count(distinct lower(s)) a, sum(if(k = 'number', cast(s as int64), 0)) b, sum(if(k = 'number', cast(s as int64) + 1, 0)) c, max(if(k = 'number', cast(s as int64) - 1, 0)) d, min(if(k = 'number', cast(s as int64) * 2, 0)) e from unnest([struct('number' as k, '1' as s), ('number', '2'), ('text', 'x')]) group by k order by k

select s, (select sum(case when lower(s) = 'a' then 1 when lower(s) = 'b' then 2 when lower(s) = 'c' then 3 when lower(s) = 'd' then 4 end + i + strpos(lower(t), 'b')) from unnest([1, 2]) i, unnest(['b', 'ab']) t) x from unnest(['A', 'B', 'x']) s order by s

select rand() = rand() x, lower(s) = lower(s) and lower(s) = lower(s) y, generate_uuid() = generate_uuid() or generate_uuid() = generate_uuid() z from unnest(['A', 'b']) s order by s

select collate(lower(s), 'und:ci') = 'A' a, collate(lower(s), 'und:ci') = 'B' b, lower(collate(s, 'und:ci')) = 'A' c, lower(collate(s, 'und:ci')) = 'B' d, lower(collate(s, 'und:ci')) = 'X' e, lower(collate(s, 'und:ci')) < 'b' f from unnest(['A', 'b', null]) s order by s

select s, row_number() over (partition by lower(s) order by s) n, concat(lower(s), '1', lower(s), '2', lower(s), '3', lower(s)) x from unnest(['a', 'A', 'b']) s order by s, n

select s, json_value(s, '$.a') a, if(json_value(s, '$.a') = '1', 'one', if(json_value(s, '$.a') = '2', 'two', if(json_value(s, '$.a') is null, 'none', json_value(s, '$.a')))) b from unnest(['{"a":1}', '{"a":"2"}', '{"a":[]}', 'no', null]) s order by s

select r.n, array(select case lower(x) when 'a' then concat(lower(x), lower(x), lower(x)) else upper(x) end from unnest(r.a) x order by lower(x)) b from unnest([struct(1 as n, ['A', 'b'] as a), (2, ['c', '']), (3, ['z'])]) r order by r.n

select id, case when lower(t) = 'a' then upper(t) when lower(t) = 'b' then concat(upper(t), upper(t)) when lower(t) is null then upper(t) else concat(lower(t), upper(t)) end x from nums where lower(t) != 'q' or lower(t) is null or lower(t) = upper(t) or lower(t) < 'b' order by id

with u as (select lower(t) l, concat(lower(t), lower(t), lower(t), lower(t)) c from nums) select l, count(*) n, max(concat(lower(c), upper(c), lower(c), lower(c), lower(c))) m from u group by l having max(concat(lower(c), upper(c), lower(c), lower(c), lower(c))) is not null or max(l) is null order by l

select s, concat(json_value(j.a), json_value(j.a), json_value(j.a), json_value(j.a), json_value(j.b)) x from unnest([struct(json '{"a":"x","b":"y"}' as j, 1 as s), (json '{"b":1}', 2), (null, 3)]) order by s

select concat(lower(concat(s, upper('a'))), lower(concat(s, upper('a'))), lower(concat(s, upper('b'))), lower(concat(s, upper('b'))), lower(concat(s, upper('a'))), lower(concat(s, upper('b'))), lower(concat(s, upper('a'))), lower(concat(s, upper('b')))) x from unnest(['A', 'b', null]) s order by s

select s from unnest(['xA', 'b', 'Bc', 'C', null, 'q']) s where lower(s) = 'xa' or lower(s) = 'b' or starts_with(lower(s), 'bc') or (length(s) = 1 and regexp_contains(lower(s), 'c|d')) or lower(s) is null order by s

select replace(replace(replace(replace(replace(replace(replace(lower(trim(s)), 'a', 'bb'), 'b', 'cc'), 'c', 'd'), 'd', 'ee'), 'e', 'f'), 'f', 'g'), 'gg', upper(s)) x from unnest([' A ', 'b', 'xyz', null]) s order by s

with u as (select s, replace(replace(replace(replace(replace(replace(lower(s), 'a', 'b'), 'b', 'c'), 'c', 'd'), 'd', 'e'), 'e', 'f'), 'f', 'g') x, json_value(s, '$.a') v from unnest(['Abc', 'xyz', '{"a":"ABC"}', null]) s) select x, count(*) n, max(v) v from u where x != 'xyz' and x like '%g%' and lower(v) is distinct from 'x' group by x having max(x) != 'a' order by x

select s, if(s = 'a', reverse(replace(replace(cast(cast(s as int64) as string), '1', '2'), '2', '3')), reverse(replace(replace(replace(replace(s, 'b', 'c'), 'c', 'd'), 'd', 'e'), 'e', 'f'))) x from unnest(['b', 'cde', null]) s order by s

select n.id, concat(lower(n.t), lower(m.t), lower(n.t), lower(m.t), lower(n.t), lower(m.t), lower(n.t), lower(m.t)) x from nums n left join nums m on n.id = m.a where (lower(n.t) = 'a' or lower(n.t) = 'b' or lower(m.t) = 'a' or lower(n.t) = 'c' or lower(n.t) = 'x' or lower(m.t) = 'z' or lower(m.t) is null) order by n.id, 2

select s, if(json_value(s, '$.ok') = 'yes', json_value(s, '$.v'), concat(json_value(s, '$.v'), json_value(s, '$.v'), json_value(s, '$.w'), json_value(s, '$.v'), json_value(s, '$.v'))) x from unnest(['{"ok":"yes","v":1}', '{"v":2,"w":3}', 'bad', null]) s order by s

select concat(cast(ieee_divide(x, 0.0) as string), cast(ieee_divide(x, 0.0) as string), cast(ieee_divide(x, 0.0) as string), cast(ieee_divide(x, 0.0) as string)) a from unnest([1.0, -2.0]) x order by a

select n.id, if(n.a in (select m.id from nums m where m.t = n.t), 1, 0) x, if(n.b in (select m.id from nums m where m.t = n.t), 1, 0) y, if(n.id in (select m.id from nums m where m.t = n.t), lower(n.t), upper(n.t)) z from nums n order by 1

select n.id, (select max(m.id) from nums m where m.t = n.t) x, (select max(m.id) from nums m where m.a = n.a) y, (select max(m.a) from nums m where m.t = n.t) z, (select max(k.id) from nums k where k.t = n.t) v, concat(lower(n.t), upper(n.t)) w from nums n order by 1

select count(*) n, case when lower(e.event_message) like 'get%' then 'get' when lower(e.event_message) like 'post%' then 'post' when lower(e.event_message) like 'put%' then 'put' when lower(e.event_message) like 'patch%' then 'patch' else 'other' end k from edge_logs e group by k order by n desc, k

select e.id, upper(r.path) u, case when lower(r.path) = '/a' then lower(r.method) when lower(r.path) = '/b' then upper(r.method) when lower(r.path) like '%x%' then concat(lower(r.method), lower(r.method)) when lower(r.path) is null then 'none' else concat(lower(r.path), upper(r.path), upper(r.path), upper(r.path)) end k from edge_logs e left join unnest(e.metadata) m left join unnest(m.request) r order by e.id, u, k

select e.id from edge_logs e cross join unnest(e.metadata) m cross join unnest(m.request) r where lower(r.method) = 'get' or lower(r.method) = 'post' or lower(r.path) = '/a' or (lower(r.method) = 'put' and lower(r.path) != '/b') or lower(r.method) is null or lower(r.path) like '%1%' order by e.id

select e.id, concat(lower(e.event_message), lower(e.event_message), lower(e.event_message), lower(e.event_message)) x, e.metadata[safe_offset(0)].request[safe_offset(0)].path p, (select max(r.path) from unnest(e.metadata) m, unnest(m.request) r where r.method = e.project) y, (select max(r.path) from unnest(e.metadata) m, unnest(m.request) r where r.method = e.project) z from edge_logs e order by e.id

select e.*, replace(replace(replace(replace(replace(lower(trim(e.project)), 'a', 'b'), 'b', 'c'), 'c', 'd'), 'd', 'e'), 'e', 'f') x from edge_logs e order by e.id limit 20
