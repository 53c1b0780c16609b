import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { rewritePlaced } from '../../../src/sql/rewrite/rewrite-text.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

const context = () => ({ analyzer, catalog: { tables: [] }, parameters: new Map() });

/** Queries, each with the error and its place in the query. */
const refusals: readonly (readonly [string, string, string])[] = [
  ['from k |> call f()', 'The pipe operator CALL is not supported', '1:11'],
  ['from k |> assert true', 'The pipe operator ASSERT is not supported', '1:11'],
  ['from k\n  |> recursive union all (select 1)', 'The pipe operator RECURSIVE is not supported', '2:6'],
  ['from k |> group by a', 'Syntax error: Unexpected keyword GROUP', '1:11'],
  ['from k |>', 'Syntax error: Unexpected end of statement', '1:10'],
  ['from k |> where', 'Syntax error: Unexpected end of statement', '1:16'],
  ['from k where a = 1', 'Syntax error: Unexpected keyword WHERE', '1:8'],
  ['from k |> select a from k', 'Syntax error: Unexpected keyword FROM', '1:20'],
  ['from k |> select count(*)', 'Aggregate function COUNT not allowed in pipe SELECT clause', '1:18'],
  ['from k |> extend max(a) as b', 'Aggregate function MAX not allowed in pipe EXTEND clause', '1:18'],
  ['from k |> where sum(a) > 1', 'Aggregate function SUM not allowed in pipe WHERE clause', '1:17'],
  ['from k |> aggregate sum(a) over ()', 'Window functions are not allowed in pipe AGGREGATE', '1:28'],
  ['from k |> aggregate count(*) group by 1', 'GROUP BY ordinal not allowed in pipe AGGREGATE', '1:39'],
  ['from k |> set a.b = 1', 'Pipe SET of a field is not supported', '1:15'],
  ['from k |> set a', 'Syntax error: Unexpected end of statement', '1:16'],
  ['select 1 as a |> rename b as c', 'Column name in pipe RENAME not found in input table: b', '1:25'],
  [
    'select 1 as a, 2 as a |> rename a as c',
    'Column name in pipe RENAME exists more than once in input table: a',
    '1:33',
  ],
  [
    'select 1 as a, 2 |> rename a as c',
    'Pipe RENAME of a table with repeated or unnamed columns is not supported; use |> SELECT',
    '1:21',
  ],
  ['select nothing as a |> rename a as b', 'Unrecognized name: nothing', '1:8'],
  [
    'from (select 1 as a) as k, (select 1 as b) as l |> distinct |> select k.a',
    'Pipe DISTINCT of several tables before k is used is not supported',
    '1:52',
  ],
  [
    'select 1 as a order by a |> extend 2 as b',
    'This pipe operator after ORDER BY in standard syntax is not supported; use |> ORDER BY',
    '1:29',
  ],
  ['select upper(s where true) from k', 'Syntax error: Unexpected keyword WHERE', '1:16'],
  ['select sum(max(v) group by rollup(k)) from t', 'Syntax error: Unexpected keyword ROLLUP', '1:28'],
  ['select max(v having max v group by k) from t', 'Syntax error: Unexpected keyword GROUP', '1:27'],
  ['select sum(v where true where true) from t', 'Syntax error: Unexpected keyword WHERE', '1:25'],
  [
    'select sum(v where true) over () from t',
    'WHERE and GROUP BY in a window function are not supported',
    '1:14',
  ],
  ['from f(1) |> select a', 'Table-valued functions are not supported', '1:6'],
  ['from k for system_time as of x |> select a', 'FOR SYSTEM_TIME AS OF is not supported', '1:8'],
  [
    'select *, count(*) from unnest([1]) as x group by all',
    'GROUP BY ALL with * in the SELECT list is not supported; name the columns',
    '1:42',
  ],
  [
    'select date_trunc(current_date(), month), count(*) from unnest([1]) as x group by all',
    'GROUP BY ALL without a column in the SELECT list is not supported; name the columns',
    '1:74',
  ],
  [
    'select 1 as a union all by name select 1 as b',
    'The column a is not in all queries of this set operation; write INNER, LEFT or FULL before it',
    '1:15',
  ],
  [
    'select 1 as a union all by name select 1 as a union all select 1',
    'Different set operations cannot be used in the same query without using parentheses for grouping',
    '1:47',
  ],
];

test.for(refusals)('%s', async ([sql, message, place]) => {
  const [line, column] = place.split(':').map(Number);
  await expect(rewritePlaced({ sql }, context())).rejects.toMatchObject({
    message,
    position: { line, column },
  });
});

test.for([
  'select 1',
  "select '|>', extract(year from d) from t",
  'select a.f(x), `b`.g(1), (x).y from t',
  'select x like any (1)',
])('stays as it is: %s', async (sql) => {
  expect(await rewritePlaced({ sql }, context())).toEqual({ sql });
});
