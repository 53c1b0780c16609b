import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { Workbench } from '../sql/support/workbench.ts';

let workbench: Workbench;

const string: SqlType = { kind: 'STRING' };
const columns = [
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  { name: 'path', type: string },
  { name: 'method', type: string },
  { name: 'n', type: { kind: 'INT64' } },
  { name: 'price', type: { kind: 'FLOAT64' } },
  { name: 'tags', type: { kind: 'ARRAY', element: string } },
  { name: 'place', type: { kind: 'STRUCT', fields: [{ name: 'city', type: string }] } },
] as const;

beforeAll(async () => {
  workbench = await Workbench.open({
    sources: { hits: columns, others: columns },
    parameters: new Map<string, SqlType>([
      ['x', string],
      ['by', string],
      ['n', { kind: 'INT64' }],
      ['xs', { kind: 'ARRAY', element: string }],
      ['flag', { kind: 'BOOL' }],
    ]),
  });
});
afterAll(async () => workbench?.[Symbol.asyncDispose]());

const now = BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n;
const table = '`my-project-1.logs_eu.hits` AS `hits`';

/** The text of a run, in a form that is easy to read. Undefined if it is the text as written. */
async function textOf(sql: string, values: Readonly<Record<string, Value>>): Promise<string | undefined> {
  const { bounded } = await workbench.runTexts(sql, now, values);
  return bounded?.sql
    .replaceAll(table, 'hits')
    .replaceAll('`my-project-1.logs_eu.others` AS `others`', 'others')
    .replace(/\s*LIMIT \d+$/, '');
}

test.each<readonly [string, Readonly<Record<string, Value>>, string | undefined]>([
  ['@x IS NULL OR path = @x', {}, 'TRUE'],
  ['@x IS NULL OR path = @x', { x: '/a' }, undefined],
  ['(@x IS NULL OR path = @x) AND (@by = "" OR method = @by)', { by: '' }, '(TRUE) AND (TRUE)'],
  ['(path = @x) OR (@x IS NULL)', {}, 'TRUE'],
  ["COALESCE(@x, '') = '' OR REGEXP_CONTAINS(path, @x)", { x: '' }, 'TRUE'],
  ["@x IN ('', 'all') OR path = @x", { x: 'all' }, 'TRUE'],
  ["@x IN ('', 'all') OR path = @x", { x: '/a' }, undefined],
  ['ARRAY_LENGTH(@xs) = 0 OR path IN UNNEST(@xs)', { xs: [] }, 'TRUE'],
  ['ARRAY_LENGTH(@xs) = 0 OR path IN UNNEST(@xs)', { xs: ['/a'] }, undefined],
  ['IFNULL(ARRAY_LENGTH(@xs), 0) = 0 OR path IN UNNEST(@xs)', {}, 'TRUE'],
  ['@xs IS NULL OR path IN UNNEST(@xs)', {}, 'TRUE'],
  ['@flag IS NOT TRUE OR n > 3', { flag: false }, 'TRUE'],
  ['@flag AND n > 3', { flag: false }, 'FALSE'],
  ['@n > 5 OR n > 3', { n: 6n }, 'TRUE'],
  ['path = COALESCE(@x, path)', { x: '/a' }, 'path = COALESCE(@x, CAST(NULL AS STRING))'],
  ['path = COALESCE(@x, path)', {}, undefined],
  ['IF(@x IS NULL, TRUE, path = @x)', {}, 'IF(@x IS NULL, TRUE, CAST(NULL AS BOOL))'],
  [
    'CASE WHEN @x IS NULL THEN TRUE WHEN path = @x THEN TRUE ELSE FALSE END',
    {},
    'CASE WHEN @x IS NULL THEN TRUE WHEN FALSE THEN TRUE ELSE FALSE END',
  ],
  ['@x IS NULL OR EXISTS (SELECT 1 FROM UNNEST(tags) AS tag WHERE tag = @x)', {}, 'TRUE'],
  ['@x IS NULL OR path IN (SELECT path FROM logs.others WHERE method = @x)', {}, 'TRUE'],
  // What can fail must fail.
  ['@x IS NULL OR CAST(path AS INT64) = 1', {}, undefined],
  ['@x IS NULL OR 10 / n > 1', {}, undefined],
  // NULL does not decide.
  ["@x = 'a' OR path = 'b'", {}, undefined],
  // BigQuery has a clock of its own.
  ["CURRENT_TIMESTAMP() > '2020-01-01' OR path = 'b'", {}, undefined],
])('WHERE %s', async (condition, values, expected) => {
  const written = `SELECT n FROM logs.hits WHERE ${condition}`;
  expect(await textOf(written, values)).toBe(expected && `SELECT n FROM hits WHERE ${expected}`);
});

