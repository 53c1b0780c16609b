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

