import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { type GraphqlGateway, type GraphqlReply, runGraphql } from './support/graphql-gateway.ts';

/** Operations are compiled when they come again, and take a short way from the third time on. */
async function rounds(
  query: string,
  variables: object = {},
  given?: GraphqlGateway,
): Promise<GraphqlReply[]> {
  const gateway = given ?? (await runGraphql());
  const replies: GraphqlReply[] = [];
  for (let round = 0; round < 4; round++) replies.push(await gateway.post({ query, variables }));
  return replies;
}

test.each([
  [
    'a fragment that is spread twice, on different conditions',
    `query ($a: Boolean!, $b: Boolean!) { logsAll(project: "a") { id ...F @include(if: $a) ...F @include(if: $b) } }
    fragment F on LogsAllRow { timestamp }`,
    { a: false, b: true },
    { logsAll: [{ id: 'a', timestamp: '2023-11-14T22:13:20Z' }] },
  ],
  [
    'a fragment in two places, in one on a condition',
    `query ($a: Boolean!) { x: apiCounts(interval: DAILY) { ...F @include(if: $a) __typename }
    y: apiCounts(interval: DAILY) { ...F } } fragment F on ApiCountsRow { total }`,
    { a: false },
    { x: [{ __typename: 'ApiCountsRow' }], y: [{ total: '7' }] },
  ],
  [
    'a list that is selected twice, once on a condition',
    `query ($a: Boolean!) { logsAll(project: "a") { metadata @include(if: $a) { ...F } metadata { __typename } } }
    fragment F on LogsAllMetadata { path }`,
    { a: false },
    { logsAll: [{ metadata: [{ __typename: 'LogsAllMetadata' }] }] },
  ],
  [
    'a variable that is required but for its default value',
    'query ($interval: ApiCountsInterval! = DAILY) { apiCounts(interval: $interval) { total } }',
    {},
    { apiCounts: [{ total: '7' }] },
  ],
  [
    'a variable with a default value for what must not be null',
    'query ($limit: Int = 1) { logsAllTables(project: "a") { edgeLogs(limit: $limit) { id } } }',
    {},
    { logsAllTables: { edgeLogs: [{ id: 'a' }] } },
  ],
  [
    'fragments that are spread twice without conditions',
    `{ x: logsAll(project: "a") { ...F ...F } y: logsAll(project: "a") { ...F } }
    fragment F on LogsAllRow { id metadata { path } }`,
    {},
    { x: [{ id: 'a', metadata: [{ path: '/rest' }] }], y: [{ id: 'a', metadata: [{ path: '/rest' }] }] },
  ],
])('the answer is the same each time for %s', async (_what, query, variables, data) => {
  for (const { json } of await rounds(query, variables)) {
    expect(json.errors).toBeUndefined();
    expect(json.data).toEqual(data);
  }
});

test('fragments that are spread twice in fragments that are spread twice take no time each time', async () => {
  const levels = Array.from(
    { length: 60 },
    (_, level) => `fragment F${level} on LogsAllRow { ...F${level + 1} ...F${level + 1} }`,
  );
  const query = `{ logsAll(project: "a") { ...F0 } } ${levels.join('\n')} fragment F60 on LogsAllRow { id }`;
  for (const { json } of await rounds(query)) expect(json.data).toEqual({ logsAll: [{ id: 'a' }] });
});

test.each([
  ['query ($v: Int64) { logsAll(project: "a", count: $v) { id } }', 2 ** 60, 'has lost digits'],
  ['query ($v: Int64) { logsAll(project: "a", count: $v) { id } }', true, 'expected a string of digits'],
  ['query ($v: String!) { logsAll(project: $v) { id } }', 1, 'String cannot represent a non string value'],
])('to %s what is wrong with %s is said the same each time', async (query, v, words) => {
  const [first, ...others] = await rounds(query, { v });
  expect(first?.json.errors).toMatchObject([{ message: expect.stringContaining(words) }]);
  for (const { json } of others) expect(json.errors).toEqual(first?.json.errors);
});

test.each([
  ['all of an answer', '{ logsAll(project: "a") { id } }'],
  ['a part of one', '{ logsAll(project: "a") { id } __typename }'],
])('errors in the place of %s stand where they stood the first time', async (_what, query) => {
  const gateway = await runGraphql({ answer: () => Promise.reject(new GatewayError('FORBIDDEN', 'No.')) });
  for (const { json } of await rounds(query, {}, gateway)) {
    expect(Object.keys(json)).toEqual(['errors', 'data', 'extensions']);
  }
});

test.each([
  ['a failure that callers see', () => Promise.reject(new GatewayError('QUERY_FAILED', 'division by zero'))],
  ['a defect', () => Promise.reject(new Error('hunter2'))],
])('%s tells its place in the operation each time', async (_what, answer) => {
  const query = '# one\r\n{\n  __typename\r  logsAll(project: "a") { id }\n}';
  for (const { json } of await rounds(query, {}, await runGraphql({ answer }))) {
    expect(json.errors).toMatchObject([{ path: ['logsAll'], locations: [{ line: 4, column: 3 }] }]);
  }
});
