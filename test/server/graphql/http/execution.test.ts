import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { runGraphql } from './support/graphql-gateway.ts';

test('fragments that are spread twice in fragments that are spread twice take no time', async () => {
  const levels = Array.from(
    { length: 60 },
    (_, level) => `fragment F${level} on LogsAllRow { ...F${level + 1} ...F${level + 1} }`,
  );
  const query = `{ logsAll(project: "a") { ...F0 } } ${levels.join('\n')} fragment F60 on LogsAllRow { id }`;
  expect((await (await runGraphql()).post({ query })).json.data).toEqual({ logsAll: [{ id: 'a' }] });
});

test('a document that was checked before is executed with the values and the operation of each request', async () => {
  const gateway = await runGraphql();
  const query =
    'query A($hide: Boolean!) { logsAll(project: "a") { id timestamp @skip(if: $hide) } } query B { __typename }';
  const run = async (operationName: string, variables = {}) =>
    (await gateway.post({ query, operationName, variables })).json.data;
  const all = { logsAll: [{ id: 'a', timestamp: '2023-11-14T22:13:20Z' }] };
  expect(await run('A', { hide: false })).toEqual(all);
  expect(await run('A', { hide: true })).toEqual({ logsAll: [{ id: 'a' }] });
  expect(await run('B')).toEqual({ __typename: 'Query' });
});

test.each([
  ['query ($v: Int64) { logsAll(project: "a", count: $v) { id } }', 2 ** 60, 'has lost digits'],
  ['query ($v: Int64) { logsAll(project: "a", count: $v) { id } }', true, 'expected a string of digits'],
  ['query ($v: String!) { logsAll(project: $v) { id } }', 1, 'String cannot represent a non string value'],
])('to %s the error describes %s', async (query, v, words) => {
  const { json } = await (await runGraphql()).post({ query, variables: { v } });
  expect(json.errors).toMatchObject([{ message: expect.stringContaining(words) }]);
});

test('errors stand before the data', async () => {
  const gateway = await runGraphql({ answer: () => Promise.reject(new GatewayError('FORBIDDEN', 'No.')) });
  const { json } = await gateway.post({ query: '{ logsAll(project: "a") { id } __typename }' });
  expect(Object.keys(json)).toEqual(['errors', 'data', 'extensions']);
});

test.each([
  ['a failure that callers see', () => Promise.reject(new GatewayError('QUERY_FAILED', 'division by zero'))],
  ['a defect', () => Promise.reject(new Error('hunter2'))],
])('%s tells its place in the operation', async (_what, answer) => {
  const query = '# one\r\n{\n  __typename\r  logsAll(project: "a") { id }\n}';
  const { json } = await (await runGraphql({ answer })).post({ query });
  expect(json.errors).toMatchObject([{ path: ['logsAll'], locations: [{ line: 4, column: 3 }] }]);
});
