select id, hll_count.extract(hll_count.init(project)) from edge_logs group by id

select hll_count.merge(s), hll_count.extract(hll_count.merge_partial(s)) from (select hll_count.init(id) s from edge_logs group by project)
