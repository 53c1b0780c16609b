import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { AnalyzerError } from '../../../src/sql/analyzer/error.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

const errorOf = (sql: string) =>
  analyzer.analyze(sql, { catalog: { tables: [] }, parameters: new Map() }).then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([
  ['select 1 from t\n match_recognize (order by a pattern (x) define x as true)', 'MATCH_RECOGNIZE', 2, 2],
  ['select * from graph_table(g match (n) return n.id)', 'GRAPH_TABLE', 1, 15],
  ['graph g match (n) return n.id', 'A graph query', 1, 1],
  ['declare x int64; select x', 'A script', 1, 1],
  ['select with differential_privacy sum(1)', 'DIFFERENTIAL_PRIVACY', 1, 8],
  ['select with anonymization sum(1)', 'ANONYMIZATION', 1, 8],
  ["select 'ä', x from t match_recognize(order by a)", 'MATCH_RECOGNIZE', 1, 22],
])('is named at its place: %s', async (sql, name, line, column) => {
  expect(await errorOf(sql)).toEqual(new AnalyzerError(`${name} is not supported`, { line, column }));
});

test.each(['select from', "select 'graph_table(' from", 'select with x'])(
  'another mistake has the analyzer’s error: %s',
  async (sql) => expect(String(await errorOf(sql))).not.toContain('is not supported'),
);

test.each([
  'with graph as (select 1 x) select x from graph',
  'select match_recognize from (select 1 match_recognize)',
])('the words are names elsewhere: %s', async (sql) => expect(await errorOf(sql)).toBeUndefined());

test.each([
  [
    "select search(x, 'a') from (select 'a' x)",
    'Function not found: search. It is not supported: models, indexes',
    8,
  ],
  [
    "select 1, keys.new_keyset('x')",
    'Function not found: keys.new_keyset. It is not supported: encryption',
    11,
  ],
])('a function that only BigQuery has: %s', async (sql, message, column) => {
  const error = await errorOf(sql);
  expect(String(error)).toContain(message);
  expect(error).toMatchObject({ position: { line: 1, column } });
});
