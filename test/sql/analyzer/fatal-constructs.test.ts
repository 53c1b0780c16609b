import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';

let analyzer: Analyzer;
let deaths = 0;
beforeAll(async () => {
  analyzer = await Analyzer.start(undefined, () => deaths++);
});
afterAll(() => analyzer.close());

const context = { catalog: { tables: [] }, parameters: new Map() };
const ofCast = 'INTERVAL of a CAST to STRING is not supported: write an INT64, or a literal';

test.each([
  ['select 1, interval cast(null as string) day', ofCast, 20],
  ["select interval /* ä */ (safe_cast(b'\\xff' as `String`(3))) year to second", ofCast, 26],
  ["select interval cast(safe_cast('x' as int64) as string format 'x') day", ofCast, 17],
  ["select json_remove(json '{}', '$.a', '$.b', s) from (select '$' as s)", /^Argument 4 to JSON_REMOVE/, 45],
])('%s is refused at its place, before the analyzer sees it', async (sql, message, column) => {
  const error = await analyzer.analyze(sql, context).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: expect.stringMatching(message), position: { line: 1, column } });
  const definition = `create temp function f() as ((${sql}));`;
  await expect(analyzer.readDefinition(definition, 0, [])).rejects.toThrow(message);
  expect(deaths).toBe(0);
});

test.each([
  'select interval cast(null as int64) day, cast(1 as string)',
  "select interval '1' day, interval '1-2' year to month, cast('a' as string)",
  "select json_remove(json '{}', '$.a', '$.b', cast('$.c' as string))",
])('%s is not', async (sql) => {
  await expect(analyzer.analyze(sql, context)).resolves.toBeDefined();
});

test.each([
  [
    "select array<struct<a int64>>[collate('a', 'und:ci')]",
    /^A text with a collation stands in an array whose elements have another type$/,
  ],
  [
    'select a from unnest([1]) as a qualify rank() over (order by a) <= max(a)',
    /^A column is read that is not there any more, as in QUALIFY with an aggregate function/,
  ],
])('a failed check of the analyzer is not shown: %s', async (sql, message) => {
  await expect(analyzer.analyze(sql, context)).rejects.toThrow(message);
});
