select format_date('%Y|%G|%C|%y|%g|%E4Y|%EY|%F|%D|%c|%x|%h|%e|%j|%U|%W|%V|%u|%w|%Q|%A|%a|%B|%b', d) from unnest([date '0001-01-01', '0099-12-31', '0999-06-05', '9999-12-31', '1970-01-01', '2021-01-03']) d

select format_timestamp('%s|%Z|%z|%Ez|%E*S|%c|%E3S', t, 'Europe/Berlin') from unnest([timestamp '0001-01-02', '1969-12-31 23:59:59.5', '1890-01-01', '9999-12-30', '2024-07-01 00:00:00.000001']) t

select format_timestamp('%Z|%z|%Ez', timestamp '2024-07-01', z) from unnest(['America/New_York', '+05:30', '-8', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Etc/GMT+5', 'GMT', 'Zulu', '+00:00', 'Asia/Kathmandu','America/St_Johns', 'Europe/London','UTC','Etc/UTC','Africa/Abidjan', '+14:00', '-13:59']) z

select format_date('%Y', null), format_date(null, date '2024-01-01'), format_timestamp('%Y', timestamp '2024-07-01', null)

select format_time('%H %I %k %l %M %S %E*S %E3S %p %P %T %R %r %X %n%t%%', time '00:05:06.000123'), format_time('%c %F %Y %Z %s', time '00:05:06.000123')

select format_date('%E4Y %E*S %E3S', date '2024-01-01'), format_datetime('%Ez %EY %E3S', datetime '2024-01-01 01:02:03')

select format_timestamp('%A %a %B %b %C %c %D %d %e %F %G %g %H %I %j %k %l %M %m %n %P %p %Q %R %S %s %T %t %U %u %V %W %w %X %x %Y %y %Z %z %% %Ez %E#S %E*S %E4Y %EY %E3S %h %O %Od %EC %Ex', timestamp '2024-03-05 07:08:09.123456')

select format_timestamp('%q %v %L %N %f %i %E %', timestamp '2024-03-05 07:08:09.123456')

select f, format_timestamp(f, ts), format_datetime(f, datetime(ts)), format_date(f, date(ts)) from nums, unnest(['%F', '%A %H', '%Ez %Z', '%s']) f where id < 3

select format_timestamp('%-d %-m %-H:%M', ts), format_timestamp('%E9S', ts), format_timestamp('%Q %e %k', ts), format_datetime('%Q', datetime(ts)), format_date('%b %-d, %Y', date(ts)), format_timestamp('%A %H', ts, zone) from nums, kinds where nums.id = kinds.id

select format_timestamp('%Y-%m-%d', timestamp(d)), format_date('%x %F %G', d), format_datetime('%c', dt), format_time('%T', tm) from kinds

select format_date('%H:%M %F', datetime '2020-01-02 03:04:05'), format_date('%x %T', datetime '2020-01-02 03:04:05.123456'), format_date('%F', timestamp '2020-01-02 03:04:05'), format_date('%H', date '2020-01-02')
