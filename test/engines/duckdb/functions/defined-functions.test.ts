import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { readFunctions } from '../../../../src/sql/analyzer/stored-functions.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import type { Row } from '../../../../src/sql/values/value.ts';
import { MemoryEngine } from '../support/memory-engine.ts';

let memory: MemoryEngine;
let analyzer: Analyzer;
beforeAll(async () => {
  memory = await MemoryEngine.open();
  analyzer = await Analyzer.start();
});
afterAll(async () => {
  await memory?.[Symbol.asyncDispose]();
  await analyzer?.close();
});

async function rowsOf(sql: string): Promise<readonly Row[]> {
  const { functions, end: functionsEnd } = await readFunctions(sql, [], analyzer);
  const context = { catalog: { tables: [], functions }, functionsEnd, parameters: new Map() };
  const statement = await analyzer.analyze(sql, context);
  const { parameters } = context;
  const plan = newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters });
  const { rows } = await memory.engine.run({ ...(await memory.request('SELECT 1')), plan });
  return rows.all();
}

/** The queries that follow the definitions, and the first row of their results. */
const bodies: Readonly<Record<string, readonly [functions: string, query: string, row: Row]>> = {
  'a literal NULL has the type of its argument': [
    'CREATE TEMP FUNCTION up(x STRING) AS (UPPER(x)); CREATE TEMP FUNCTION json(x STRING) AS (TO_JSON_STRING(x))',
    "up(NULL), json(NULL), up(IF(TRUE, NULL, 'a')), up('a')",
    [null, 'null', null, 'A'],
  ],
  'arguments have names': [
    `CREATE TEMP FUNCTION f(a STRING, b INT64) AS (CONCAT(a, '-', CAST(b AS STRING)));
    CREATE TEMP FUNCTION g(x ANY TYPE, y ANY TYPE) AS (IF(x IS NULL, y, x));
    CREATE TEMP FUNCTION h(v STRING) AS (f(b => g(y => 4, x => NULL), A => v))`,
    "f(b => 2, a => 'x'), f('y', b => NULL), f('z', b => 1 + 1), g(y => 1, x => 2), h(v => 'k')",
    ['x-2', null, 'z-2', 2n, 'k-4'],
  ],
  'an empty array has the type of its argument': [
    "CREATE TEMP FUNCTION f(x ARRAY<STRING>) AS (ARRAY_TO_STRING(ARRAY_CONCAT(x, ['z']), ','))",
    "f([]), f(NULL), f(['a'])",
    ['z', null, 'a,z'],
  ],
  'a literal is coerced to the type of its argument, also in calls of others': [
    "CREATE TEMP FUNCTION f(x DATE) AS (FORMAT_DATE('%Y', x)); CREATE TEMP FUNCTION g(x STRING) AS (CONCAT(x, f(NULL)))",
    "f('2026-11-20'), f(NULL), g('a')",
    ['2026', null, null],
  ],
  'the body is coerced to the declared result': [
    "CREATE TEMP FUNCTION f(n INT64) RETURNS STRUCT<half FLOAT64, t STRING> AS (STRUCT(n, 'x'))",
    'f(3).half / 2, f(NULL).half, f(4).t',
    [1.5, null, 'x'],
  ],
  'a WITH clause reads arguments': [
    `CREATE TEMP FUNCTION f(a ARRAY<INT64>, b INT64) AS ((
      WITH t AS (SELECT v FROM UNNEST(a) AS v), u AS (SELECT v + b AS w FROM t), z AS (SELECT 7 AS q)
      SELECT SUM(w) + MAX(q) + (SELECT MAX(v) FROM t) FROM u, z));
    CREATE TEMP FUNCTION g(a ARRAY<INT64>) AS (f(a, 1) + f(a, a[OFFSET(0)]))`,
    'f([1, 2], 1), g([1, 2]), (SELECT SUM(g(t.a)) FROM UNNEST([STRUCT([1, 2] AS a), STRUCT([3])]) AS t)',
    [14n, 28n, 58n],
  ],
  'subqueries within each other read arguments': [
    `CREATE TEMP FUNCTION f(x INT64) AS (EXISTS(
      SELECT 1 FROM UNNEST([1, 2]) AS v WHERE v = x AND v IN (SELECT x + w - w FROM UNNEST([1, 2]) AS w)))`,
    'f(1), f(5), (SELECT COUNTIF(f(k)) FROM UNNEST([1, 2, 9]) AS k)',
    [true, false, 2n],
  ],
  'functions with ANY TYPE and others call each other': [
    `CREATE TEMP FUNCTION g(x ANY TYPE, y STRING) AS (CONCAT(CAST(x AS STRING), y));
    CREATE TEMP FUNCTION f(x INT64) AS (g(x, 'a')); CREATE TEMP FUNCTION h(x ANY TYPE) AS (f(x))`,
    "f(3), g(1.5, 'b'), h(2), g(DATE '2026-11-20', NULL)",
    ['3a', '1.5b', '2a', null],
  ],
  'lambdas, aggregates and windows': [
    `CREATE TEMP FUNCTION f(a ARRAY<INT64>) AS (ARRAY_TRANSFORM(ARRAY_FILTER(a, e -> e >= a[OFFSET(0)]), (e, i) -> e + i));
    CREATE TEMP FUNCTION minus(x INT64, y INT64) AS (x - y)`,
    'f([3, 1, 5]), (SELECT minus(SUM(v), MAX(v)) + SUM(minus(v, 1)) FROM UNNEST([1, 2]) AS v)',
    [[3n, 6n], 2n],
  ],
  'an argument is evaluated once, and so is a WITH entry that reads none': [
    `CREATE TEMP FUNCTION same(x FLOAT64) AS (x = x AND x - x = 0);
    CREATE TEMP FUNCTION f(x INT64) AS ((WITH t AS (SELECT RAND() AS n) SELECT a.n = b.n AND x = 3 FROM t AS a, t AS b))`,
    'same(RAND()), f(3)',
    [true, true],
  ],
};

