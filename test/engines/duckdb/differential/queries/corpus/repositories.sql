select type, count(*) as n, count(distinct actor.login) as people from `hub.events` group by type order by n desc, type

select repo.name, sum(cast(json_extract_scalar(payload, '$.size') as int64)) as commits from `hub.events` where type = 'PushEvent' group by repo.name

select id, json_extract_scalar(c, '$.sha') as sha, split(json_extract_scalar(c, '$.message'), '\n')[offset(0)] as subject
from `hub.events`, unnest(json_extract_array(payload, '$.commits')) as c where type = 'PushEvent'

select repo.name, countif(json_value(payload, '$.action') = 'opened') as opened, countif(json_value(payload, '$.pull_request.merged') = 'true') as merged, sum(safe_cast(json_value(payload, '$.pull_request.additions') as int64)) as additions
from `hub.events` where type = 'PullRequestEvent' group by 1

select id, array(select json_value(l, '$.name') from unnest(json_query_array(payload, '$.issue.labels')) as l with offset o order by o) as labels, json_value(payload, '$.issue.title') as title from `hub.events` where type = 'IssuesEvent'

select actor.login, count(*) as n from `hub.events` where actor.login not like '%[bot]' and not regexp_contains(actor.login, r'(?i)bot\b') group by actor.login

select timestamp_trunc(created_at, month) as month, type, count(*) n from `hub.events` group by 1, 2 order by 1, 2

select format_timestamp('%Y-%m', created_at) ym, format_timestamp('%A', created_at) weekday, format_timestamp('%G-W%V', created_at) week, count(*) from `hub.events` group by 1, 2, 3

select * from (select format_date('%Y_%m', date(created_at)) as month, type from `hub.events`) pivot (count(*) as n for month in ('2026_01', '2026_02', '2026_03')) order by type

select login, type, n from (select actor.login, type, count(*) n, rank() over (partition by type order by count(*) desc) r from `hub.events` group by 1, 2) where r = 1

select repo.name as name, split(repo.name, '/')[offset(0)] as owner, split(repo.name, '/')[ordinal(2)] as repository, count(*) from `hub.events` where repo.name is not null group by name

select repo.name from `hub.events` group by repo.name having countif(type = 'WatchEvent') > countif(type = 'ForkEvent')

select a.actor.login as a, b.actor.login as b, count(distinct a.repo.id) as common from `hub.events` a join `hub.events` b on a.repo.id = b.repo.id and a.actor.id < b.actor.id group by 1, 2

select id, json_value(payload, '$.ref') as ref, regexp_extract(json_value(payload, '$.ref'), r'refs/heads/(.+)') as branch, cast(json_value(payload, '$.size') as int64) > 0 as has_commits from `hub.events` where type = 'PushEvent'

select day, sum(count(*)) over (order by day rows between 6 preceding and current row) as week_total, avg(count(*)) over (order by day rows between 6 preceding and current row) as moving from (select date(created_at) as day from `hub.events`) group by day order by day

select actor.login, array_agg(struct(type, created_at) order by created_at desc, id limit 2) as latest from `hub.events` group by actor.login

select actor.login, array_agg(struct(type as kind, repo.name as name) order by created_at, id limit 1)[offset(0)].* from `hub.events` group by actor.login

select id from `hub.events` where json_value(payload, '$.action') is null and payload is not null

select type, avg(length(payload)) as length, max(byte_length(payload)) as bytes, min(char_length(payload)) as shortest from `hub.events` group by type

select json_value(payload, '$.pull_request.number') is null, json_value(payload, '$.number') as number, bool(parse_json(payload).pull_request.merged) as merged, float64(parse_json(payload).pull_request.additions) as additions from `hub.events` where type = 'PullRequestEvent'

select parse_json(payload).commits[0].sha is not null as has_commit, count(*) from `hub.events` group by 1

select actor, count(*) from `hub.events` group by actor

select repo.id, max_by(repo.name, created_at) as newest_name from `hub.events` where repo.name is not null group by repo.id
-- as
select repo.id, any_value(repo.name having max created_at) as newest_name from `hub.events` where repo.name is not null group by repo.id

select regexp_replace(payload, r'"(sha|ref)":"[^"]*"', r'"\1":"?"') as masked, count(*) from `hub.events` where payload is not null group by masked

select created_at, type, timestamp_diff(created_at, first_value(created_at) over (partition by repo.id order by created_at, id), hour) as hours_since_first from `hub.events`

select type, approx_count_distinct(repo.id) repositories from `hub.events` where public group by type having repositories >= 2
-- as
select type, count(distinct repo.id) repositories from `hub.events` where public group by type having repositories >= 2
