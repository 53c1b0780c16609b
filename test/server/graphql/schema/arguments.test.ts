import { type GraphQLSchema, isEnumType, printSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redactArgument } from '../../../../src/server/graphql/schema/arguments.ts';
import { EndpointFiles } from './endpoint-files.ts';

/** Each: a type of parameters, its GraphQL type, good values as `[literal, JSON of the result]`, and bad literals. */
const types: readonly (readonly [
  sqlType: string,
  type: string,
  good: readonly (readonly [literal: string, json: string])[],
  bad: readonly string[],
])[] = [
  [
    'STRING',
    'String',
    [
      ['"a\\"b"', '"a\\"b"'],
      ['""', '""'],
      ['"é😀"', '"é😀"'],
    ],
    ['1', 'true', '[]'],
  ],
  [
    'INT64',
    'Int64',
    [
      ['7', '"7"'],
      ['9223372036854775807', '"9223372036854775807"'],
      ['"-9223372036854775808"', '"-9223372036854775808"'],
    ],
    ['9223372036854775808', '"1.5"', '1.5', 'true', '"x"', '{a: 1}'],
  ],
  [
    'FLOAT64',
    'Float',
    [
      ['1', '1'],
      ['-2.5e3', '-2500'],
    ],
    ['"1"', 'true', '1e400'],
  ],
  [
    'NUMERIC',
    'Numeric',
    [
      ['1.5', '"1.5"'],
      ['"99999999999999999999999999999.999999999"', '"99999999999999999999999999999.999999999"'],
    ],
    ['"0.0000000001"', '"x"', 'true'],
  ],
  [
    'BOOL',
    'Boolean',
    [
      ['true', 'true'],
      ['false', 'false'],
    ],
    ['"true"', '1'],
  ],
  [
    'TIMESTAMP',
    'DateTime',
    [
      ['"2025-01-31T10:00:00.123456+01:00"', '"2025-01-31T09:00:00.123456Z"'],
      ['"0001-01-01T00:00:00Z"', '"0001-01-01T00:00:00Z"'],
    ],
    ['"yesterday"', '"2025-02-30T00:00:00Z"', 'true', '12'],
  ],
  ['DATE', 'LocalDate', [['"2024-02-29"', '"2024-02-29"']], ['"2025-02-29"', '"x"', '20250101']],
  [
    'DATETIME',
    'LocalDateTime',
    [['"2025-01-31T10:00:00.5"', '"2025-01-31T10:00:00.500000"']],
    ['"x"', '"2025-13-01T00:00:00"'],
  ],
  ['TIME', 'LocalTime', [['"23:59:59.000001"', '"23:59:59.000001"']], ['"24:00:00"', '1.5']],
  ['BYTES', 'Bytes', [['"AP8="', '"AP8="']], ['"AP8"', '"-"', '1.5']],
  [
    'JSON',
    'JSON',
    [
      [
        '{a: [1, 12345678901234567890, "x", null, true, 1.5]}',
        '{"a":[1,12345678901234567890,"x",null,true,1.5]}',
      ],
      ['"text"', '"text"'],
      ['[]', '[]'],
    ],
    ['{a: SOME}'],
  ],
];

/** Values for variables, beside those of literals; JSON as it would arrive. */
const variables: readonly (readonly [
  sqlType: string,
  type: string,
  json: string,
  result: string | undefined,
])[] = [
  ['INT64', 'Int64', '7', '"7"'],
  ['INT64', 'Int64', '"9223372036854775807"', '"9223372036854775807"'],
  ['INT64', 'Int64', '9007199254740991', '"9007199254740991"'],
  ['INT64', 'Int64', '9007199254740993', undefined],
  ['INT64', 'Int64', '1.5', undefined],
  ['INT64', 'Int64', '[1]', undefined],
  ['FLOAT64', 'Float', '1e3', '1000'],
  ['NUMERIC', 'Numeric', '"0.1"', '"0.1"'],
  ['BOOL', 'Boolean', '"true"', undefined],
  ['TIMESTAMP', 'DateTime', '"2025-01-31T10:00:00Z"', '"2025-01-31T10:00:00Z"'],
  ['TIMESTAMP', 'DateTime', '{}', undefined],
  ['JSON', 'JSON', '{"a":[1,"x",null,{"b":false}]}', '{"a":[1,"x",null,{"b":false}]}'],
  ['JSON', 'JSON', '{"a":12345678901234567890}', undefined],
  ['STRING', 'String', '1', undefined],
];

