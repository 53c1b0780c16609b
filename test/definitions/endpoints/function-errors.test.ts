import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../../src/definitions/endpoints/load-endpoints.ts';
import { checkPlan as checkForDuckDb } from '../../../src/engines/duckdb/run/check-plan.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { formatType } from '../../../src/sql/values/type.ts';
import { endpointFile } from './support/both-engines.ts';

let analyzer: Analyzer;
let folder: string;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'functions-'));
});
afterEach(() => rm(folder, { recursive: true }));

const columns = [{ name: 'n', type: { kind: 'INT64' } }] as const;

async function load(sql: string, { functions, settings }: { functions?: string; settings?: string } = {}) {
  await writeFile(path.join(folder, 'e.sql'), endpointFile('e', sql, settings));
  if (functions !== undefined) await writeFile(path.join(folder, 'functions.json'), functions);
  const planner = new LocalPlanner(analyzer);
  const { endpoints, problems, refusals } = await loadEndpoints(folder, {
    planText: (text) => planner.planText(text),
    catalog: { tables: [{ path: ['logs', 't'], columns }] },
    checkPlan: checkForDuckDb,
  });
  const lines = (found: typeof problems) =>
    found.map((p) => `${path.basename(p.file)}:${p.line}:${p.column}: ${p.text}`);
  const types = endpoints.flatMap(({ plan }) => plan.columns.map(({ type }) => formatType(type)));
  return { types, problems: lines(problems), refusals: lines(refusals) };
}

