import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { codes, graphqlResponse, runGraphql } from './support/graphql-gateway.ts';

test('every audit of GraphQL over HTTP passes: MUST, SHOULD and MAY', async () => {
  const { url } = await runGraphql();
  const audits = serverAudits({
    url: `${url}/graphql`,
    fetchFn: (target: string, init: RequestInit = {}) =>
      fetch(target, { ...init, headers: { ...init.headers, 'X-API-KEY': 'key' } }),
  });
  const results = await Promise.all(audits.map(({ fn }) => fn()));
  expect(results.length).toBeGreaterThan(50);
  expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
});

test.each([
  ['application/graphql-response+json', graphqlResponse],
  ['application/graphql-response+json, application/json;q=0.9', graphqlResponse],
  ['application/json, application/graphql-response+json', graphqlResponse],
  ['application/json, application/graphql-response+json;q=0.5', 'application/json'],
  ['application/graphql-response+json;q=0, */*', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['multipart/mixed, text/plain', 'application/json'],
  ['application/json; charset=utf-16', 'application/json'],
  [';;q=,,=', 'application/json'],
])('to a client that accepts %s the answer is %s', async (accept, type) => {
  const gateway = await runGraphql();
  for (const query of ['{ __typename }', '{']) {
    const reply = await gateway.post({ query }, { Accept: accept });
    expect(reply.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(reply.headers.get('vary')).toContain('Accept');
  }
});

test('an invalid operation has status 400 in the new media type and 200 in the old one', async () => {
  const gateway = await runGraphql();
  for (const body of [
    { query: '{' },
    { query: '{ nothing }' },
    { query: '{ __typename }', operationName: 'other' },
    { query: 'query ($p: String!) { logsAll(project: $p) { id } }' },
  ]) {
    expect((await gateway.post(body, { Accept: graphqlResponse })).status).toBe(400);
    expect((await gateway.post(body)).status).toBe(200);
  }
});

test('a client that asks for events is told by one what is wrong with an operation', async () => {
  const gateway = await runGraphql();
  for (const [query, code] of [
    ['subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ] as const) {
    const { status, text } = await gateway.post({ query }, { Accept: 'text/event-stream' });
    expect(status).toBe(200);
    const [, data] = /^event: next\ndata: (.*)\n\nevent: complete\n/.exec(text) ?? [];
    expect(JSON.parse(data ?? '{}')).toMatchObject({ errors: [{ extensions: { code } }] });
  }
});

test('a batch is answered in order, each operation separately', async () => {
  const gateway = await runGraphql();
  const reply = await gateway.post([
    { query: '{ apiCounts(interval: DAILY) { total } }' },
    { query: '{' },
    { query: 'query A { __typename } query B { b: __typename }', operationName: 'B' },
  ]);
  expect(reply.status).toBe(200);
  const [first, second, third] = JSON.parse(reply.text);
  expect(first.data).toEqual({ apiCounts: [{ total: '7' }] });
  expect(second.errors[0].extensions.code).toBe('GRAPHQL_PARSE_FAILED');
  expect(third.data).toEqual({ b: 'Query' });
});

test.each([
  ['a number', 1],
  ['a text', 'query'],
  ['null', null],
  ['an array of what is no operation', [1]],
  ['an empty batch', []],
  ['a batch in a batch', [[{ query: '{ __typename }' }]]],
  ['no operation', {}],
  ['an operation that is no text', { query: { a: 1 } }],
  ['variables that are a text', { query: '{ __typename }', variables: '{}' }],
  ['variables that are an array', { query: '{ __typename }', variables: [] }],
  ['an operation name that is no text', { query: '{ __typename }', operationName: 1 }],
  ['extensions that are no object', { query: '{ __typename }', extensions: true }],
])('a body that holds %s is refused with 400', async (_what, body) => {
  const reply = await (await runGraphql()).post(body);
  expect(reply.status).toBe(400);
  expect(codes(reply)).toEqual(['BAD_USER_INPUT']);
});

test('the message names the parameter that is malformed', async () => {
  const gateway = await runGraphql();
  const query = '{ __typename }';
  const message = async (body: object) => (await gateway.post(body)).json.errors?.[0]?.message;
  expect(await message({ query, variables: 1 })).toBe('The parameter "variables" must be a JSON object.');
  expect(await message({ query, operationName: [] })).toBe('The parameter "operationName" must be a string.');
  expect(await message({ variables: {} })).toContain('"query"');
  const reply = await gateway.fetch('/graphql?query={__typename}&variables={');
  expect(reply.json.errors?.[0]?.message).toBe('The parameter "variables" is not valid JSON.');
});

test('parameters that are null count as absent, and ones that GraphQL has not are ignored', async () => {
  const gateway = await runGraphql();
  const body = { query: '{ __typename }', operationName: null, variables: null, extensions: null, id: 1 };
  expect((await gateway.post(body)).json.data).toEqual({ __typename: 'Query' });
});

test('GET takes the operation from the query string, percent-encoded or as a form would encode it', async () => {
  const gateway = await runGraphql();
  const parameters = new URLSearchParams({
    query: 'query A($project: String!) { logsAll(project: $project) { id } } query B { __typename }',
    operationName: 'A',
    variables: '{"project":"größe + 1"}',
  });
  const reply = await gateway.fetch(`/graphql?${parameters}`);
  expect(reply.json.data).toEqual({ logsAll: [{ id: 'a' }] });
  expect(gateway.calls[0]?.parameters.get('project')).toBe('größe + 1');
});

test.each(['query=%ff', 'query=%zz', 'variables=1', 'variables={', 'extensions=x', '', 'query='])(
  'GET ?%s is refused with 400',
  async (query) => {
    const reply = await (await runGraphql()).fetch(`/graphql?${query}`);
    expect([reply.status, ...codes(reply)]).toEqual([400, 'BAD_USER_INPUT']);
  },
);

test('GET runs queries only', async () => {
  const reply = await (await runGraphql()).fetch('/graphql?query=mutation{__typename}');
  expect([reply.status, ...codes(reply)]).toEqual([405, 'METHOD_NOT_ALLOWED']);
});

test('a URL that is too long is refused with 414', async () => {
  const reply = await (await runGraphql()).fetch(`/graphql?query={__typename}%23${'x'.repeat(17_000)}`);
  expect([reply.status, ...codes(reply)]).toEqual([414, 'URI_TOO_LONG']);
});

test.each(['PUT', 'DELETE', 'PATCH'])(
  '%s is refused with 405 and the methods that there are',
  async (method) => {
    const reply = await (await runGraphql()).fetch('/graphql', { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, POST, OPTIONS');
  },
);
