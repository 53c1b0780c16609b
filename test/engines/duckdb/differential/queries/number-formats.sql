select f, n, cast(n as string format f) from unnest(['$999,999.999', '000', '000.000', '999', '999.999', '999D999', 'S9999', '9999S', '9999MI', '9999PR', '$999', 'C999', 'c999', 'L999', '999,999', '999G999', 'B99.999S', 'B$0,09.99PR', '9.99EEEE', 'S9.999EEEE', '9.99eeeeMI', '999.99EEEE', '.99EEEE', '999999.000FM', 'FM$9,990.9', 'S000V00', '9V9EEEE', '.99', '9,', 'S,9.9']) f, unnest([0, 1.2, 12, 12.5, -12, 0.23, 123.58, 1234.56, -12345.678, 1234567.89, 299792458, -123456, 0.005, -0.001, -0.0, 1e300, 5e-324, cast('inf' as float64), cast('-inf' as float64), cast('nan' as float64), null]) n

select f, n, cast(n as string format f), cast(cast(n as float64) as string format f), cast(cast(n as numeric) as string format f), cast(cast(n as bignumeric) as string format f) from unnest(['XXXX', 'xxxx', '0X0x', '0000000X', 'Xx00', 'FMXXXX', 'SXX', 'XXMI', 'XXXXPR', 'XXXXXXXXXXXXXXXX', '0', 'S9', '99999', 'FM9,999,999,999,999,999,999']) f, unnest([0, 1, -1, 255, 43981, -43981, 65536, 9223372036854775807, -9223372036854775808]) n

select f, n, cast(n as string format f) from unnest(['9.9', '9.99', 'X', '99.999999999', 'FM99.999999999', '9.999999999EEEE']) f, unnest([numeric '0.5', 1.5, 2.5, -0.4, 9.95, 9.949999999, -99.999999999, 99999999999999999999999999999.999999999]) n

select f, n, cast(n as string format f) from unnest(['9.9', 'FM99.99999999999999999999999999999999999999', 'XXXXXXXXXXXXXXXX', '9.9EEEE']) f, unnest([bignumeric '0.05', bignumeric '-0.00000000000000000000000000000000000001', bignumeric '18446744073709551615', bignumeric '18446744073709551615.5', bignumeric '578960446186580977117854925043439539266.34992332820282019728792003956564819967']) n

select f, safe_cast(12 as string format f) from unnest(['9', '99', 'q', '', 'S', '9X', 'X9', '0X', 'X,X', '9.9.9', '9,9EEEE', '9EEEE9', 'S9S', '9MI9', 'MI9', '$9$', 'B9B', 'FM9FM', '$X', 'BX', 'XXXXXXXXXXXXXXXXX', 'EEEE', 'E', '9 9', '-9', null]) f

select cast(a as string format '9,990'), cast(x as string format 'S99.9') from nums where id < 6
