select tag, count(*) as n from `qa.questions`, unnest(split(tags, '|')) as tag group by tag order by n desc, tag

select tag, extract(year from creation_date) as year, count(*) as n, sum(view_count) as views from `qa.questions` cross join unnest(split(tags, '|')) tag where tag != '' group by tag, year

select id, title from `qa.questions` where 'python' in unnest(split(tags, '|'))

select id from `qa.questions` where tags like '%c++%' or regexp_contains(tags, r'(^|\|)c#(\||$)')

select q.id, count(a.id) as answers, max(a.score) as best, min(timestamp_diff(a.creation_date, q.creation_date, day)) as first_after
from `qa.questions` q left join `qa.answers` a on a.parent_id = q.id group by q.id

select extract(dayofweek from creation_date) as weekday, count(*) as questions, sum(if(accepted_answer_id is not null, 1, 0)) as accepted, round(100 * sum(if(accepted_answer_id is null, 0, 1)) / count(*), 1) as pct from `qa.questions` group by weekday order by weekday

select a.owner_user_id, count(*) as answers, sum(a.score) as score, countif(q.accepted_answer_id = a.id) as accepted
from `qa.answers` a join `qa.questions` q on q.id = a.parent_id group by a.owner_user_id having answers > 1 order by score desc, 1 nulls last

select t1 as tag, t2 as other, count(*) n from `qa.questions`, unnest(split(tags, '|')) t1, unnest(split(tags, '|')) t2 where t1 < t2 group by 1, 2

select id, array_length(split(tags, '|')) as tag_count, array_to_string(array(select t from unnest(split(tags, '|')) t order by t), ',') as sorted, array_reverse(split(tags, '|')) as reversed from `qa.questions`

select id, body, regexp_extract_all(body, r'https?://[^\s<]+') as links, regexp_replace(body, '<[^>]+>', '') as text, array_length(regexp_extract_all(body, '<code>')) as code_blocks from `qa.answers`

select case when score < 0 then 'bad' when score = 0 then 'none' when score < 10 then 'some' else 'good' end as class, count(*), avg(view_count) from `qa.questions` group by class

select owner_user_id, array_agg(distinct tag order by tag) tags from `qa.questions`, unnest(split(ifnull(tags, ''), '|')) tag where tag <> '' group by owner_user_id

with ranked as (select parent_id, id, score, row_number() over (partition by parent_id order by score desc, id) as r from `qa.answers`)
select q.id, r.id as answer, r.score from `qa.questions` q join ranked r on r.parent_id = q.id and r.r = 1

select width_bucket, count(*) from (select range_bucket(view_count, [0, 100, 1000, 5000]) as width_bucket from `qa.questions`) group by 1

select quarter, count(*), sum(count(*)) over (order by quarter) as running from (select date_trunc(date(creation_date), quarter) as quarter from `qa.questions`) group by quarter order by quarter

select id, title, initcap(title) i, upper(substr(title, 1, 3)) u, length(title) - length(replace(title, ' ', '')) + 1 as words, ends_with(title, '?') as asks, soundex(title) s from `qa.questions`

select word, count(*) n from `qa.questions`, unnest(regexp_extract_all(lower(title), r'[a-z]+')) as word where length(word) > 2 group by word

select owner_user_id from `qa.questions` intersect distinct select owner_user_id from `qa.answers`

select owner_user_id from `qa.questions` where score > 10 except distinct select owner_user_id from `qa.answers` where score > 15

select coalesce(q.owner_user_id, a.owner_user_id) as user, count(distinct q.id) asked, count(distinct a.id) answered from (select * from `qa.questions` where score > 0) q full join (select * from `qa.answers` where score > 5) a on q.owner_user_id = a.owner_user_id group by user

select id, (select as struct count(*) n, avg(score) mean from `qa.answers` a where a.parent_id = q.id).* from `qa.questions` q where view_count > 4000

select id, if(accepted_answer_id in (select id from `qa.answers`), 'known', 'lost') as state from `qa.questions` where accepted_answer_id is not null

select stddev(score) s, var_samp(view_count) v, corr(score, view_count) c, covar_pop(score, view_count) cp from `qa.questions`

select distinct percentile_cont(view_count, 0.5) over () as median, percentile_disc(score, 0.9) over () as p90 from `qa.questions`
