select timestamp, protopayload_auditlog.authenticationInfo.principalEmail as actor, protopayload_auditlog.methodName as method, protopayload_auditlog.resourceName as resource
from `audit.activity`
where protopayload_auditlog.methodName = 'SetIamPolicy'
order by timestamp desc, insertId

select insertId, auth.permission, auth.granted
from `audit.activity`, unnest(protopayload_auditlog.authorizationInfo) as auth
where auth.granted is not true

select protopayload_auditlog.authenticationInfo.principalEmail as who, count(*) denied, array_agg(distinct protopayload_auditlog.methodName ignore nulls order by protopayload_auditlog.methodName) as methods
from `audit.activity`
where protopayload_auditlog.status.code = 7
group by who having denied >= 1

select insertId, delta.action, delta.role, delta.member
from `audit.activity`
cross join unnest(protopayload_auditlog.servicedata_v1_iam.policyDelta.bindingDeltas) as delta
where delta.action = 'ADD' and (delta.role in ('roles/owner', 'roles/editor') or delta.member like 'allUsers')

select insertId from `audit.activity`
where exists (select 1 from unnest(protopayload_auditlog.authorizationInfo) a where a.permission like 'iam.%' and a.granted)

select insertId,
  json_value(protopayload_auditlog.requestJson, '$.policy.bindings[0].role') as role,
  json_extract_scalar(protopayload_auditlog.requestJson, '$.policy.bindings[0].members[0]') as member,
  json_value_array(protopayload_auditlog.requestJson, '$.policy.bindings[0].members') as members
from `audit.activity` where protopayload_auditlog.methodName = 'SetIamPolicy'

select insertId, json_value(binding, '$.role') as role, member
from `audit.activity`,
  unnest(json_query_array(protopayload_auditlog.requestJson, '$.policy.bindings')) as binding,
  unnest(json_value_array(binding, '$.members')) as member
where not ends_with(member, '@corp.example')

select insertId, string_agg(concat(json_value(a, '$.IPProtocol'), ':', array_to_string(json_value_array(a, '$.ports'), ',')), ';') as opened
from `audit.activity`, unnest(json_extract_array(protopayload_auditlog.requestJson, '$.firewall.allowed')) a
where '0.0.0.0/0' in unnest(json_value_array(protopayload_auditlog.requestJson, '$.firewall.sourceRanges'))
group by insertId

select regexp_extract(protopayload_auditlog.resourceName, r'^projects/([^/]+)/') as project, regexp_extract(protopayload_auditlog.resourceName, r'buckets/([^/]+)') as bucket, count(*) as n
from `audit.activity` group by 1, 2

select insertId, case
    when regexp_contains(protopayload_auditlog.authenticationInfo.principalEmail, r'\.iam\.gserviceaccount\.com$') then 'service account'
    when regexp_contains(protopayload_auditlog.authenticationInfo.principalEmail, r'(?i)@corp\.example$') then 'employee'
    when protopayload_auditlog.authenticationInfo.principalEmail is null then 'anonymous'
    else 'foreign' end as kind
from `audit.activity`

select split(protopayload_auditlog.authenticationInfo.principalEmail, '@')[safe_offset(1)] as domain, count(*) n from `audit.activity` group by domain order by n desc, domain nulls first

select date(timestamp) as day, protopayload_auditlog.serviceName as service, countif(severity = 'ERROR') as errors, count(*) as calls
from `audit.activity` group by day, service order by day, service nulls last

select insertId, safe_cast(json_value(protopayload_auditlog.requestJson, '$.job.statistics.totalBilledBytes') as int64) / pow(2, 20) as mebibytes, safe_cast(json_value(protopayload_auditlog.requestJson, '$.job.statistics.slotMs') as int64) as slot_ms
from `audit.activity` where protopayload_auditlog.serviceName = 'bigquery.googleapis.com'

select insertId, json_value(jsonPayload, '$.rule') as rule, lax_int64(jsonPayload.count) as n, json_query(jsonPayload, '$.nested') as nested, string(jsonPayload.rule) as same
from `audit.activity` where jsonPayload is not null and json_type(jsonPayload) = 'object'

select insertId, host from `audit.activity`, unnest(json_value_array(jsonPayload.hosts)) as host

select json_value(jsonPayload, '$.rule') as rule, sum(cast(json_value(jsonPayload, '$.count') as int64)) as total from `audit.activity` group by rule

select insertId, to_json_string(protopayload_auditlog.status) as status, to_json_string(protopayload_auditlog.authorizationInfo) as info from `audit.activity`

select insertId, to_json_string(jsonPayload) as j, json_value(jsonPayload.nested.deep[1][0]) as deep, jsonPayload['hosts'][0] is null as no_host from `audit.activity`

