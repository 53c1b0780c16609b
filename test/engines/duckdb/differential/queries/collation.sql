select collate('a','und:ci') in unnest(['A', 'b']), collate('x','und:ci') in unnest(['A', null]), 'a' in unnest([collate('A','und:ci'),null])

select x, x = 'straße', x < 'b', x between 'A' and 'bz', x in ('A','é'), x is distinct from 'a' from unnest([collate('a','und:ci'),'A','ß','STRASSE','straße','é','É','e','E\u0301','', 'b', null, 'ﬁ', 'FI', 'あ','ア', '\u0001a', 'a b', 'ab', 'a-b', '1', '١']) x

select x from unnest(['b','A','a','B','é','É','e','E','f','_','-',' ','1','10','2',null,'ß','ss','sz','Z','ä','z','😀','日本','Я','я','а','α','Ω']) x order by x collate 'und:ci', x

select x from unnest(['b','A','a','B']) x order by x collate 'binary'

select x from unnest(['b','A','a','B']) x order by x collate 'und:ci' desc, x limit 3

select lower(x), count(*), count(distinct x), min(y), max(y) from (select collate(x,'und:ci') x, y from unnest(['a','A','b',null,null,'B']) x with offset y) group by x order by 1

select count(distinct collate(x,'und:ci')), lower(min(collate(x,'und:ci'))), lower(max(collate(x,'und:ci'))) from unnest(['b','A','a','B','c',null]) x

select min(collate(x,'und:ci')), max(collate(x,'und:ci')) from unnest(['b','A','a','C','c',null]) x

select distinct lower(x) from (select distinct x from (select collate(x,'und:ci') x from unnest(['a','A','b',null,null,'B']) x))

select x, row_number() over (partition by collate(x,'und:ci') order by y), count(*) over (partition by collate(x,'und:ci')), rank() over (order by collate(x,'und:ci')), count(distinct collate(x,'und:ci')) over () from unnest(['a','A','b',null,null,'B']) x with offset y

select min(collate(x,'und:ci')) over (order by y), max(collate(x,'und:ci')) over (order by y rows 1 preceding) from unnest(['b','A','a','B','c',null]) x with offset y

select case collate('a','und:ci') when 'A' then 1 else 2 end

select nullif(collate('a','und:ci'),'A'), nullif(collate('a','und:ci'),'b')

select lower(x), y from (select collate('abc','und:ci') x, 1 y union distinct select 'ABC', 1 union distinct select 'ABC', 2 union distinct select null, 1)

select lower(x), y from ((select collate(x,'und:ci') x, y from unnest(['a','A','b']) x, unnest([1,2,null]) y) intersect distinct (select x, y from unnest(['B','a','c']) x, unnest([1,2,null,3]) y))

select lower(x), y from ((select collate(x,'und:ci') x, y from unnest(['a','A','b','d',null]) x, unnest([1,2,null]) y) except distinct (select x, y from unnest(['B','A','c']) x, unnest([1,null,3]) y))

select 'a' in (select collate(x,'und:ci') from unnest(['A','b']) x), collate('c','und:ci') in (select x from unnest(['A',null]) x), collate('c','und:ci') in (select x from unnest(cast([] as array<string>)) x), collate('c','und:ci') not in (select x from unnest(['A','C']) x)

select array_includes([collate('a','und:ci')],'A'), array_min([collate('c','und:ci'),'A','a']), array_max([collate('C','und:ci'),'c','a'])

select array_is_distinct([collate('a','und:ci'),'A'])

select string_agg(x order by collate(x,'und:ci'), x) from unnest(['b','A','a','B']) x

select array_agg(x order by collate(x,'und:ci') desc, x limit 3) from unnest(['b','A','a','B']) x

select upper(collate('a','und:ci'))='a', concat(collate('a','und:ci'),'B')='Ab', substr(collate('abc','und:ci'),2)='BC', collate('a','und:ci')||'b'='AB'

select if(true,collate('a','und:ci'),'b')='A', coalesce(collate('a','und:ci'),'b')='A', (select collate('a','und:ci'))='A', array(select collate('a','und:ci'))[offset(0)]='A', any_value(collate(x,'und:ci'))='A' from unnest(['a']) x