/** The settings take the first four lines. */
describe('an error in the functions of a stored query is reported at its place:', () => {
  const parameter = 'parameters: {p: {}}\n';
  test.each([
    [
      'syntax',
      'CREATE TEMP FUNCTION f(x INT64) AS (\n  x +);\nSELECT f(1)',
      '6:6: Syntax error: Unexpected ")"',
    ],
    ['no query', 'CREATE TEMP FUNCTION f(x INT64) AS (x);', '6:1: A query must follow the functions'],
    [
      'two queries',
      'CREATE TEMP FUNCTION f() AS (1);\nSELECT f();\nSELECT 2',
      '7:1: Syntax error: Expected end of input but got keyword SELECT',
    ],
    [
      'a parameter of the endpoint',
      "CREATE TEMP FUNCTION f(x ANY TYPE) AS (CONCAT(x, @p));\nSELECT f('a'), @p",
      "5:50: Query parameter is not allowed in the body of SQL function 'f': @p",
      parameter,
    ],
    [
      'a table',
      'CREATE TEMP FUNCTION f() AS ((SELECT MAX(n) FROM logs.t));\nSELECT f()',
      '5:50: A function cannot read tables: logs.t',
    ],
    [
      'a table in a function of any type',
      'CREATE TEMP FUNCTION f(x ANY TYPE) AS (x + (SELECT MAX(n) FROM logs.t));\nSELECT f(1)',
      '5:64: A function cannot read tables: logs.t',
    ],
    [
      'a name that a built-in function has',
      'CREATE TEMP FUNCTION f() AS (1);\nCREATE TEMP FUNCTION Abs(x INT64) AS (x);\nSELECT Abs(f())',
      '6:22: The function Abs exists already. Choose another name',
    ],
    [
      'a name that another one has',
      'CREATE TEMP FUNCTION f() AS (1); CREATE TEMP FUNCTION F() AS (1);\nSELECT f()',
      '5:55: The function F exists already. Choose another name',
    ],
    [
      'a name with dots',
      'CREATE TEMP FUNCTION a.f() AS (1);\nSELECT 1',
      '5:22: The name of a temporary function has no dots',
    ],
    [
      'a permanent function',
      'CREATE FUNCTION f() AS (1);\nSELECT f()',
      '5:17: A query can only define temporary functions: CREATE TEMP FUNCTION',
    ],
    [
      'another language',
      "CREATE TEMP FUNCTION f() RETURNS INT64 LANGUAGE python AS 'return 1';\nSELECT f()",
      '5:22: Functions in PYTHON are not supported: write them in SQL or js',
    ],
    [
      'ANY TYPE in JavaScript',
      "CREATE TEMP FUNCTION f(x ANY TYPE) RETURNS INT64 LANGUAGE js AS 'return 1';\nSELECT f(1)",
      '5:22: An argument of a function in js needs a type, not ANY TYPE',
    ],
    [
      'a call of itself',
      'CREATE TEMP FUNCTION f(x ANY TYPE) AS (f(x));\nSELECT f(1)',
      '5:40: A function can only call functions that are defined before it: f',
    ],
    [
      'a call of a later function',
      'CREATE TEMP FUNCTION f(x ANY TYPE) AS (g(x));\nCREATE TEMP FUNCTION g(x ANY TYPE) AS (x);\nSELECT f(1)',
      '5:40: A function can only call functions that are defined before it: g',
    ],
    [
      'a body that does not fit the types of a call',
      'CREATE TEMP FUNCTION f(x ANY TYPE) AS (x * 2);\nCREATE TEMP FUNCTION g(x ANY TYPE) AS (f(x));\nSELECT g("a")',
      '5:40: In the function f: No matching signature for operator * for argument types: STRING, INT64. Supported signatures: INT64 * INT64; FLOAT64 * FLOAT64; NUMERIC * NUMERIC; BIGNUMERIC * BIGNUMERIC; INTERVAL * INT64; INT64 * INTERVAL',
    ],
    [
      'another result than declared',
      'CREATE TEMP FUNCTION f(x ANY TYPE) RETURNS STRING AS (x);\nSELECT 1,\n  f(1)',
      '7:3: In the function f: Function declared to return STRING but the function body produces incompatible type INT64',
    ],
    [
      'arguments of other types',
      'CREATE TEMP FUNCTION f(x INT64) AS (x);\nSELECT f("a")',
      '6:8: No matching signature for function F for argument types: STRING. Supported signature: F(INT64)',
    ],
    [
      'SAFE',
      'CREATE TEMP FUNCTION f(x INT64) AS (x);\nSELECT SAFE.f(1)',
      '6:8: Function f does not support SAFE error mode',
    ],
    [
      'an aggregate function',
      'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x));\nSELECT f(1)',
      '5:1: Aggregate functions are not supported',
    ],
    [
      'a rewritten query',
      'CREATE TEMP FUNCTION f(x INT64) AS (x);\nFROM logs.t\n|> WHERE nope(f(n)) > 1\n|> SELECT n',
      '7:10: Function not found: nope',
    ],
    [
      'a body, before a rewritten query',
      'CREATE TEMP FUNCTION f(x ANY TYPE) AS (\n  x * 2);\nFROM logs.t |> SELECT f("a") AS a',
      '6:3: In the function f: No matching signature for operator * for argument types: STRING, INT64. Supported signatures: INT64 * INT64; FLOAT64 * FLOAT64; NUMERIC * NUMERIC; BIGNUMERIC * BIGNUMERIC; INTERVAL * INT64; INT64 * INTERVAL',
    ],
    [
      'a collation',
      "CREATE TEMP FUNCTION f(x STRING) AS (x = 'A');\nSELECT f(COLLATE('a', 'und:ci'))",
      '6:8: Not supported: a text with a collation as the argument of a function',
    ],
    [
      'an argument in a recursive WITH entry',
      'CREATE TEMP FUNCTION f(x INT64) AS ((\n  WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < x)\n  SELECT SUM(n) FROM t));\nSELECT f(3)',
      '6:3: Not supported: an argument in a recursive WITH entry of a function',
    ],
    [
      'an argument in a random WITH entry',
      'CREATE TEMP FUNCTION f(x INT64) AS ((WITH t AS (SELECT x + RAND() AS n) SELECT a.n = b.n FROM t a, t b));\nSELECT f(3)',
      '5:49: Not supported: a random WITH entry of a function that reads an argument and is read twice',
    ],
    [
      'the query after letters of several bytes in its line',
      "CREATE TEMP FUNCTION f() AS ('é漢'); SELECT nope",
      '5:44: Unrecognized name: nope',
    ],
  ])('%s', async (_, sql, line, settings = '') => {
    const { problems } = await load(sql, { settings });
    const shift = settings === '' ? 0 : 1;
    const [at = '', ...text] = line.split(':');
    expect(problems).toEqual([`e.sql:${Number(at) + shift}:${text.join(':')}`]);
  });
});