let files: EndpointFiles;
beforeAll(async () => {
  files = await EndpointFiles.open();
});
afterAll(() => files?.close());

const echo = (sqlType: string) =>
  files.schema({
    e: { settings: `parameters: {v: {type: ${sqlType}}}`, sql: 'SELECT @v AS v, @v IS NULL AS none' },
  });

function argumentTypes(schema: GraphQLSchema, field: string) {
  const args = schema.getQueryType()?.getFields()[field]?.args ?? [];
  const own = args.filter(({ name }) => name !== redactArgument);
  return Object.fromEntries(own.map(({ name, type }) => [name, String(type)]));
}

describe.each(types)('an argument for %s', (sqlType, type, good, bad) => {
  let schema: GraphQLSchema;
  beforeAll(async () => {
    schema = await echo(sqlType);
  });

  test(`is ${type}, and NULL when it is absent or null`, async () => {
    expect(argumentTypes(schema, 'e')).toEqual({ v: type });
    const nothing = '{"v":null,"none":true}';
    const answer = await files.run(
      schema,
      `query ($x: ${type}) { a: e { v none } b: e(v: null) { v none } c: e(v: $x) { v none } }`,
    );
    expect(answer.errors).toBeUndefined();
    expect(answer.json).toBe(`{"a":[${nothing}],"b":[${nothing}],"c":[${nothing}]}`);
  });

  test.each(good)('may be %s', async (literal, json) => {
    const answer = await files.run(schema, `{ e(v: ${literal}) { v } }`);
    expect(answer.errors).toBeUndefined();
    expect(answer.json).toBe(`{"e":[{"v":${json}}]}`);
  });

  test.each(bad)("can't be %s", async (literal) => {
    const { errors, data } = await files.run(schema, `{ e(v: ${literal}) { v } }`);
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.message).not.toMatch(/DuckDB|undefined|\[object/);
    // Validation refuses the whole operation; what it can't see is the field's own failure.
    if (data !== undefined) {
      expect(data).toEqual(expect.objectContaining({ e: null }));
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument: 'v' } }]);
    }
  });
});

describe('a variable', () => {
  test.each(variables)('for %s as %s with %s gives %s', async (sqlType, type, json, result) => {
    const source = `query ($v: ${type}) { e(v: $v) { v } }`;
    const answer = await files.run(await echo(sqlType), source, { v: JSON.parse(json) });
    if (result === undefined) {
      expect(answer.errors).toHaveLength(1);
      expect(answer.data?.e ?? null).toBeNull();
    } else {
      expect(answer.errors).toBeUndefined();
      expect(answer.json).toBe(`{"e":[{"v":${result}}]}`);
    }
  });
});

