import { assertObjectType, type GraphQLSchema, printType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractChanges, parseContract, printContract } from '../../../../src/server/graphql/contract.ts';
import { EndpointFiles } from './endpoint-files.ts';

/** Each: a GoogleSQL expression, its GraphQL type, and the JSON of its value. */
const scalars: readonly (readonly [sql: string, type: string, json: string])[] = [
  ['TRUE', 'Boolean', 'true'],
  ['CAST(NULL AS BOOL)', 'Boolean', 'null'],
  ['9223372036854775807', 'Int64', '"9223372036854775807"'],
  ['-9223372036854775808', 'Int64', '"-9223372036854775808"'],
  ['9007199254740993', 'Int64', '"9007199254740993"'],
  ['CAST(NULL AS INT64)', 'Int64', 'null'],
  ['0.1', 'Float', '0.1'],
  ['CAST(3 AS FLOAT64)', 'Float', '3'],
  ['1.7976931348623157e308', 'Float', '1.7976931348623157e+308'],
  ["CAST('nan' AS FLOAT64)", 'Float', 'null'],
  ["CAST('inf' AS FLOAT64)", 'Float', 'null'],
  ["CAST('-inf' AS FLOAT64)", 'Float', 'null'],
  ['CAST(NULL AS FLOAT64)', 'Float', 'null'],
  [
    "NUMERIC '-99999999999999999999999999999.999999999'",
    'Numeric',
    '"-99999999999999999999999999999.999999999"',
  ],
  ["NUMERIC '1.50'", 'Numeric', '"1.5"'],
  ['CAST(NULL AS NUMERIC)', 'Numeric', 'null'],
  ["'a\"\\\\\\n\\u00e9\\U0001F600'", 'String', '"a\\"\\\\\\né\u{1f600}"'],
  ["''", 'String', '""'],
  ['CAST(NULL AS STRING)', 'String', 'null'],
  ["b'\\x00\\xff'", 'Bytes', '"AP8="'],
  ["b''", 'Bytes', '""'],
  ['CAST(NULL AS BYTES)', 'Bytes', 'null'],
  ["DATE '0001-01-01'", 'LocalDate', '"0001-01-01"'],
  ["DATE '9999-12-31'", 'LocalDate', '"9999-12-31"'],
  ['CAST(NULL AS DATE)', 'LocalDate', 'null'],
  ["DATETIME '0001-01-01 00:00:00'", 'LocalDateTime', '"0001-01-01T00:00:00"'],
  ["DATETIME '9999-12-31 23:59:59.999999'", 'LocalDateTime', '"9999-12-31T23:59:59.999999"'],
  ["DATETIME '2025-01-31 10:00:00.5'", 'LocalDateTime', '"2025-01-31T10:00:00.500000"'],
  ['CAST(NULL AS DATETIME)', 'LocalDateTime', 'null'],
  ["TIME '00:00:00'", 'LocalTime', '"00:00:00"'],
  ["TIME '23:59:59.000001'", 'LocalTime', '"23:59:59.000001"'],
  ['CAST(NULL AS TIME)', 'LocalTime', 'null'],
  ["TIMESTAMP '0001-01-01 00:00:00+00'", 'DateTime', '"0001-01-01T00:00:00Z"'],
  ["TIMESTAMP '9999-12-31 23:59:59.999999+00'", 'DateTime', '"9999-12-31T23:59:59.999999Z"'],
  ["TIMESTAMP '2025-01-31 10:00:00.123456+01'", 'DateTime', '"2025-01-31T09:00:00.123456Z"'],
  ["TIMESTAMP '1969-12-31 23:59:59.999999+00'", 'DateTime', '"1969-12-31T23:59:59.999999Z"'],
  ['CAST(NULL AS TIMESTAMP)', 'DateTime', 'null'],
  [
    'JSON \'{"big": 12345678901234567890, "list": [1.5, null], "name": "é"}\'',
    'JSON',
    '{"big":12345678901234567890,"list":[1.5,null],"name":"é"}',
  ],
  ["JSON 'null'", 'JSON', 'null'],
  ['JSON \'"text"\'', 'JSON', '"text"'],
  ['CAST(NULL AS JSON)', 'JSON', 'null'],
  ["INTERVAL '1-2 3 4:5:6.789' YEAR TO SECOND", 'Interval', '"1-2 3 4:5:6.789"'],
  ['CAST(NULL AS INTERVAL)', 'Interval', 'null'],
];

