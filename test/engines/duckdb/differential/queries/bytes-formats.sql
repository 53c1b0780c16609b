select cast(b'' as string format 'base2'), cast(b'a' as string format 'base2'), cast(b'ab\xff\x00' as string format 'BASE2')

select cast(b'' as string format 'base8'), cast(b'a' as string format 'base8'), cast(b'ab' as string format 'BASE8'), cast(b'abcd\xff' as string format 'BASE8'), cast(b'\xff\xff' as string format 'BASE8')

select cast(b'\x00' as string format 'BASE8'), cast(b'\x01\x02' as string format 'BASE8')

select cast('' as bytes format 'base8')

select cast('141' as bytes format 'base8')

select cast('302' as bytes format 'base8')

select cast('604' as bytes format 'base8')

select cast('1' as bytes format 'base8')

select cast('12' as bytes format 'base8')

select cast('1234' as bytes format 'base8')

select cast('12345' as bytes format 'base8')

select cast('123456' as bytes format 'base8')

select cast('1234567' as bytes format 'base8')

select cast('12345670' as bytes format 'base8')

select cast('777' as bytes format 'base8')

select cast('777777' as bytes format 'base8')

select cast('1' as bytes format 'base2')

select cast('101' as bytes format 'base2')

select cast('10000000' as bytes format 'base2')

select cast('100000001' as bytes format 'base2')

select cast('abc' as bytes format 'hex'), cast('AbC' as bytes format 'base16')

select cast('YQ' as bytes format 'base64')

select cast(' Y Q = =\n' as bytes format 'base64'), cast('Y\nQ==' as bytes format 'base64m'), cast('YQ..' as bytes format 'base64m')

select cast(b'abc' as string format 'base32')

select cast('MFRGG===' as bytes format 'base32')

select length(cast(repeat(b'abc', 30) as string format 'base64m')), cast(repeat(b'abc', 30) as string format 'base64m'), cast(repeat(b'abc', 19) as string format 'base64m'), cast(repeat(b'abc', 38) as string format 'base64m'), cast(b'' as string format 'base64m')

select cast(b'abc' as string format 'ascii'), cast('abc' as bytes format 'ASCII'), safe_cast('ä' as bytes format 'ascii'), safe_cast(b'\x80' as string format 'ascii')

select cast('ä' as bytes format 'utf8'), cast(b'\xc3\xa4' as string format 'Utf8'), safe_cast(b'\xff' as string format 'utf8')

select cast(b'abc' as string format f) from unnest(['hex', 'base2', null]) f

select cast('61' as bytes format f) from unnest(['hex', 'ascii', null]) f

select safe_cast(b'abc' as string format f), safe_cast('a' as bytes format f) from unnest(['hexx']) f

select cast(cast(null as bytes) as string format 'hex'), cast(cast(null as string) as bytes format 'ascii'), cast(b'a' as string format null)

select cast(repeat(b'abcdefg', 70) as string format 'base64m'), cast(cast(repeat(b'abcdefg', 70) as string format 'base64m') as bytes format 'base64m') = repeat(b'abcdefg', 70)