describe('an argument', () => {
  test('with allowed values is an enumeration', async () => {
    const schema = await files.schema({
      'color.of': {
        settings: 'parameters: {shade: {required: true, values: [dark-blue, "7", "true", "a b", X]}}',
        sql: 'SELECT @shade AS shade',
      },
    });
    expect(argumentTypes(schema, 'colorOf')).toEqual({ shade: 'ColorOfShade!' });
    const type = schema.getType('ColorOfShade');
    expect(isEnumType(type) && type.getValues().map(({ name }) => name)).toEqual([
      'DARK_BLUE',
      '_7',
      'TRUE',
      'A_B',
      'X',
    ]);
    const answer = await files.run(
      schema,
      'query ($s: ColorOfShade!) { a: colorOf(shade: DARK_BLUE) { shade } b: colorOf(shade: $s) { shade } }',
      { s: '_7' },
    );
    expect(answer.json).toBe('{"a":[{"shade":"dark-blue"}],"b":[{"shade":"7"}]}');
    for (const bad of ['"dark-blue"', 'dark_blue', '"DARK_BLUE"', 'null']) {
      const refused = await files.run(schema, `{ colorOf(shade: ${bad}) { shade } }`);
      expect(refused.errors).toHaveLength(1);
      expect(refused.data).toBeUndefined();
    }
  });

  test('with allowed values may be of another type, and optional', async () => {
    const schema = await files.schema({
      e: { settings: 'parameters: {n: {type: INT64, values: [1, 24]}}', sql: 'SELECT @n AS next' },
    });
    const answer = await files.run(schema, '{ a: e(n: _24) { next } b: e { next } }');
    expect(answer.json).toBe('{"a":[{"next":"24"}],"b":[{"next":null}]}');
  });

  test('that is required is non-null, and an empty text is refused by name', async () => {
    const schema = await files.schema({
      e: { settings: 'parameters: {project_id: {required: true}}', sql: 'SELECT @project_id AS p' },
    });
    expect(argumentTypes(schema, 'e')).toEqual({ projectId: 'String!' });
    expect((await files.run(schema, '{ e { p } }')).data).toBeUndefined();
    expect((await files.run(schema, '{ e(projectId: "") { p } }')).errors).toMatchObject([
      { path: ['e'], extensions: { code: 'BAD_USER_INPUT', argument: 'projectId' } },
    ]);
  });

  test('may be named otherwise than its parameter, and described', async () => {
    const schema = await files.schema({
      e: {
        settings: 'parameters: {iso_start: {argument: start, description: From when.}}',
        sql: 'SELECT @iso_start AS s',
      },
    });
    const args = schema.getQueryType()?.getFields().e?.args ?? [];
    expect(args.find(({ name }) => name !== redactArgument)).toMatchObject({
      name: 'start',
      description: 'iso_start: From when.',
    });
    expect((await files.run(schema, '{ e(start: "x") { s } }')).json).toBe('{"e":[{"s":"x"}]}');
  });
});

describe('a list', () => {
  const endpoint = {
    settings: `parameters:
  n: {type: ARRAY<INT64>, min: 1, default: [1, 2]}
  s: {type: ARRAY<STRING>, maxItems: 2, description: Some texts.}
  j: {type: ARRAY<JSON>}
  c: {type: ARRAY<STRING>, values: [red, dark-blue], default: [dark-blue]}
  x: {type: JSON, default: '{"a":1}'}
  r: {type: ARRAY<BOOL>, required: true}`,
    sql: 'SELECT @n AS n, @s AS s, @j AS j, @c AS c, @x AS x, @r AS r',
  };

  test('is the type of an array, with its default and its rules', async () => {
    const schema = await files.schema({ e: endpoint });
    expect(argumentTypes(schema, 'e')).toEqual({
      ...{ n: '[Int64!]', s: '[String!]', j: '[JSON]', c: '[EC!]', x: 'JSON', r: '[Boolean!]!' },
    });
    const printed = printSchema(schema);
    expect(printed).toContain('n: [Int64!] = ["1", "2"]');
    expect(printed).toContain('c: [EC!] = [DARK_BLUE]');
    expect(printed).toContain('n (at most 1,000 elements; each at least 1)');
    expect(printed).toContain('s: Some texts. (at most 2 elements)');
    expect(printed).toContain('x (default {"a":1})');
  });

  test('may be a literal or a variable, and a missing one has its default', async () => {
    const schema = await files.schema({ e: endpoint });
    const answer = await files.run(
      schema,
      `query ($n: [Int64!], $absent: [Int64!]) {
        a: e(r: [true]) { n s c x r }
        b: e(r: [false, true], n: $n, s: [], j: [null, {k: "v"}], c: [RED, RED], x: [1]) { n s j c x r }
        c: e(r: true, n: $absent, s: null) { n s }
      }`,
      { n: [3, '4'] },
    );
    expect(answer.errors).toBeUndefined();
    expect(JSON.parse(answer.json)).toEqual({
      a: [{ n: ['1', '2'], s: [], c: ['dark-blue'], x: { a: 1 }, r: [true] }],
      b: [{ n: ['3', '4'], s: [], j: [null, { k: 'v' }], c: ['red', 'red'], x: [1], r: [false, true] }],
      c: [{ n: ['1', '2'], s: [] }],
    });
  });

  test.each([
    ['n: [1, 0]', 'n', 'Parameter "n", element 2 must be at least 1 (min), not "0".'],
    ['s: ["a", "b", "c"]', 's', 'Parameter "s" may have at most 2 elements (maxItems), got 3.'],
    ['r: []', 'r', 'Parameter "r" is required.'],
  ])('%s is refused', async (given, argument, message) => {
    const schema = await files.schema({ e: endpoint });
    const call = given.startsWith('r') ? given : `r: true, ${given}`;
    const { errors } = await files.run(schema, `{ e(${call}) { n } }`);
    expect(errors).toMatchObject([
      { message, path: ['e'], extensions: { code: 'BAD_USER_INPUT', argument } },
    ]);
  });
});

