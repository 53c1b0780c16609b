import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EndpointFiles, type EndpointText } from './endpoint-files.ts';

let files: EndpointFiles;
beforeAll(async () => {
  files = await EndpointFiles.open();
});
afterAll(() => files?.close());

const one = { sql: 'SELECT 1 AS one' };
const sandboxed = (sql: string): EndpointText => ({ settings: 'sandbox: true', sql });

/** Each: what it is about, the endpoints, and the problems; the settings start in line 4, or the query in line 6. */
const cases: readonly (readonly [string, Readonly<Record<string, EndpointText>>, readonly string[]])[] = [
  [
    'two endpoints with one field',
    { 'a.b': one, 'a-b': one },
    ['a-b:3:1: The GraphQL field aB is taken by a.b: set "graphql.field"'],
  ],
  [
    'a field of the gateway itself',
    { Endpoints: one },
    ['Endpoints:3:1: The GraphQL field endpoints is taken by the gateway itself: set "graphql.field"'],
  ],
  [
    'the field with the estimates',
    { a: { ...one, settings: 'graphql: {field: estimates}' } },
    ['a:4:11: The GraphQL field estimates is taken by the gateway itself: set "graphql.field"'],
  ],
  [
    'a set field that is taken',
    { a: one, b: { ...one, settings: 'graphql: {field: a}' } },
    ['b:4:11: The GraphQL field a is taken by a: set "graphql.field"'],
  ],
  [
    "an endpoint's name that GraphQL can't hold",
    { größe: one },
    ['größe:3:1: GraphQL does not allow the name "größe": set "graphql.field"'],
  ],
  [
    'a field of tables that is taken',
    { 'a.tables': one, a: sandboxed('WITH t AS (SELECT 1 AS n) SELECT n FROM t') },
    ['a:3:1: The GraphQL field aTables is taken by a.tables: set "graphql.tables"'],
  ],
  [
    'two parameters with one argument',
    { e: { settings: 'parameters: {a_b: {}, aB: {}}', sql: 'SELECT @a_b AS x, @aB AS y' } },
    ['e:4:23: The argument aB is taken by the parameter a_b: set "argument"'],
  ],
  [
    'a set argument that is taken',
    { e: { settings: 'parameters: {a: {}, b: {argument: a}}', sql: 'SELECT @a AS x, @b AS y' } },
    ['e:4:21: The argument a is taken by the parameter a: set "argument"'],
  ],
  [
    "a parameter's name that GraphQL can't hold",
    { e: { settings: 'parameters: {__: {}}', sql: 'SELECT @__ AS x' } },
    ['e:4:14: GraphQL does not allow the name __: set "argument"'],
  ],
  [
    'two values with one member',
    { e: { settings: 'parameters: {p: {values: [a-b, A_B]}}', sql: 'SELECT @p AS p' } },
    [
      'e:4:18: The values "a-b" and "A_B" would both be A_B in GraphQL: rename it, or leave "values" out and check in the query',
    ],
  ],
  [
    "a value that GraphQL can't hold",
    { e: { settings: 'parameters: {p: {values: ["<", ok]}}', sql: 'SELECT @p AS p' } },
    ['e:4:18: GraphQL does not allow the value "<": rename it, or leave "values" out and check in the query'],
  ],
  [
    'two columns with one field',
    { e: { sql: 'SELECT 1 AS a_b, 2 AS `a b`' } },
    [
      'e:6:1: The columns a_b and a b would both be aB in GraphQL: select it AS another name, or set "columns.a b.field"',
    ],
  ],
  [
    'a column without a name and one that is called so',
    { e: { sql: 'SELECT 1, 2 AS f0' } },
    [
      'e:6:1: The columns f0_ and f0 would both be f0 in GraphQL: select it AS another name, or set "columns.f0.field"',
    ],
  ],
  [
    "a column's name that GraphQL can't hold",
    { e: { sql: 'SELECT 1 AS `größe`' } },
    [
      'e:6:1: GraphQL does not allow the name of the column größe: select it AS another name, or set "columns.größe.field"',
    ],
  ],
  [
    'a set field of a column that is taken',
    { e: { settings: 'columns: {b: {field: a}}', sql: 'SELECT 1 AS a, 2 AS b' } },
    [
      'e:4:11: The columns a and b would both be a in GraphQL: select it AS another name, or set "columns.b.field"',
    ],
  ],
  [
    'two fields of a record with one name',
    { e: { sql: 'SELECT [STRUCT(STRUCT(1 AS a_b, 2 AS aB) AS inner_one)] AS r' } },
    [
      'e:6:1: The fields a_b and aB of r.inner_one would both be aB in GraphQL: give it another name, as by STRUCT(value AS name)',
    ],
  ],
  [
    "a record's field that GraphQL can't hold",
    { e: { sql: 'SELECT STRUCT(1 AS `π`) AS r' } },
    [
      'e:6:1: GraphQL does not allow the name of the field r.π: give it another name, as by STRUCT(value AS name)',
    ],
  ],
  [
    "a table's name that GraphQL can't hold",
    { e: sandboxed('WITH `π` AS (SELECT 1 AS n) SELECT n FROM `π`') },
    ['e:6:1: GraphQL does not allow the name of the table π: give its WITH entry another name'],
  ],
  [
    'two tables with one field',
    { e: sandboxed('WITH a_b AS (SELECT 1 AS n), aB AS (SELECT 2 AS n) SELECT x.n FROM a_b AS x, aB AS y') },
    ['e:6:1: The tables a_b and aB would both be aB in GraphQL: give its WITH entry another name'],
  ],
  [
    'two columns of a table with one field',
    { e: sandboxed('WITH t AS (SELECT 1 AS a_b, 2 AS aB) SELECT a_b FROM t') },
    ['e:6:1: The columns a_b and aB would both be aB in GraphQL: select it AS another name'],
  ],
  [
    'two of them in one file',
    { e: { sql: 'SELECT 1 AS `π`, 2 AS `ρ`' } },
    [
      'e:6:1: GraphQL does not allow the name of the column π: select it AS another name, or set "columns.π.field"',
      'e:6:1: GraphQL does not allow the name of the column ρ: select it AS another name, or set "columns.ρ.field"',
    ],
  ],
];

describe('the check reports', () => {
  test.each(cases)('%s, with a remedy', async (_what, endpoints, problems) => {
    expect((await files.load(endpoints)).problems).toEqual(problems);
  });

  test('a record without fields', async () => {
    const { problems } = await files.load(
      { e: { sql: 'SELECT 1 AS one, STRUCT() AS nothing' } },
      { checkPlan: async () => {} },
    );
    expect(problems).toEqual([
      "e:6:1: The record nothing has no fields, which a GraphQL type can't be: select it as TO_JSON(...), or not at all",
    ]);
  });
});

test('names that are set settle all of it', async () => {
  const { problems } = await files.load({
    Endpoints: { settings: 'graphql: {field: all}', ...one },
    'a.b': { settings: 'columns: {"a b": {field: other}}', sql: 'SELECT 1 AS a_b, 2 AS `a b`' },
    'a-b': {
      settings: 'graphql: {field: ab2}\nparameters: {a_b: {}, aB: {argument: c}}',
      sql: 'SELECT @a_b AS x, @aB AS y',
    },
  });
  expect(problems).toEqual([]);
});