select logName, regexp_replace(logName, r'^projects/[^/]+/logs/', '') as short, replace(regexp_extract(logName, r'cloudaudit.googleapis.com%2F(\w+)'), '_', ' ') as kind, count(*) from `audit.activity` group by logName

with first_seen as (
  select protopayload_auditlog.authenticationInfo.principalEmail as email, protopayload_auditlog.methodName as method, min(timestamp) as first_at
  from `audit.activity` group by email, method
)
select email, method, first_at from first_seen where first_at >= @since order by email, method

with hourly as (
  select protopayload_auditlog.requestMetadata.callerIp as ip, timestamp_trunc(timestamp, hour) as h, count(*) as n from `audit.activity` group by ip, h
)
select ip, h, n, avg(n) over (partition by ip order by h rows between 6 preceding and 1 preceding) as usual, n > 2 * avg(n) over (partition by ip order by h rows between 6 preceding and 1 preceding) as is_spike from hourly

select protopayload_auditlog.requestMetadata.callerIp ip, net.ip_to_string(net.safe_ip_from_string(protopayload_auditlog.requestMetadata.callerIp)) clean, to_hex(net.ip_trunc(net.safe_ip_from_string(protopayload_auditlog.requestMetadata.callerIp), 8)) as net8, count(*) from `audit.activity` group by 1, 2, 3

select net.safe_ip_from_string(ip) between net.ip_from_string('10.0.0.0') and net.ip_from_string('10.255.255.255') as is_private, count(*) n from (select protopayload_auditlog.requestMetadata.callerIp ip from `audit.activity`) group by 1

select ifnull(protopayload_auditlog.status.message, 'ok') as result, approx_top_count(protopayload_auditlog.serviceName, 10)[offset(0)].count >= 1 as found from `audit.activity` where protopayload_auditlog is not null group by result
-- as
select ifnull(protopayload_auditlog.status.message, 'ok') as result, true as found from `audit.activity` where protopayload_auditlog is not null group by result

select a.insertId, b.insertId as follow_up, timestamp_diff(b.timestamp, a.timestamp, second) as seconds
from `audit.activity` a join `audit.activity` b
  on a.protopayload_auditlog.authenticationInfo.principalEmail = b.protopayload_auditlog.authenticationInfo.principalEmail
  and b.timestamp > a.timestamp and b.timestamp <= timestamp_add(a.timestamp, interval 2 hour)
where a.protopayload_auditlog.methodName = 'SetIamPolicy' and b.protopayload_auditlog.methodName like '%CreateServiceAccountKey'

select insertId, resource.labels.* from `audit.activity` where resource.labels.location is not null

select resource.type, any_value(resource.labels.project_id having max timestamp) latest_project, countif(protopayload_auditlog is null) empty from `audit.activity` group by resource.type

select insertId, array(select distinct permission from unnest(protopayload_auditlog.authorizationInfo) where granted order by permission) granted, array_length(protopayload_auditlog.authorizationInfo) as asked from `audit.activity`

select insertId, (select countif(not granted) from unnest(protopayload_auditlog.authorizationInfo)) as refused, (select logical_and(granted) from unnest(protopayload_auditlog.authorizationInfo)) as all_granted from `audit.activity`

select extract(dayofweek from timestamp at time zone 'Europe/Paris') in (1, 7) as weekend, extract(hour from timestamp at time zone 'Europe/Paris') not between 8 and 18 as night, count(*) from `audit.activity` group by 1, 2

select distinct severity, resource.type, protopayload_auditlog.status.code is null or protopayload_auditlog.status.code = 0 as ok from `audit.activity`

select protopayload_auditlog.methodName, count(*) as n, min(protopayload_auditlog.status.code) as code from `audit.activity` where protopayload_auditlog.methodName not in ('jobservice.jobcompleted', 'storage.objects.get') group by 1

select insertId, contains_substr(protopayload_auditlog.requestJson, 'ALLUSERS') as open from `audit.activity`
-- as
select insertId, strpos(lower(protopayload_auditlog.requestJson), 'allusers') > 0 as open from `audit.activity`

select insertId, json_query(protopayload_auditlog.requestJson, '$.firewall') as firewall, json_extract(protopayload_auditlog.requestJson, "$['job']['statistics']") as statistics, json_query(protopayload_auditlog.requestJson, '$') = protopayload_auditlog.requestJson as same from `audit.activity`

select email, count(distinct date(timestamp)) as days, count(distinct ip) as ips, max(timestamp) as latest from (
  select timestamp, protopayload_auditlog.authenticationInfo.principalEmail as email, protopayload_auditlog.requestMetadata.callerIp as ip from `audit.activity`
) group by email having ips > 1 order by days desc, email limit 3