test('a missing argument with a default has the value that the key of its caller pins', async () => {
  const schema = await files.schema({
    e: { settings: 'parameters: {n: {type: INT64, default: 1}}', sql: 'SELECT @n AS n' },
  });
  const bounds = { pins: new Map([['n', '7']]) };
  const answer = await files.run(
    schema,
    'query ($absent: Int64) { a: e { n } b: e(n: $absent) { n } c: e(n: "7") { n } d: e(n: "1") { n } }',
    {},
    bounds,
  );
  expect(answer.json).toBe('{"a":[{"n":"7"}],"b":[{"n":"7"}],"c":[{"n":"7"}],"d":null}');
  expect(answer.errors).toMatchObject([{ path: ['d'], extensions: { code: 'FORBIDDEN' } }]);
});

describe('the argument limit of a table', () => {
  const endpoint = {
    settings: 'sandbox: true\nmaxRows: 3',
    sql: 'WITH n AS (SELECT x, TIMESTAMP_SECONDS(x) AS timestamp FROM UNNEST([1, 2, 3, 4]) AS x) SELECT x FROM n',
  };

  test('cuts the newest rows off, and says so', async () => {
    const schema = await files.schema({ e: endpoint });
    const answer = await files.run(schema, '{ eTables { a: n(limit: 2) { x } b: n { x } } }');
    expect(answer.json).toBe('{"eTables":{"a":[{"x":"4"},{"x":"3"}],"b":[{"x":"4"},{"x":"3"},{"x":"2"}]}}');
    expect(answer.calls.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toMatchObject([
      { path: 'eTables.a', endpoint: 'e', rows: 2, truncated: true },
      { path: 'eTables.b', endpoint: 'e', rows: 3, truncated: true },
    ]);
  });

  test.each(['0', '-1', '4', '2147483647'])("can't be %s", async (limit) => {
    const schema = await files.schema({ e: endpoint });
    const answer = await files.run(
      schema,
      `{ eTables { bad: n(limit: ${limit}) { x } good: n(limit: 1) { x } } }`,
    );
    expect(answer.json).toBe('{"eTables":{"bad":null,"good":[{"x":"4"}]}}');
    expect(answer.errors).toMatchObject([
      { path: ['eTables', 'bad'], extensions: { code: 'BAD_USER_INPUT', argument: 'limit' } },
    ]);
  });
});