select collate(collate('a','und:ci'),'')='A', collate('a','')='A', collate('a','binary')='a', collate(cast(null as string),'und:ci')='a'

select first_value(collate(x,'und:ci')) over (order by x)='A' from unnest(['a','b']) x

with t as (select collate(x,'und:ci') x from unnest(['a','A','b']) x) select lower(x), count(*) from t where x = 'A' group by x having x = 'a'

with t as (select collate(x,'und:ci') x from unnest(['a','A','b']) x) select count(*) from t where x like 'A%'

select (select max(collate(e,'und:ci')) from unnest(a) e), (select count(*) from unnest(a) e where collate(e,'und:ci')='A'), exists(select 1 from unnest(a) e where e = collate('A','und:ci')) from (select ['a','A','b'] a union all select [])

select collate('a\u0001','und:ci') = 'A', collate('a\r\n','und:ci') = 'A\n'

select lag(x) over (order by x), x from (select collate(x,'und:ci') x from unnest(['b','A','c']) x)

select x, dense_rank() over (order by x desc) from (select collate(x,'und:ci') x from unnest(['b','A','c','B',null]) x) qualify dense_rank() over (order by x desc) < 9

select strpos(collate('a\r\nb','und:ci'),'\r'), strpos(collate('a\r\nb','und:ci'),'\n'), strpos(collate('a\r\nb','und:ci'),'\r\n'), strpos(collate('a\r\nb','und:ci'),'A\r'), strpos(collate('a\r\nb','und:ci'),'\nB')

select strpos(collate('abc','und:ci'),''), starts_with(collate('abc','und:ci'),''), ends_with(collate('abc','und:ci'),''), instr(collate('abc','und:ci'),'',1,1), instr(collate('','und:ci'),'')

select replace(collate('aAbA','und:ci'),'a','x'), replace(collate('aAbA','und:ci'),'','x'), split(collate('aXbxc','und:ci'),'x'), split(collate('aß','und:ci'),''), split(collate('','und:ci'),'x'), split(collate('a,b','und:ci'))

select collate('aAbc','und:ci') like 'AA%C', collate('abc','und:ci') like 'ABC', collate('abc','und:ci') like '%', collate('','und:ci') like '', collate('','und:ci') like '%', collate('a%c','und:ci') like 'A\\%C', collate('abcabc','und:ci') like '%BC', collate('abcabc','und:ci') like '%B%B%', collate('ab','und:ci') like '%AB%B', collate('abc','und:ci') like 'a', collate('abc','und:ci') like ''

select 'abc' like collate('A%','und:ci')

select instr(collate('aAaAa','und:ci'),'AA',1,o), instr(collate('aAaAa','und:ci'),'AA',-1,o), instr(collate('aAaAa','und:ci'),'AA',-2,o), instr(collate('aAaAa','und:ci'),'AA',-3,o), instr(collate('aAaAa','und:ci'),'AA',-4,o), instr(collate('aAaAa','und:ci'),'AA',3,o), instr(collate(null,'und:ci'),'AA',3,o) from unnest([1,2,3,4,5]) o

select strpos(collate('Straße','und:ci'),'SS'), strpos(collate('Straße','und:ci'),'S'), strpos(collate('STRASSE','und:ci'),'ß'), strpos(collate('é','und:ci'),'e'), strpos(collate('É','und:ci'),'é'), strpos(collate('αΒγ','und:ci'),'ΒΓ'), strpos(collate('日本😀Я','und:ci'),'я')

select t, n, strpos(collate(t,'und:ci'),n), starts_with(collate(t,'und:ci'),n), ends_with(collate(t,'und:ci'),n), replace(collate(t,'und:ci'),n,'*'), split(collate(t,'und:ci'),n), collate(t,'und:ci') like n, collate(t,'und:ci') like concat('%',n,'%'), collate(t,'und:ci') like concat('%',n), collate(t,'und:ci') like concat(n,'%',n), collate(t,'und:ci') like concat('%',n,'%',n), collate(t,'und:ci')=n, collate(t,'und:ci')<n from unnest(['', 'a', 'A b', 'éÉeE', 'ßsS', 'œoOæ', 'iIıİ', 'σςΣάΆ', 'йИёЕ', 'µμΜ', '中文中', '😀a🚀A', '“a”-–—a', 'ạẠếẾ', 'łLøØoðÐ', 'a\r\nA', '1²１']) t, unnest(['', 'A', 'e', 'É', 'S', 'o', 'I', 'ı', 'Σ', 'ά', 'и', 'Й', 'μ', '文', '🚀', '-', 'Ế', 'Ø', '\n', '2', null]) n where t != '1²１'