test('functions may be replaced, described, and written in comments without effect', async () => {
  const sql = `-- CREATE TEMP FUNCTION a() AS (1);
/* CREATE */ CREATE OR REPLACE TEMP FUNCTION b(x INT64) RETURNS FLOAT64 OPTIONS (description = 'a;b') AS (x);
# c
SELECT b(1) AS b, 'CREATE TEMP FUNCTION c() AS (1); SELECT' AS c`;
  expect(await load(sql)).toEqual({ types: ['FLOAT64', 'STRING'], problems: [], refusals: [] });
});

test('a function in JavaScript has its types, and is refused by the embedded engine at its place', async () => {
  const sql = `CREATE TEMP FUNCTION f(x FLOAT64, y ARRAY<STRING>) RETURNS STRUCT<a STRING> LANGUAGE js AS r"""
return {a: x};""";
SELECT f(n, ['a']).a AS a FROM logs.t`;
  expect(await load(sql)).toEqual({
    types: ['STRING'],
    problems: [],
    refusals: ['e.sql:7:8: Not supported: the BigQuery-only function f in a function call'],
  });
});

test('functions of geographies have their types, and are refused by the embedded engine', async () => {
  const sql =
    'SELECT ST_DISTANCE(ST_GEOGPOINT(n, 2), ST_GEOGFROMTEXT("POINT(1 2)")) AS d, ST_GEOGPOINT(1, n) AS p FROM logs.t';
  expect(await load(sql)).toEqual({
    types: ['FLOAT64', 'GEOGRAPHY'],
    problems: [],
    refusals: [expect.stringMatching(/^e\.sql:5:8: Not supported: .*ST_DISTANCE/)],
  });
  expect((await load('SELECT CAST(NULL AS GEOGRAPHY) AS g')).refusals).toEqual([
    expect.stringMatching(/^e\.sql:5:8: Not supported: .*GEOGRAPHY/),
  ]);
});

