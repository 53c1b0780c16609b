import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { sliceFacts } from '../../../../src/engines/duckdb/emit/sliced/slice-facts.ts';
import { sliceSentences } from '../../../../src/engines/engine/slice-facts.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { wholeText } from '../../../../src/sql/text/place.ts';
import { source } from './sliced-world.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

const merged = 'merged from slices of logs.s';

test.each<[string, string[]]>([
  ['SELECT COUNT(*) AS n FROM logs.s', [merged]],
  [
    'WITH w AS (SELECT * FROM logs.s ORDER BY timestamp) SELECT project, AVG(status) AS a FROM w GROUP BY 1',
    [merged],
  ],
  ['SELECT SUM(n) AS n FROM (SELECT ok, COUNT(*) AS n FROM logs.s GROUP BY ok)', [merged]],
  ['WITH w AS (SELECT ok, COUNT(*) AS n FROM logs.s GROUP BY ok) SELECT SUM(n) AS n FROM w', [merged]],
  ['SELECT project FROM logs.s', []],
  ['SELECT SUM(ratio) AS s FROM logs.s', ['not merged from slices: SUM of FLOAT64 at 1:8']],
  // Which of 0.0 and -0.0 an extreme is depends on the order of rows.
  ['SELECT MIN(ratio) AS m FROM logs.s', ['not merged from slices: MIN of FLOAT64 at 1:8']],
  ['SELECT MAX(ratio) AS m FROM logs.s', ['not merged from slices: MAX of FLOAT64 at 1:8']],
  ['SELECT COUNT(DISTINCT ok) AS n FROM logs.s', ['not merged from slices: DISTINCT at 1:8']],
  ['SELECT STRING_AGG(project) AS s\nFROM logs.s', ['not merged from slices: STRING_AGG at 1:8']],
  ['SELECT ratio, COUNT(*) AS n FROM logs.s GROUP BY 1', ['not merged from slices: groups of FLOAT64']],
  [
    'SELECT COUNT(*) AS n FROM (SELECT * FROM logs.s LIMIT 5)',
    ['not merged from slices: LIMIT below the aggregation'],
  ],
  ['SELECT COUNT(*) AS n FROM logs.s AS a JOIN logs.s AS b USING (id)', ['not merged from slices: a join']],
  ['SELECT ok, COUNT(*) AS n FROM logs.s GROUP BY ROLLUP (ok)', ['not merged from slices: grouping sets']],
  [
    'SELECT COUNTIF(RAND() > 0.5) AS n FROM logs.s',
    ['not merged from slices: a function with another value each time'],
  ],
  [
    'SELECT COUNT(*) AS n FROM logs.s WHERE status > (SELECT MAX(status) FROM logs.s)',
    ['not merged from slices: a subquery that reads rows'],
  ],
])('%s', async (sql, sentences) => {
  const parameters = new Map();
  const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
  const plan = newPlan({
    ...{ isCallers: false, sql, statement, columns: resultColumns(statement), parameters },
    origin: wholeText,
  });
  expect(
    sliceSentences(sliceFacts(plan)).map((text) =>
      text.replace(/(groups.*|LIMIT.*|a join|grouping sets|reads rows) at .*/, '$1'),
    ),
  ).toEqual(sentences);
});
