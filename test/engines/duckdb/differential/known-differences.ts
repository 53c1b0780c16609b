/**
 * Where the emitted SQL and the reference evaluator differ, by the text of the query in
 * `queries/known-differences.sql`, with the reason. What is listed here must still differ, or the list is out
 * of date.
 */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  [
    'select id, avg(x) over (order by id rows between 2 preceding and current row) from nums',
    'The evaluator keeps a running average, in which an infinity turns to NaN when another number follows.',
  ],
  [
    'select avg(distinct b) from nums',
    'The evaluator keeps a running average and ends near 0; the sum over the count is exactly 0.',
  ],
  [
    `select to_json_string(json_remove(json '{"a":1,"b":2}', null, '$.a'))`,
    'A path that is NULL removes nothing from the document. The evaluator returns NULL.',
  ],
  [
    `select json_set(json '{"a":1}', null, 5), json_array_append(json '[1]', @nothing, 5, '$', 6), json_array_insert(json '[1]', null, 5)`,
    'A path that is NULL is ignored. The evaluator returns NULL.',
  ],
  [
    `select json_strip_nulls(json '{"a":null}', @nothing), json_strip_nulls(json '{"a":null}', include_arrays => null), json_array_append(json '[1]', '$', [2], append_each_element => null)`,
    'With an option that is NULL, the document stays as it is. The evaluator returns NULL.',
  ],
  [
    "select any_value(v having max k), any_value(v having min k) from unnest([struct(cast(null as string) as v, 5 as k), ('b', 1), (null, 0)])",
    'Rows in which the value is NULL are not considered. The evaluator considers them.',
  ],
  [
    `select net.public_suffix('a.b.kh')`,
    'The list of public suffixes is a newer one. BigQuery renews its list as well.',
  ],
  [
    "select 'a' not like any ('a', 'b'), 'a' not like all ('a', 'b')",
    '`NOT LIKE ANY` is true if one pattern does not match, `NOT LIKE ALL` if none matches. The evaluator negates `LIKE ANY` and `LIKE ALL`.',
  ],
  [
    "select 'a' like all unnest(cast([] as array<string>))",
    '`LIKE ALL` of an empty array is false, and `NOT LIKE ALL` is true. The evaluator says the contrary.',
  ],
  [
    "select 'a' like any (select p from unnest(['b', 'a']) p where p = 'x')",
    'Each row of a subquery is a pattern. The evaluator takes the subquery for a single pattern.',
  ],
  [
    "select instr(collate('文a文', 'und:ci'), '文', -2), instr(collate('🚀🚀A', 'und:ci'), '🚀', 2, 2)",
    'With a collation, too, positions count characters, and each match counts once. The evaluator counts bytes of the searched text, and finds characters of two UTF-16 units twice.',
  ],
]);

/** Queries of which the reference evaluator says nothing: it can't run them, or has another clock. */
export const notEvaluable =
  /approx_quantiles|approx_count_distinct|approx_top_|max_by|min_by|contains_substr|edit_distance|json_keys|json_flatten|cosine_distance|euclidean_distance|grouping\(|rollup|cube|grouping sets|hll_count|base32|generate_uuid|current_/i;
