import { expect, test } from 'vitest';
import type { GraphqlSettings } from '../../../../src/server/graphql/http/graphql-handler.ts';
import { computedMs } from '../../../support/computed-ms.ts';
import { codes, graphqlResponse, runGraphql } from '../http/support/graphql-gateway.ts';

/** The text as often as told. */
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const call = (alias: string) => `${alias}: logsAll(project: "a") { id }`;
const validation = 'GRAPHQL_VALIDATION_FAILED';

test.each<[string, Partial<GraphqlSettings>, string, string, string]>([
  [
    'tokens',
    { graphqlMaxTokens: 8 },
    '{ a: __typename b: __typename }',
    '{ a: __typename b: __typename c }',
    'GRAPHQL_PARSE_FAILED',
  ],
  [
    'levels',
    { graphqlMaxDepth: 2 },
    '{ endpoints { name } }',
    '{ endpoints { columns { name } } }',
    validation,
  ],
  ['aliases', { graphqlMaxAliases: 1 }, '{ a: __typename }', '{ a: __typename b: __typename }', validation],
  [
    'directives',
    { graphqlMaxDirectives: 1 },
    '{ __typename @skip(if: false) }',
    '{ __typename @skip(if: false) @include(if: true) }',
    validation,
  ],
  ['calls', { graphqlMaxCalls: 1 }, `{ ${call('a')} }`, `{ ${call('a')} ${call('b')} }`, validation],
  [
    'calls of tables',
    { graphqlMaxCalls: 1 },
    '{ logsAllTables(project: "a") { edgeLogs { id } } }',
    '{ logsAllTables(project: "a") { edgeLogs { id } authLogs { id } } }',
    validation,
  ],
])(
  'the limit of %s is as set: what reaches it runs, what exceeds it does not',
  async (_what, settings, at, above, code) => {
    const gateway = await runGraphql({ settings });
    expect((await gateway.post({ query: at })).json).not.toHaveProperty('errors');
    const before = gateway.calls.length;
    for (let round = 0; round < 3; round++) {
      const reply = await gateway.post({ query: above }, { Accept: graphqlResponse });
      expect([reply.status, ...codes(reply)]).toEqual([400, code]);
    }
    expect(gateway.calls).toHaveLength(before);
  },
);

test('the limit of operations in a batch is as set, and nothing of a larger one runs', async () => {
  const gateway = await runGraphql({ settings: { graphqlMaxBatch: 2 } });
  const operation = { query: `{ ${call('a')} }` };
  expect(JSON.parse((await gateway.post([operation, operation])).text)).toHaveLength(2);
  const reply = await gateway.post([operation, operation, operation]);
  expect([reply.status, ...codes(reply)]).toEqual([400, 'BAD_USER_INPUT']);
  expect(gateway.calls).toHaveLength(2);
});

test('limits hold for every operation of a document, whichever is to run', async () => {
  const gateway = await runGraphql({ settings: { graphqlMaxCalls: 1 } });
  const query = `query Small { __typename } query Large { ${call('a')} ${call('b')} }`;
  expect(codes(await gateway.post({ query, operationName: 'Small' }))).toEqual([validation]);
});

test('limits hold for each operation of a batch', async () => {
  const gateway = await runGraphql({ settings: { graphqlMaxAliases: 1 } });
  const reply = await gateway.post([
    { query: '{ a: __typename }' },
    { query: '{ a: __typename b: __typename }' },
  ]);
  expect(JSON.parse(reply.text)).toMatchObject([
    { data: { a: 'Query' } },
    { errors: [{ extensions: { code: validation } }] },
  ]);
});