select collate('abc','und:ci') like any ('A%','x'), collate('abc','und:ci') like all ('A%','%C'), collate('abc','und:ci') not like 'A%', collate('abc','und:ci') like any ('x', null), collate(null,'und:ci') like 'a'

select s from nums order by s collate 'und:ci', id

select s, id from nums order by collate(s,'und:ci') desc nulls last, id limit 5 offset 2

select distinct s from nums order by s collate 'und:ci', s

select t, array_agg(s ignore nulls order by collate(s,'und:ci'), s) from nums group by t

select lower(k), n from (select collate(s,'und:ci') k, count(*) n from nums group by 1) order by k, n

select id, project from edge_logs where collate(project,'und:ci') = 'ABC' order by id limit 7

select id from edge_logs where exists (select 1 from unnest(metadata) m, unnest(m.request) r where collate(r.method,'und:ci') = 'get') order by id

select id, (select string_agg(r.path, ',' order by collate(r.path,'und:ci')) from unnest(metadata) m, unnest(m.request) r) from edge_logs order by id limit 9

select id, (select count(*) from unnest(metadata) m, unnest(m.tags) t where collate(t,'und:ci') in ('A', 'B', 'X')) c, 'GET' in (select collate(r.method,'und:ci') from unnest(metadata) m, unnest(m.request) r) g from edge_logs order by id

select id, array(select collate(r.method,'und:ci') from unnest(metadata) m, unnest(m.request) r) from edge_logs order by id limit 3

select collate(r.method,'und:ci') m, count(*) from edge_logs, unnest(metadata) m, unnest(m.request) r group by m order by m limit 5

select t, s, sum(id) over (partition by collate(t,'und:ci') order by collate(s,'und:ci'), id rows 2 preceding) from nums

select t, count(*) over (order by collate(t,'und:ci') range between unbounded preceding and current row) from nums

select t, first_value(s) over (partition by t order by collate(s,'und:ci'), id) f, ntile(3) over (order by collate(s,'und:ci'), id) from nums

select * from (select collate(t,'und:ci') t, id from nums) qualify row_number() over (partition by t order by id) = 1 order by id

select upper(t), n from ((select collate(t,'und:ci') t, 1 n from nums) union distinct (select 'B', 1) union distinct (select 'b', 1))

(select collate(t,'und:ci') t from nums) union all (select 'B') order by 1 limit 4

select t, n from (select collate(t,'binary') t, 1 n from nums) group by t, n order by t

select count(*) from nums where collate(t,'und:ci') in (select upper(t) from nums) and s is not null

select n.id from nums n where collate(n.t,'und:ci') = (select max(collate(upper(t),'und:ci')) from nums m where m.id < n.id) order by 1

select max(collate(s,'und:ci')) = 'ZZZ', min(collate(s,'und:ci')) from nums where false

select t, max(collate(s,'und:ci')), min(collate(s,'und:ci')), count(distinct collate(s,'und:ci')) from nums group by t

select struct(collate('a','und:ci') as x).x = 'A', [struct(collate('a','und:ci') as x)][offset(0)].x = 'A', (select as struct collate('a','und:ci') y).y = 'A'

select x = 'A' from unnest([collate('a','und:ci'), 'b']) x

select if(collate(s,'und:ci') = 'A', 1, 0), case when collate(s,'und:ci') >= 'b' then s end from nums order by id

select case collate(s,'und:ci') when 'A' then 'x' when null then 'n' end from nums order by id

select nullif(collate(s,'und:ci'), upper(s)) from nums order by id

select s, collate(s,'und:ci') like 'A%', starts_with(collate(s,'und:ci'),'A'), split(collate(s,'und:ci'),'A') from nums where s is null or regexp_contains(s, '^[ -~]*$') order by id

select x, y from unnest(['a','A',null]) x, unnest(['A','b',null]) y where collate(x,'und:ci') is distinct from y order by 1, 2

