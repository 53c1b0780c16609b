select t, max_by(s, id), min_by(id, x), approx_top_count(b, 2), approx_top_sum(b, id, 2) from nums group by t

select contains_substr(s, 'A'), contains_substr(arr, '1'), edit_distance(s, t), edit_distance(s, t, max_distance => 2) from nums

select contains_substr(word, 'x'), json_keys(j), json_keys(j, 1) from kinds k

select count(*) from edge_logs where contains_substr(metadata, 'berlin')

select cosine_distance([1.0, y + 5], [2.0, 1.0]), euclidean_distance([y], [1.0]) from nums where y is not null

select array_length(json_flatten(parse_json(j))) from unnest(['[[1, [2]], 3]', '{}']) j

select euclidean_distance(v, [(1, 2.5)]), cosine_distance(v, v) from (select array_agg(struct(id as dimension, x as magnitude)) v from nums where id in (3, 7))