test.each<[string, string]>([
  ['fragments that spread each other', 'fragment A on Query { ...B } fragment B on Query { ...A } { ...A }'],
  [
    'a fragment that spreads itself below a field',
    'fragment A on Endpoint { columns { ...C } } fragment C on EndpointColumn { ...A } { endpoints { ...A } }',
  ],
  [
    'a ring of 300 fragments',
    `${times(300, (i) => `fragment F${i} on Query { ...F${(i + 1) % 300} }`)} { ...F0 }`,
  ],
  [
    'fragments that all spread all',
    `${times(40, (i) => `fragment F${i} on Query { ${times(40, (j) => `...F${j}`)} }`)} { ...F0 }`,
  ],
  [
    'calls doubled by 200 levels of fragments',
    `${times(200, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F200 on Query { ${call('a')} } { ...F0 }`,
  ],
  ['a flood of one field', `{ ${times(4_900, () => '__typename')} }`],
  ['a flood of one record', `{ ${times(600, () => 'endpoints { columns { name } }')} }`],
  ['a flood of unknown fields', `{ ${times(4_900, (i) => `f${i}`)} }`],
  [
    'a flood of fragments',
    `${times(400, (i) => `fragment F${i} on Query { endpoints { name } }`)} { ${times(400, (i) => `...F${i}`)} }`,
  ],
  ['a flood of directives', `{ __typename ${times(2_400, () => '@skip')} }`],
  ['a flood of arguments', `{ logsAll(${times(1_600, (i) => `a${i}: 1`)}) { id } }`],
  ['a flood of unused variables', `query (${times(1_200, (i) => `$v${i}: Int`)}) { __typename }`],
  [
    'deep lists',
    `{ apiCounts(interval: DAILY, filter: ${'['.repeat(2_400)}${']'.repeat(2_400)}) { total } }`,
  ],
  ['more tokens than allowed, as 1 MB', `{ ${times(80_000, () => '__typename')} }`],
  ['one name of 900 kB', `{ ${'a'.repeat(900_000)} }`],
  [
    'introspection of types of types of types',
    '{ __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }',
  ],
])('%s: refused within a second, without a call and without a defect', async (_what, query) => {
  const gateway = await runGraphql({ settings: { graphqlMaxDepth: 20 } });
  const start = computedMs();
  const reply = await gateway.post({ query }, { Accept: graphqlResponse });
  expect(computedMs() - start).toBeLessThan(1_000);
  expect(reply.status).toBe(400);
  expect(codes(reply)[0]).toMatch(/^GRAPHQL_(PARSE|VALIDATION)_FAILED$/);
  expect(reply.text.length).toBeLessThan(2_000_000);
  expect(gateway.calls).toEqual([]);
  expect(gateway.log).toEqual([]);
});

test.each<[string, string]>([
  [
    'fields doubled by 18 levels of fragments',
    `${times(18, (i) => `fragment F${i} on Query { endpoints { name } ...F${i + 1} ...F${i + 1} }`)} fragment F18 on Query { __typename } { ...F0 }`,
  ],
  ['1,600 fragments inside each other', `{ ${'... { '.repeat(1_600)} __typename ${'}'.repeat(1_600)} }`],
  ['a comment of 900 kB', `{ __typename #${'a'.repeat(900_000)}\n }`],
  [
    '300 operations that share a fragment',
    `${times(300, (i) => `query Q${i} { ...F }`)} query Run { __typename } fragment F on Query { __typename }`,
  ],
])('%s: harmless, and answered within a second however often it comes', async (_what, query) => {
  const gateway = await runGraphql();
  const operationName = query.includes('query Run') ? 'Run' : undefined;
  for (let round = 0; round < 4; round++) {
    const start = computedMs();
    const reply = await gateway.post({ query, operationName });
    expect(computedMs() - start).toBeLessThan(1_000);
    expect(reply.json.data).toMatchObject({ __typename: 'Query' });
  }
  expect(gateway.log).toEqual([]);
});

test.each([
  ['lists', 400_000, '[', ']'],
  ['lists', 101, '[', ']'],
  ['objects', 150_000, '{"a":', '}'],
])('%s in variables that are nested %d deep are refused', async (_what, depth, open, close) => {
  const gateway = await runGraphql();
  const reply = await gateway.fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `{"query":"{ __typename }","variables":{"v":${open.repeat(depth)}1${close.repeat(depth)}}}`,
  });
  expect([reply.status, ...codes(reply)]).toEqual([400, 'BAD_USER_INPUT']);
});

test('lists in variables are refused where none belong, and kept where any JSON does', async () => {
  const gateway = await runGraphql();
  const variables = { v: JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`) };
  for (let round = 0; round < 3; round++) {
    for (const query of [
      'query ($v: String!) { logsAll(project: $v) { id } }',
      'query ($v: Int64) { logsAll(project: "a", count: $v) { id } }',
    ]) {
      expect(codes(await gateway.post({ query, variables }))).toEqual(['BAD_USER_INPUT']);
    }
  }
  expect(gateway.calls).toEqual([]);
  const query = 'query ($v: JSON) { apiCounts(interval: DAILY, filter: $v) { total } }';
  expect((await gateway.post({ query, variables })).json.data).toEqual({ apiCounts: [{ total: '7' }] });
  expect(gateway.calls[0]?.parameters.get('filter')).toBe(JSON.stringify(variables.v));
});

test('with introspection off the schema is hidden, also in suggestions', async () => {
  const gateway = await runGraphql({ settings: { graphqlIntrospection: false } });
  for (const query of ['{ __schema { types { name } } }', '{ __type(name: "Query") { name } }']) {
    expect(codes(await gateway.post({ query }))).toContain(validation);
  }
  expect((await gateway.post({ query: '{ logsAl { id } }' })).text).not.toMatch(/Did you mean|logsAll/);
  expect((await gateway.post({ query: '{ __typename }' })).json.data).toEqual({ __typename: 'Query' });
});

test('with introspection on clients get the schema, and suggestions', async () => {
  const gateway = await runGraphql();
  const { json } = await gateway.post({ query: '{ __schema { queryType { name } } }' });
  expect(json.data).toEqual({ __schema: { queryType: { name: 'Query' } } });
  expect((await gateway.post({ query: '{ logsAl { id } }' })).text).toContain('logsAll');
});
