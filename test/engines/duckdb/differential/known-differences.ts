/**
 * Where the emitted SQL and the reference evaluator differ, by the text of the query in
 * `queries/known-differences.sql`, with the reason. What is listed here must still differ, or the list is out
 * of date.
 */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  [
    'select avg(distinct b) from nums',
    'The evaluator keeps a running average and ends near 0; the sum over the count is exactly 0.',
  ],
  [`select json_value('{"a":1.50}', '$.a')`, 'DuckDB writes numbers anew instead of giving their text.'],
  [`select json_value('{"a":1e3}', '$.a')`, 'DuckDB writes numbers anew instead of giving their text.'],
  [`select json_value('{"a":-0}', '$.a')`, 'DuckDB writes numbers anew instead of giving their text.'],
  [`select json_query('{"a":1.5e10}', '$')`, 'DuckDB writes numbers anew instead of giving their text.'],
  [
    `select json_value("{'a':1}", '$.a')`,
    'The evaluator reads text that is nearly JSON; here text that is no JSON gives NULL.',
  ],
  [
    `select json_value('{"a":1} x', '$.a')`,
    'The evaluator stops reading at the end of the first value; here such text is no JSON and gives NULL.',
  ],
  [
    `select parse_json('{"b":1,"a":2}')`,
    'The evaluator sorts the members of an object; here they keep their order, which has no meaning in JSON.',
  ],
]);

/** Queries of which the reference evaluator says nothing: it can't run them, or has another clock. */
export const notEvaluable =
  /approx_quantiles|approx_count_distinct|grouping\(|rollup|cube|grouping sets|generate_uuid|current_/i;
