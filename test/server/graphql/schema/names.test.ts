import fc from 'fast-check';
import { assertName, GraphQLEnumType, type GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enumMember, fieldName, typeName } from '../../../../src/base/text/graphql-names.ts';
import { EndpointFiles } from './endpoint-files.ts';

describe('a name of SQL', () => {
  test.each([
    ['usage.api-counts', 'usageApiCounts', 'UsageApiCounts', 'USAGE_API_COUNTS'],
    ['weird-name.v2', 'weirdNameV2', 'WeirdNameV2', 'WEIRD_NAME_V2'],
    ['reports: daily 100%', 'reportsDaily100', 'ReportsDaily100', 'REPORTS_DAILY_100'],
    ['total_rest_requests', 'totalRestRequests', 'TotalRestRequests', 'TOTAL_REST_REQUESTS'],
    ['dark-blue', 'darkBlue', 'DarkBlue', 'DARK_BLUE'],
    ['asOrganization', 'asOrganization', 'AsOrganization', 'ASORGANIZATION'],
    ['ID', 'id', 'Id', 'ID'],
    ['user_ID', 'userId', 'UserId', 'USER_ID'],
    ['HTTPStatus', 'httpStatus', 'HTTPStatus', 'HTTPSTATUS'],
    ['f0_', 'f0', 'F0', 'F0'],
    ['_field_1', '_field1', 'Field1', 'FIELD_1'],
    ['__x', '_x', 'X', 'X'],
    ['7 days', '_7Days', '_7Days', '_7_DAYS'],
    ['-', undefined, '_', undefined],
    ['größe', undefined, '_', undefined],
    ['x²', undefined, '_', undefined],
  ])('%s is the field %s, the type %s and the member %s', (name, field, type, member) => {
    expect([fieldName(name), typeName(name), enumMember(name)]).toEqual([field, type, member]);
  });

  test('becomes a name that GraphQL accepts and has no other meaning for, or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' }), (any, ascii) => {
        for (const name of [fieldName(any), fieldName(ascii), enumMember(any), enumMember(ascii)]) {
          if (name === undefined) continue;
          expect(assertName(name)).toBe(name);
          expect(name).not.toMatch(/^__/);
        }
      }),
    );
  });
});

describe('endpoints of odd names', () => {
  let files: EndpointFiles;
  beforeAll(async () => {
    files = await EndpointFiles.open();
  });
  afterAll(() => files?.close());

  test('are fields that can be called', async () => {
    const schema = await files.schema({
      'weird-name.v2': { sql: 'SELECT 1 AS `Some Thing`' },
      'reports: daily 100%': {
        settings: 'parameters: {c: {values: [dark-blue]}}',
        sql: 'SELECT @c AS c',
      },
      '"quoted" \\ {}': { sql: 'SELECT 2 AS n' },
    });
    const answer = await files.run(
      schema,
      '{ weirdNameV2 { someThing } reportsDaily100(c: DARK_BLUE) { c } quoted { n } endpoints { name field } }',
    );
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toEqual({
      weirdNameV2: [{ someThing: '1' }],
      reportsDaily100: [{ c: 'dark-blue' }],
      quoted: [{ n: '2' }],
      endpoints: [
        { name: 'weird-name.v2', field: 'weirdNameV2' },
        { name: 'reports: daily 100%', field: 'reportsDaily100' },
        { name: '"quoted" \\ {}', field: 'quoted' },
      ],
    });
  });

  test('have columns without a name, counted as on REST', async () => {
    const schema = await files.schema({ e: { sql: "SELECT 'x', 1 AS one, 2, STRUCT(3, 4 AS four)" } });
    const answer = await files.run(schema, '{ e { f0 one f1 f2 { _field1 four } } }');
    expect(answer.json).toBe('{"e":[{"f0":"x","one":"1","f1":"2","f2":{"_field1":"3","four":"4"}}]}');
  });

  test('may have names of their own in GraphQL', async () => {
    const schema = await files.schema({
      größe: {
        settings: `sandbox: true
graphql: {field: size, tables: sizeParts}
parameters: {n_1: {argument: count, type: INT64}}
columns: {straße: {field: street, description: Where.}}`,
        sql: 'WITH t AS (SELECT @n_1 AS n) SELECT t.n AS `straße` FROM t',
      },
    });
    const answer = await files.run(schema, '{ size(count: 1) { street } sizeParts(count: 2) { t { n } } }');
    expect(answer.errors).toBeUndefined();
    expect(answer.json).toBe('{"size":[{"street":"1"}],"sizeParts":{"t":[{"n":"2"}]}}');
    const row = schema.getType('SizeRow') as GraphQLObjectType;
    expect(row.getFields().street?.description).toBe('straße: Where.');
  });

  test.each([
    ['mutation', 'Mutation2'],
    ['subscription', 'Subscription2'],
    ['query', 'Query2'],
    ['_', '_'],
  ])('make no root type of the tables that are set to be the field %s', async (tables, type) => {
    const e = {
      settings: `sandbox: true\ngraphql: {tables: ${tables}}`,
      sql: 'WITH t AS (SELECT 1 AS n) SELECT n FROM t',
    };
    const schema = await files.schema({ e });
    expect(String(schema.getQueryType()?.getFields()[tables]?.type)).toBe(type);
    expect(schema.getMutationType()).toBeUndefined();
    expect(Object.keys(schema.getSubscriptionType()?.getFields() ?? {})).not.toContain(tables);
    expect((await files.run(schema, `{ ${tables} { t { n } } }`)).json).toBe(
      `{"${tables}":{"t":[{"n":"1"}]}}`,
    );
  });

  test('do not take the names of types that others have', async () => {
    const schema = await files.schema({
      a: { settings: 'parameters: {row: {values: [x]}}', sql: 'SELECT @row AS r, STRUCT(1 AS n) AS row' },
      endpoint_column: { settings: 'parameters: {row: {values: [y]}}', sql: 'SELECT @row AS r' },
    });
    const names = Object.keys(schema.getTypeMap());
    expect(new Set(names).size).toBe(names.length);
    expect(schema.getType('ARow')).toBeInstanceOf(GraphQLEnumType);
    expect((await files.run(schema, '{ a(row: X) { r row { n } } endpointColumn(row: Y) { r } }')).json).toBe(
      '{"a":[{"r":"x","row":{"n":"1"}}],"endpointColumn":[{"r":"y"}]}',
    );
  });
});