test.each(Object.entries(bodies))('%s', async (_, [functions, query, row]) => {
  expect(await rowsOf(`${functions}; SELECT ${query}`)).toEqual([row]);
});

test('a WITH entry of a function hides none of the query', async () => {
  const sql = `CREATE TEMP FUNCTION f(x INT64) AS ((WITH t AS (SELECT 5 AS n) SELECT SUM(n) + x FROM t));
    WITH t AS (SELECT 1 AS n UNION ALL SELECT 2) SELECT n, f(n), (SELECT SUM(f(n)) FROM t) FROM t ORDER BY n`;
  expect(await rowsOf(sql)).toEqual([
    [1n, 6n, 13n],
    [2n, 7n, 13n],
  ]);
});

test('a row for which a function is not called has none of its errors', async () => {
  const sql = `CREATE TEMP FUNCTION f(x INT64) AS ((SELECT MAX(IF(x > 0, v, ERROR('negative'))) FROM UNNEST([x, 2]) AS v));
    SELECT IF(n > 0, f(n), 0) FROM UNNEST([3, -1]) AS n ORDER BY n`;
  expect(await rowsOf(sql)).toEqual([[0n], [3n]]);
});

test('functions that call each other too often are refused', async () => {
  const calls = Array.from(
    { length: 30 },
    (_, i) => `CREATE TEMP FUNCTION f${i + 1}(x INT64) AS (f${i}(x) + f${i}(x + 1));`,
  );
  const sql = `CREATE TEMP FUNCTION f0(x INT64) AS (x); ${calls.join('\n')} SELECT f30(1)`;
  await expect(rowsOf(sql)).rejects.toThrow('The query is too large: its functions are called too often');
});
