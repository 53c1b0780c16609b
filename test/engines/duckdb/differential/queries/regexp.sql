select regexp_contains(s, r'^a.b$'), regexp_extract(s, r'a(.)'), regexp_extract(s, r'[0-9]+'), regexp_extract_all(s, r'[a-z]'), regexp_replace(s, r'([a-z])', r'<\1>'), regexp_extract(s, r'(x)?y'), regexp_contains(s, '(?i)ABC') from nums

select regexp_extract(event_message, r'time: (\d+)ms') ms, safe_cast(regexp_extract(event_message, r'time: (\d+)ms') as int64) from function_logs

select id, timestamp from edge_logs where timestamp > '2026-11-20T03:00:00Z' and regexp_contains(event_message, 'ERROR') order by 2, 1

select regexp_contains('foo bar', r'\bbar\b'), regexp_contains('a\nb', r'(?s)a.b'), regexp_extract('日本語', r'本(.)'), regexp_replace('aaa', 'a*', 'x'), regexp_replace('abc', 'b*', '-'), regexp_extract_all('a1b22', r'\d+'), regexp_contains('x', ''), regexp_replace('a.b', r'\.', r'\\'), regexp_extract('', 'x*'), regexp_contains('é', r'^\p{L}$'), regexp_extract('foo=1&bar=2', r'bar=(?P<v>\d+)'), regexp_extract_all('', 'a'), regexp_replace('abc', r'(.)(.)', r'\2\1\0')

select count(*) from edge_logs where not regexp_contains(event_message, 'ERROR')

-- anchors that stand inside a pattern: DuckDB's optimizer drops them
select v, regexp_contains(v, 'a^'), regexp_contains(v, 'a$b'), regexp_contains(v, '$a'), regexp_contains(v, r'b\Aa'),
  regexp_contains(v, '^a$'), regexp_contains(v, 'a^.*'), regexp_contains(v, '[a]^'), regexp_extract(v, 'a?b^') from unnest(['a', 'ab', 'ba', 'a\nb', '']) v;

-- and it takes what is empty for an anchor
select v, regexp_contains(v, 'a(?:)'), regexp_contains(v, '(?:)b'), regexp_contains(v, '(?:)$'), regexp_contains(v, r'\A(?:)'), regexp_contains(v, '$$'), regexp_contains(v, '^^'),
  regexp_contains(v, '(?U)(?:)a'), regexp_contains(v, r'\Q\Eb'), regexp_contains(v, 'a(?i)'), regexp_contains(v, '') from unnest(['a', 'ab', 'ba', 'a\nb', '']) v

-- text that looks like a LIKE pattern
select v, regexp_contains(v, '%'), regexp_contains(v, '^_'), regexp_contains(v, '_$'), regexp_contains(v, r'^\%'), regexp_contains(v, r'\\$'), regexp_contains(v, '^é$'), regexp_contains(v, '^%_$'),
  regexp_contains(v, r'^\\%'), regexp_contains(v, '^$'), regexp_contains(v, '(?i)^É') from unnest(['%', '_', '\\%', 'a_', '%_', 'a\\\\', '\\', 'é', 'e\u0301', 'É', '', null]) v

-- plain texts, which are searched for without a regular expression: escapes, sets of one, groups and what may match nothing
select v, regexp_contains(v, '/rest'), regexp_contains(v, r'\/rest'), regexp_contains(v, '^/rest'), regexp_contains(v, 'todos$'), regexp_contains(v, '^/rest$'), regexp_contains(v, r'v1\.5'), regexp_contains(v, 'v1[.]5'),
  regexp_contains(v, '.*rest.*'), regexp_contains(v, '.*^/rest'), regexp_contains(v, 'todos$.*'), regexp_contains(v, '^.*todos$'), regexp_contains(v, '(/rest)'), regexp_contains(v, r'\A(?:/rest)\z'), regexp_contains(v, r'\Qv1.5\E')
  from unnest(['/rest', '/rest\n', '\n/rest', '/rest/v1/todos', '/rest/v1/todos\n', '/v1.5', '/v1x5', 'x\n/rest/\ntodos', '/REST', '', null]) v

-- flags and lines: these are no plain texts
select v, regexp_contains(v, '(?i)/rest'), regexp_contains(v, '(?m)^b$'), regexp_contains(v, '(?m:^)b'), regexp_contains(v, '(?i:K)'), regexp_contains(v, r'\bb'), regexp_contains(v, '(?s)^.*b$'), regexp_contains(v, '^.*b$'), regexp_contains(v, '[^b]'), regexp_contains(v, '[b-b]')
  from unnest(['a\nb', 'b', 'b\na', '/REST', 'k', '\u212a', 'ab', '', null]) v

-- one of several plain texts, also over what is computed
select v, regexp_contains(v, 'é|ü'), regexp_contains(v, '^(é|ü)$'), regexp_contains(v, '(a|b)(c|d)?'), regexp_contains(v, '(a|b)(c|d)'), regexp_contains(v, 'a|^b|c$|^d$'), regexp_contains(v, '|x'), regexp_contains(v, 'a|b|c|d|é'), regexp_contains(lower(concat(v, 'X')), '^ax|éx$')
  from unnest(['é', 'ü', 'éü', 'e\u0301', 'a', 'b', 'ab', 'bc', 'xc', 'd', 'dd', 'A', '😀', '', null]) v

-- in arrays, where DuckDB leaves patterns as they are written
select id from edge_logs where exists(select 1 from unnest(metadata) m where exists(select 1 from unnest(m.tags) g where regexp_contains(g, '^b') or regexp_contains(g, r'\.') or g like '%c' or g like r'\a%'))

select v, regexp_contains(v, b'a'), regexp_contains(v, b'^\xff$'), regexp_contains(v, b'\xff|\x00'), regexp_contains(v, rb'\xff$'), regexp_contains(v, b'') from unnest([b'a', b'\xff', b'\x00', b'a\xff', b'', null]) v

select regexp_replace(x, 'a', r'\9'), regexp_replace(x, 'a', 'b'), regexp_replace('a', null, r'\9'), regexp_replace('a', 'a', x), regexp_replace(b'a', null, b'c') from unnest([cast(null as string)]) x