let files: EndpointFiles;
beforeAll(async () => {
  files = await EndpointFiles.open();
});
afterAll(() => files?.close());

/** The fields of a type, as SDL, without descriptions. */
function fieldsOf(schema: GraphQLSchema, type: string): string[] {
  return Object.values(assertObjectType(schema.getType(type)).getFields()).map(
    ({ name, type: fieldType }) => `${name}: ${fieldType}`,
  );
}

describe('a value', () => {
  test.each(scalars)('%s is %s %s', async (sql, type, json) => {
    const schema = await files.schema({ e: { sql: `SELECT ${sql} AS value` } });
    expect(fieldsOf(schema, 'ERow')).toEqual([`value: ${type}`]);
    const answer = await files.run(schema, '{ e { value } }');
    expect(answer.errors).toBeUndefined();
    expect(answer.json).toBe(`{"e":[{"value":${json}}]}`);
  });
});

test('a type that the embedded engine lacks has a scalar nevertheless', async () => {
  const e = { sql: "SELECT BIGNUMERIC '1' AS value" };
  const schema = await files.schema({ e }, { checkPlan: async () => {} });
  expect(fieldsOf(schema, 'ERow')).toEqual(['value: BigNumeric']);
});

describe('an array', () => {
  test.each([
    ['[TRUE, FALSE]', '[Boolean!]', '[true,false]'],
    ['[9223372036854775807, -1]', '[Int64!]', '["9223372036854775807","-1"]'],
    ["[1.5, CAST('nan' AS FLOAT64)]", '[Float]', '[1.5,null]'],
    ["[JSON '1', JSON 'null', JSON '[]']", '[JSON]', '[1,null,[]]'],
    ["[TIMESTAMP '2025-01-31 10:00:00+00']", '[DateTime!]', '["2025-01-31T10:00:00Z"]'],
    ["['a', '']", '[String!]', '["a",""]'],
    ['ARRAY<INT64>[]', '[Int64!]', '[]'],
    ['CAST(NULL AS ARRAY<INT64>)', '[Int64!]', '[]'],
    ['CAST(NULL AS ARRAY<STRUCT<a INT64>>)', '[EValue!]', '[]'],
  ])('%s is %s %s', async (sql, type, json) => {
    const schema = await files.schema({ e: { sql: `SELECT ${sql} AS value` } });
    expect(fieldsOf(schema, 'ERow')).toEqual([`value: ${type}`]);
    const selection = type.startsWith('[EValue') ? 'value { a }' : 'value';
    const answer = await files.run(
      schema,
      `{ e { ${selection} } endpoint(name: "e") { columns { graphqlType } } }`,
    );
    expect(answer.errors).toBeUndefined();
    expect(answer.json).toBe(`{"e":[{"value":${json}}],"endpoint":{"columns":[{"graphqlType":"${type}"}]}}`);
  });

  test('may have a NULL in it within a query', async () => {
    const schema = await files.schema({ e: { sql: 'SELECT ARRAY_LENGTH([1, NULL]) AS length' } });
    expect((await files.run(schema, '{ e { length } }')).json).toBe('{"e":[{"length":"2"}]}');
  });

  test('with a NULL in it is an error of the call, as in BigQuery', async () => {
    const schema = await files.schema({ e: { sql: 'SELECT [1, NULL] AS list, 2 AS two' } });
    const answer = await files.run(schema, '{ e { list two } }');
    expect(answer.json).toBe('{"e":null}');
    expect(answer.errors).toMatchObject([
      {
        message: 'Array cannot have a null element; error in writing field list',
        path: ['e'],
        extensions: { code: 'QUERY_FAILED' },
      },
    ]);
  });
});

