select f, cast(ts as string format f), cast(ts as string format f at time zone 'Asia/Kolkata') from nums, unnest(['YYYY-MM-DD HH24:MI:SS', 'YYYY', 'YYY', 'YY', 'Y', 'RRRR', 'RR', 'MM', 'MON', 'Mon', 'mon', 'MONTH', 'Month', 'month', 'DD', 'D', 'DDD', 'DAY', 'Day', 'day', 'DY', 'Dy', 'HH', 'HH12', 'HH24', 'MI', 'SS', 'SSSSS', 'FF1', 'FF3', 'FF6', 'AM', 'PM', 'A.M.', 'P.M.', 'am', 'TZH', 'TZM', 'TZH:TZM', '"quoted" YYYY', 'YYYY/MM.DD,HH24;MI:SS', 'yyyy-mm-dd', 'hh12:mi am', 'YYYYMMDDHH24MISS', 'FF9','FF2', 'MONTH DD, YYYY', 'Pm', 'a.m.','  YYYY', '"a\\"b\\\\c"', 'MON-YYYY', '']) f where id < 6

select cast(d as string format 'DD Mon YYYY, Day'), cast(dt as string format 'YYYY-MM-DD"T"HH24:MI:SS.FF3'), cast(tm as string format 'HH12:MI:SS AM FF6 SSSSS') from kinds

select s, f, safe_cast(s as timestamp format f), safe_cast(s as datetime format f) from unnest(['YYYY-MM-DD HH24:MI:SS', 'YYYY-MM-DD', 'DD/MM/YYYY', 'YYYYMMDD', 'YY-MM-DD', 'RR-MM-DD', 'HH12:MI AM', 'HH12:MI A.M.', 'HH24:MI:SS.FF3', 'SSSSS', 'Y,YYY', 'YYY', 'YYYY-MM-DD"T"HH24:MI:SS', 'YYYY MM', 'MM', 'RRRR', 'YYYY-MM-DD  HH24', 'Y']) f, unnest(['2024-03-05 01:02:03', '2024-03-05', '2024-3-5', '05/03/2024', '05 Mar 2024', 'March 05, 2024', '20240305', '24-03-05', '99-03-05', '10:11 PM', '10:11 p.m.', '01:02:03.456', '3600', '2,024', '024', '2024-03-05T01:02:03', '2024 03', '3', '24', '2024-02-30', ' 2024-03-05 ', '2024-03-05 1', '4', '']) s

select s, f, safe_cast(s as timestamp format f) from unnest(['YYYY-MM-DD HH24:MI:SS TZH:TZM', 'YYYY-MM-DD HH24:MI:SSTZH']) f, unnest(['2024-03-05 01:02:03 +05:30', '2024-03-05 01:02:03 -08:00', '2024-03-05 01:02:03+05', '2024-03-05 01:02:03 05:30']) s

select s, f, safe_cast(s as date format f) from unnest(['YYYY-MM-DD', 'DD/MM/YYYY', 'YYYYMMDD', 'DD/MM/RR', 'MM/DD/YY']) f, unnest(['2024-02-29', '2023-02-29', '29/02/2024', 'Feb 29 2024', 'FEBRUARY 29 2024', '20240229', '29-feb-24', '02/29/24']) s

select s, f, safe_cast(s as time format f) from unnest(['HH24:MI:SS', 'HH12:MI P.M.', 'HH24:MI', 'SSSSS', 'HH:MI:SS A.M.', 'HH24MISS']) f, unnest(['10:11:12', '10:11 p.m.', '1:2', '86399', '86400', '101112', '12:00:00 A.M.', '24:00:00']) s

select cast('2024-03-05' as timestamp format 'YYYY-MM-DD' at time zone 'America/New_York')
