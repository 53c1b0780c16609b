select id, a = b or (a is null and b is null), (s is null and t is null) or t = s, a != b and not (a is null and b is null) from nums

select id from nums where not (a = b or (b is null and a is null))

select id from nums where (not (a != b) or (a is null and b is null)) is null

select count(*) from nums x join nums y on (x.a = y.b or (x.a is null and y.b is null)) and (y.t = x.t or y.t is null and x.t is null)

select count(*), count(x.id), count(y.id) from nums x full join nums y on (x.a is null and y.b is null) or x.a = y.b

select m.id, (select count(*) from nums n where n.x = m.y or (n.x is null and m.y is null)) from nums m

select count(*) from nums x left join kinds y on x.s = collate(y.word, 'und:ci') or (x.s is null and collate(y.word, 'und:ci') is null)

select count(*) from nums x join nums y on x.a = y.a or (x.a is null and y.b is null)

select a.s, b.t from nums a join nums b on a.b = b.b where a.s < b.s and a.t < b.t union all select b.s, a.t from nums a join nums b on a.b = b.b where a.s < b.s and a.t < b.t