describe('a record', () => {
  test('is an object, also in records and in arrays', async () => {
    const sql = `SELECT
      STRUCT(1 AS a_b, STRUCT('x' AS deep, [STRUCT(2 AS n), STRUCT(NULL AS n)] AS list) AS inner_one) AS one,
      [STRUCT([STRUCT(TRUE AS yes)] AS parts), STRUCT(ARRAY<STRUCT<yes BOOL>>[] AS parts)] AS many,
      CAST(NULL AS STRUCT<gone INT64>) AS nothing`;
    const schema = await files.schema({ 'deep.one': { sql } });
    expect(fieldsOf(schema, 'DeepOneRow')).toEqual([
      'one: DeepOneOne',
      'many: [DeepOneMany!]',
      'nothing: DeepOneNothing',
    ]);
    expect(fieldsOf(schema, 'DeepOneOne')).toEqual(['aB: Int64', 'innerOne: DeepOneOneInnerOne']);
    expect(fieldsOf(schema, 'DeepOneOneInnerOne')).toEqual([
      'deep: String',
      'list: [DeepOneOneInnerOneList!]',
    ]);
    const answer = await files.run(
      schema,
      '{ deepOne { one { aB innerOne { deep list { n } } } many { parts { yes } } nothing { gone } } }',
    );
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toMatchObject({
      deepOne: [
        {
          one: { aB: '1', innerOne: { deep: 'x', list: [{ n: '2' }, { n: null }] } },
          many: [{ parts: [{ yes: true }] }, { parts: [] }],
          nothing: null,
        },
      ],
    });
  });

  const fields = [{ name: 'status_code', type: 'INT64' }];
  const sources = { x: [{ name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields }] };

  test('of a source is one type for all its readers, named after its place there', async () => {
    const schema = await files.schema(
      {
        a: { sql: 'SELECT metadata FROM logs.x' },
        b: { settings: 'sandbox: true', sql: 'WITH c AS (SELECT metadata AS m FROM logs.x) SELECT m FROM c' },
      },
      { sources },
    );
    expect(fieldsOf(schema, 'ARow')).toEqual(['metadata: [XMetadata!]']);
    expect(fieldsOf(schema, 'BRow')).toEqual(['m: [XMetadata!]']);
    expect(fieldsOf(schema, 'BCRow')).toEqual(['m: [XMetadata!]']);
    expect(printType(assertObjectType(schema.getType('XMetadata')))).toBe(
      '"""A record of x.metadata"""\ntype XMetadata {\n  """status_code"""\n  statusCode: Int64\n}',
    );
  });

  test('keeps its name whatever endpoints there are besides', async () => {
    const old = { metadata: { sql: 'SELECT metadata FROM logs.x' } };
    const another = { another: { sql: "SELECT metadata, STRUCT('a' AS a) AS other FROM logs.x" } };
    const x = { x: { sql: "SELECT STRUCT('a' AS a, 'b' AS b) AS metadata" } };
    const before = await files.schema(old, { sources });
    const after = await files.schema({ ...another, ...x, ...old }, { sources });
    expect(contractChanges(parseContract(printContract(before)), after)).toEqual([]);
  });

  test('that no source has is named after where it is met first', async () => {
    const sql = 'SELECT STRUCT(1 AS n) AS one';
    const schema = await files.schema({ a: { sql }, b: { sql: sql.replace('one', 'two') } });
    expect(fieldsOf(schema, 'ARow')).toEqual(['one: AOne']);
    expect(fieldsOf(schema, 'BRow')).toEqual(['two: AOne']);
  });

  test('is another type when its fields are named differently, whatever their names hold', async () => {
    const schema = await files.schema({
      a: { sql: 'SELECT STRUCT(1 AS `a INT64, b`) AS r' },
      b: { sql: 'SELECT STRUCT(1 AS a, 2 AS b) AS r' },
    });
    expect(fieldsOf(schema, 'AR')).toEqual(['aInt64B: Int64']);
    expect(fieldsOf(schema, 'BR')).toEqual(['a: Int64', 'b: Int64']);
  });
});

describe('a column that is declared never to be NULL', () => {
  const settings = 'columns: {value: {nullable: false}}';

  test('is non-null', async () => {
    const schema = await files.schema({ e: { settings, sql: 'SELECT 1 AS value' } });
    expect(fieldsOf(schema, 'ERow')).toEqual(['value: Int64!']);
    expect((await files.run(schema, '{ e { value } }')).json).toBe('{"e":[{"value":"1"}]}');
  });

  test.each([
    ['CAST(NULL AS INT64)', 'The column value is NULL in a row, but is declared never to be NULL'],
    ["CAST('nan' AS FLOAT64)", 'The column value is NaN in a row, but is declared never to be NULL'],
    ["JSON 'null'", "The column value is JSON's null in a row, but is declared never to be NULL"],
  ])('is an error where it is %s, and leaves other fields whole', async (sql, message) => {
    const schema = await files.schema({
      e: { settings, sql: `SELECT ${sql} AS value` },
      other: { sql: 'SELECT 1 AS one' },
    });
    const answer = await files.run(schema, '{ e { value } other { one } }');
    expect(answer.json).toBe('{"e":null,"other":[{"one":"1"}]}');
    expect(answer.errors).toMatchObject([
      { message, path: ['e', 0, 'value'], extensions: { code: 'QUERY_FAILED' } },
    ]);
  });
});