test.each<readonly [string, Readonly<Record<string, Value>>, string | undefined]>([
  [
    "SELECT IF(@by = 'path', path, method) AS k, COUNT(*) AS c FROM logs.hits GROUP BY IF(@by = 'path', path, method)",
    { by: 'path' },
    "SELECT IF(@by = 'path', path, CAST(NULL AS STRING)) AS k, COUNT(*) AS c FROM hits GROUP BY IF(@by = 'path', path, CAST(NULL AS STRING))",
  ],
  [
    "SELECT CASE @by WHEN 'path' THEN path WHEN 'method' THEN (method) ELSE place.city END AS k FROM logs.hits",
    { by: 'method' },
    "SELECT CASE @by WHEN 'path' THEN CAST(NULL AS STRING) WHEN 'method' THEN (method) ELSE CAST(NULL AS STRING) END AS k FROM hits",
  ],
  [
    "SELECT CASE @by WHEN 'path' THEN path WHEN method THEN method END AS k FROM logs.hits",
    { by: 'path' },
    "SELECT CASE @by WHEN 'path' THEN path WHEN method THEN CAST(NULL AS STRING) END AS k FROM hits",
  ],
  // The type of the whole stays the same.
  [
    'SELECT IF(@flag, 1, price) AS k FROM logs.hits',
    { flag: true },
    'SELECT IF(@flag, 1, CAST(NULL AS FLOAT64)) AS k FROM hits',
  ],
  // So do the rows of a query that aggregates.
  [
    'SELECT IF(@flag, 1, SUM(n)) AS k FROM logs.hits',
    { flag: true },
    'SELECT IF(@flag, 1, ANY_VALUE(CAST(NULL AS INT64))) AS k FROM hits',
  ],
  ['SELECT path FROM logs.hits GROUP BY path HAVING @x IS NULL OR COUNT(*) > 1', {}, undefined],
  [
    'SELECT IF(@flag, 1, (SELECT COUNT(*) FROM logs.others)) AS k FROM logs.hits',
    { flag: true },
    'SELECT IF(@flag, 1, CAST(NULL AS INT64)) AS k FROM hits',
  ],
  ['SELECT IF(@flag, (SELECT AS STRUCT "a" AS city), place) AS k FROM logs.hits', { flag: true }, undefined],
  [
    'SELECT IF(@flag, ["a"], tags) AS k FROM logs.hits',
    { flag: true },
    'SELECT IF(@flag, ["a"], CAST(NULL AS ARRAY<STRING>)) AS k FROM hits',
  ],
  [
    "SELECT n FROM logs.hits ORDER BY CASE @by WHEN 'path' THEN path WHEN 'method' THEN method END, n",
    { by: 'none' },
    "SELECT n FROM hits ORDER BY CASE @by WHEN 'path' THEN CAST(NULL AS STRING) WHEN 'method' THEN CAST(NULL AS STRING) END, n",
  ],
  // A text that means several things is left as it is.
  [
    'SELECT IF(@flag, k, v) AS r FROM (SELECT path AS k, method AS v FROM logs.hits) UNION ALL SELECT CAST(IF(@flag, k, v) AS STRING) FROM (SELECT n AS k, n AS v FROM logs.hits)',
    { flag: true },
    undefined,
  ],
  // BigQuery refuses an outer join without an equality, and grouping by a literal.
  [
    'SELECT a.n FROM logs.hits AS a LEFT JOIN logs.others AS b ON @flag AND a.n = b.n',
    { flag: false },
    undefined,
  ],
  ['SELECT COUNT(*) AS c FROM logs.hits GROUP BY @flag OR n > 1', { flag: true }, undefined],
  // Tables in what is taken out are taken out, too.
  [
    'SELECT n FROM logs.hits WHERE IF(@flag, TRUE, path IN (SELECT path FROM logs.others))',
    { flag: true },
    'SELECT n FROM hits WHERE IF(@flag, TRUE, CAST(NULL AS BOOL))',
  ],
])('%s', async (written, values, expected) => {
  expect(await textOf(written, values)).toBe(expected);
});

test('a place in a text without its excluded parts is a place of the query as it is written', async () => {
  const sql = 'SELECT n FROM logs.hits\nWHERE (@x IS NULL OR path = @x) AND n > 1';
  const { bounded } = await workbench.runTexts(sql, now, {});
  const column = (bounded?.sql.split('\n')[1]?.indexOf('n > 1') ?? 0) + 1;
  expect(bounded?.place({ line: 2, column })).toEqual({ line: 2, column: 37 });
});