select x from unnest(['b','A','a']) x order by x collate 'und:ci', x collate 'binary'

select collate(s,'und:ci') between 'a' and 'C' from nums order by id

select lag(s) over (order by collate(s,'und:ci'), id) from nums

select min(x), count(*) from unnest(['a','A','b']) x group by collate(x,'und:ci') having min(x) < 'B' order by 1

select collate(x,'und:ci') k, sum(n) from unnest([struct('a' as x, 1 as n), ('A', 2), ('b', 3)]) group by k order by k desc

select lower(x), y from ((select collate(x,'und:ci') x, collate(y,'binary') y from unnest(['a','A','b']) x, unnest(['x','X']) y) except distinct (select 'A', 'x'))

select y from ((select collate(y,'binary') y from unnest(['x','X','x']) y) union distinct (select 'x'))

select y from ((select collate(y,'binary') y from unnest(['x','X','x']) y) intersect all (select 'x'))

select p, t, collate(t,'und:ci') like 'A%', collate(t,'und:ci') like '%B', collate(t,'und:ci') like '%B%', collate(t,'und:ci') like 'AB', collate(t,'und:ci') like '%', collate(t,'und:ci') like '', collate(t,'und:ci') like 'A\\%%', collate(t,'und:ci') like 'É%', collate(t,'und:ci') like p from unnest(['', 'aB', 'AB', 'a%b', 'xab', 'é', 'Éb', 'a\nb', null]) t, unnest(['', '%', 'A%', '%b', 'É', null]) p

select strpos(collate(t,'und:ci'),n), starts_with(collate(t,'und:ci'),n), ends_with(collate(t,'und:ci'),n), instr(collate(t,'und:ci'),n) from unnest(['', 'aB', 'AB', 'a%b', 'xab', 'é', 'Éb', 'a\nb', null]) t, unnest(['', '%', 'A', 'b', 'É', 'X', null, '\n']) n

select array_filter([collate('a','und:ci'),'B'], e -> e = 'A')

select array_transform([collate('a','und:ci'),'B'], e -> e = 'A')

select array_includes([collate('a','und:ci')], e -> e = 'A')

select x from (select collate('a','und:ci') x) where x in unnest(['A'])

select logical_or(collate(x,'und:ci') = 'A'), countif(collate(x,'und:ci') = 'A'), count(distinct if(collate(x,'und:ci') = 'A', 1, 2)) from unnest(['b','A','a']) x

select x from (select collate(x,'und:ci') x from unnest(['b','A','a']) x) group by x having count(*) > 1 and lower(x) = 'a'

select nth_value(x, 2) over (order by x rows between unbounded preceding and unbounded following) from (select collate(x,'und:ci') x from unnest(['b','A','c']) x)

select with(a as collate('a','und:ci'), a = 'A')

select safe.strpos(collate('a','und:ci'), 'A'), safe.instr(collate('a','und:ci'), 'A', 0)

select string_agg(collate(x,'und:ci') order by x) from unnest(['b','A','c']) x

select array_first([collate('a','und:ci')]) = 'A', array_concat([collate('a','und:ci')],['b'])[offset(0)] = 'A', array_reverse([collate('a','und:ci')])[offset(0)] = 'A', array_to_string([collate('a','und:ci')], '') = 'A', array_slice([collate('a','und:ci')],0,0)[offset(0)]='A'

select max(x) over (partition by collate(x,'und:ci')) from unnest(['b','A','a']) x

select count(*) from unnest(['b','A','a']) x full join unnest(['B','c']) y on collate(x,'und:ci') > y

select count(*) from unnest(['b','A','a']) x left join unnest(['B','c']) y on collate(x,'und:ci') > y

select 'A' = any_value(x) from (select collate('a','und:ci') x)

select safe_cast(collate('a','und:ci') as string) = 'A', cast(collate('a','und:ci') as bytes) = b'A', to_json_string(collate('a','und:ci')) = '"A"'

select row_number() over (order by x) r, x from (select collate(x,'und:ci') x from unnest(['b','A','c']) x) order by r desc

select upper(x) k, count(*) from (select collate(x,'und:ci') x from unnest(['b','A','a']) x) group by k order by k

select x, count(*) from (select collate(x,'und:ci') x, x o from unnest(['b','A','a']) x) group by x, o order by o
