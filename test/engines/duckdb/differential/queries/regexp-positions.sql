select regexp_instr('abcabc','b'), regexp_instr('abcabc','b',3), regexp_instr('abcabc','b',1,2), regexp_instr('abcabc','b',1,1,1), regexp_instr('aé😀b', 'b'), regexp_instr('abc', '(c)'), regexp_instr('abc', 'a(b)c', 1, 1, 1), regexp_instr('abc', 'x'), regexp_instr('abc', '^b', 2), regexp_instr(null, 'a')

select regexp_extract('abcabc','b.',1,2), regexp_substr('a1b2','[0-9]',2), regexp_extract('abc','(x)|b'), regexp_extract('abc','^b',2), regexp_extract('abc','$',4), regexp_extract('abc','b',9), regexp_extract('abc','',4), regexp_extract('abab','a*',1,2), regexp_extract('a1b22c333', r'\d+', 1, 3), regexp_extract('a1b22c333', r'\d+', 1, 4), regexp_extract('日本語', '(.)', 2), regexp_extract('abc', '(a)?b'), regexp_extract('xb', '(a)?b'), regexp_extract('xb', '(a*)|b'), regexp_extract('b', '(a*)b'), regexp_extract('key=', 'key=(.*)'), regexp_extract('abc', r'\b'), regexp_extract('abc', '^'), regexp_extract('b', '(a*)?b')

select s, regexp_extract('abc', s), regexp_contains('a,b', s) from nums where s is not null and not regexp_contains(s, r'[+*()\[\\]')

select regexp_extract_all('abc', 'b*'), regexp_extract_all('abc', 'x*'), regexp_extract_all('', ''), regexp_extract_all('aXb', '(X)|a'), regexp_extract_all('日本', ''), regexp_extract_all('baac', 'a*'), regexp_extract_all('baa', 'a*'), regexp_extract_all('aa', 'a*'), regexp_extract_all('ab12', '([a-z])?[0-9]'), regexp_extract_all('a,b,,c', '([^,]*)(?:,|$)'), regexp_extract_all(s, '[a-c]*'), regexp_extract_all(s, '(b)|.') from nums

select p, v, regexp_extract(v, p, 1, 1), regexp_extract(v, p, 1, 2), regexp_extract_all(v, p), if(regexp_extract(v, p) != '', regexp_instr(v, p, 1, 1, 1), -1) from unnest([r'a+', r'a+?', r'a*', r'a|ab', r'ab|a', r'(?i)AB', r'(?:ab)+', r'(ab)+', r'(a|b)+', r'[^a]', r'\d+', r'\D+', r'\w+', r'\W', r'\s+', r'\S+', r'[[:alpha:]]+', r'[[:^digit:]]+', r'\pL+', r'\p{Lu}', r'\P{L}+', r'^a', r'b$', r'\bb', r'\Bb', r'(?m)^b', r'(?m)a$', r'.', r'(?s).', r'a{2}', r'a{1,2}', r'a{2,}', r'a{0}b', r'a{,2}', r'x{', r'\Qa+\E', r'\Qa.b\E+', r'\x61', r'\x{1F600}', r'[a-c]+', r'[^\n]+', r'[]a]+', r'[a\]]+', r'[-a]+', r'[a-]+', r'a.b', r'(?i)[A-B]+', r'(?i:A)B', r'(?P<n>b+)', r'b?', r'b??', r'(b?)a', r'(?U)a+', r'\141', r'\t', r'\.', r'é', r'(?i)É', r'(?i)ß', r'[α-ω]+', r'\p{Greek}+', r'\p{Han}', r'(a)(?:b)', r'|a', r'a|', r'()', r'a\z', r'\Aa', r'$', r'[[:space:]]', r'\v', r'\f', r'(?i)k', r'(?i)ſ']) p, unnest(['', 'a', 'ab', 'aab', 'abab', 'AB ab', 'b\na\nb', 'a.b a+b', 'éÉß ωΩ日本', '😀a1 22', 'x{a]-\t\v', 'aaa', 'K\u212ak s']) v

select safe.regexp_extract('a', '('), safe.regexp_contains('a', '('), safe.regexp_replace('a', '(', ''), safe.regexp_extract_all('a', '(a)(b)'), safe.regexp_instr('a', '['), safe.regexp_extract('a', '(a)(b)'), safe.regexp_replace('a', 'a', r'\1'), safe.regexp_extract('a', 'a', 0), safe.regexp_extract('a', 'a'), safe.regexp_contains('a', 'a'), safe.regexp_replace('a', 'a', 'b')

select regexp_replace(s, '[a-c]', t) from nums where t is not null and not regexp_contains(t, r'\\')

select regexp_replace('abc', '(b)', concat('<', r'\1', '>')), regexp_replace('abc', 'b', null), regexp_replace('abc', 'b', r'\\'), regexp_replace('baac', 'a*', '-'), regexp_replace('日本', '', '-'), regexp_replace('abc', 'b|(x)', r'[\1]')

select regexp_extract(b'a\xffb', b'a(.)b', 1, 1), regexp_instr(b'a\xffb', b'\xff'), regexp_extract_all(b'\xff\xfe', b'.*'), regexp_contains(b'a', s) from unnest([b'a', b'\xff']) s

select x, regexp_instr(x, 'x*'), regexp_instr(x, 'x*', 1, 2), regexp_instr(x, 'x*', 2, 1, 1), regexp_instr(x, 'b?', 2), regexp_instr(x, '$'), regexp_instr(x, '(x)*'), regexp_instr(x, '(x*)'), regexp_instr(x, 'a(x*)'), safe.regexp_instr(x, '^') from unnest(['', 'a', 'ab', 'xx', 'axb', 'éab', 'b\n']) x

select s, regexp_instr(s, 'b'), regexp_instr(s, r'[a-z]+'), regexp_instr(s, r'(?i)B'), regexp_instr(s, 'a$'), regexp_instr(s, r'^b'), regexp_instr(s, r'\bö') from unnest(['abc', '', null, 'öab', 'x\nab', 'a\nb', 'ba', '😀b a', 'B ö']) s

select regexp_instr(b, b'b'), regexp_instr(b, br'\xff') from unnest([b'abc', b'\xffb', b'', null]) b