describe('functions.json', () => {
  const call =
    'SELECT SEARCH(n, "x") AS a, AI.GENERATE("x", model => "m").text AS b, `p-1.fns.f`(1) AS c FROM logs.t';
  const functions = [
    { name: 'SEARCH', arguments: ['ANY TYPE', 'string'], returns: 'BOOL' },
    {
      name: 'AI.GENERATE',
      arguments: ['STRING', { name: 'model', type: 'STRING', optional: true }],
      returns: 'STRUCT<text STRING, tags ARRAY<STRUCT<INT64, n NUMERIC>>>',
    },
    { name: 'p-1.fns.f', arguments: ['INT64'], returns: 'DATE' },
    { name: 'p-1.fns.f', arguments: [{ type: 'STRING', repeated: true }], returns: 'TIME' },
    { name: 'AI.AGG', aggregate: true, arguments: ['GEOGRAPHY'], returns: 'GEOGRAPHY' },
  ];

  test('gives functions their types, and the embedded engine names one that a query uses', async () => {
    expect(await load(call, { functions: JSON.stringify(functions) })).toEqual({
      types: ['BOOL', 'STRING', 'DATE'],
      problems: [],
      refusals: ['e.sql:5:8: Not supported: the BigQuery-only function SEARCH in a function call'],
    });
    const others =
      'SELECT `p-1`.fns.f("a", "b") AS a, (SELECT AI.AGG(g) FROM UNNEST([CAST(NULL AS GEOGRAPHY)]) g) AS b';
    expect((await load(others)).types).toEqual(['TIME', 'GEOGRAPHY']);
  });

  test('does not hide other errors, nor affect queries that use none of them', async () => {
    const loaded = await load('SELECT ABS(n) AS n FROM logs.t', { functions: JSON.stringify(functions) });
    expect(loaded).toEqual({ types: ['INT64'], problems: [], refusals: [] });
    expect((await load('SELECT SEARCH(1) FROM logs.t')).problems).toEqual([
      expect.stringMatching(/^e\.sql:5:8: .*SEARCH/),
    ]);
  });

  test.each([
    ['nothing', '', '1:1: not JSON: '],
    ['no JSON', '[\n{"name" "x"}]', '2:9: not JSON: '],
    ['no list', '{}', '1:1: expected a list of functions'],
    [
      'a long type',
      JSON.stringify([{ name: 'f', returns: 'ARRAY<'.repeat(1000) }]),
      '1:24: returns: expected a GoogleSQL type, got "ARRAY',
    ],
    [
      'too many',
      JSON.stringify(Array(501).fill({ name: 'f', returns: 'DATE' })),
      '1:1: at most 500 declarations are allowed',
    ],
    ['no name', '[{"returns": "INT64"}]', '1:2: name: '],
    ['no result', '[{"name": "f"}]', '1:2: returns: '],
    ['an unknown key', '[{"name": "f", "returns": "INT64", "result": 1}]', '1:2: Unrecognized key'],
    [
      'another type',
      '[{"name": "f", "returns": "INT65"}]',
      '1:27: returns: expected a GoogleSQL type, got "INT65"',
    ],
    [
      'a type without end',
      '[{"name": "f", "returns": "ARRAY<INT64"}]',
      '1:27: returns: expected a GoogleSQL type',
    ],
    [
      'an array of arrays',
      '[{"name": "f", "returns": "ARRAY<ARRAY<INT64>>"}]',
      '1:27: returns: expected a GoogleSQL type',
    ],
    [
      'a result of any type',
      '[{"name": "f", "returns": "ANY TYPE"}]',
      '1:27: returns: expected a GoogleSQL type',
    ],
    [
      'an argument of another type',
      '[{"name": "f", "arguments": ["X"], "returns": "INT64"}]',
      '1:30: arguments: expected a type',
    ],
    [
      'a required argument after an optional one',
      '[{"name": "f", "arguments": [{"type": "INT64", "optional": true}, "INT64"], "returns": "INT64"}]',
      '1:67: arguments: an argument after an optional one must be optional',
    ],
    [
      'an argument after a repeated one',
      '[{"name": "f", "arguments": [{"type": "INT64", "repeated": true}, "INT64"], "returns": "INT64"}]',
      '1:30: arguments: only the last argument can be repeated',
    ],
    [
      'a name that is none',
      '[{"name": "f()", "returns": "INT64"}]',
      '1:11: name: expected the name of a function',
    ],
    [
      'a built-in function',
      '[{"name": "abs", "returns": "INT64"}]',
      '1:11: the function abs is known already',
    ],
    [
      'a built-in function with dots',
      '[{"name": "NET.HOST", "returns": "INT64"}]',
      '1:11: the function NET.HOST is known already',
    ],
    [
      'an aggregate function and another one',
      '[{"name": "f", "returns": "INT64"}, {"name": "F", "aggregate": true, "returns": "INT64"}]',
      '1:46: F is declared as an aggregate function and as another one',
    ],
  ])('is refused at the place of its error: %s', async (_, text, line) => {
    const { problems } = await load('SELECT 1', { functions: text });
    expect(problems).toEqual([expect.stringContaining(`functions.json:${line}`)]);
  });
});
