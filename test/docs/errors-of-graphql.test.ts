import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { errorCatalogue } from '../../src/base/errors/errors.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { keyAccess } from '../../src/calls/access/authentication/access.ts';
import { endpointCatalog } from '../../src/definitions/endpoints/endpoint-catalog.ts';
import { createGatewayServer } from '../../src/server/listener/gateway.ts';

/** A gateway without endpoints: what it refuses has nothing to do with them. */
async function listen(): Promise<string> {
  const nobody = () => Promise.reject(new Error('there is nothing to run'));
  const server = createGatewayServer({
    access: keyAccess([
      { name: 'reader', secret: 'key', redact: false, scopes: new Set(['query'] as const) },
    ]),
    endpoints: endpointCatalog([]),
    shape: { endpoints: [] },
    executor: { execute: nobody, stream: nobody, estimate: nobody },
    clock: systemClock,
    receiveRows: nobody,
    log: { info() {}, warn() {}, error() {} },
    config: readConfig({}),
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());
  return url;
}

const json = { 'Content-Type': 'application/json' };
const query = (text: string, rest: object = {}) => JSON.stringify({ query: text, ...rest });
const batch = (length: number) => JSON.stringify(Array.from({ length }, () => ({ query: '{ __typename }' })));

const refused: readonly (readonly [
  what: string,
  code: string,
  status: number,
  target: string,
  request: RequestInit,
])[] = [
  ['no key', 'UNAUTHENTICATED', 401, '', { headers: { 'X-API-KEY': 'no' } }],
  ['another method', 'METHOD_NOT_ALLOWED', 405, '', { method: 'PUT' }],
  [
    'another content type',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    '',
    { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } },
  ],
  [
    'a large body',
    'PAYLOAD_TOO_LARGE',
    413,
    '',
    { method: 'POST', body: query('#'.repeat(2_000_000)), headers: json },
  ],
  ['no JSON', 'BAD_USER_INPUT', 400, '', { method: 'POST', body: '{', headers: json }],
  ['JSON that is no request', 'BAD_USER_INPUT', 400, '', { method: 'POST', body: '7', headers: json }],
  [
    'a query that is no text',
    'BAD_USER_INPUT',
    400,
    '',
    { method: 'POST', body: '{"query": 7}', headers: json },
  ],
  ['no query', 'BAD_USER_INPUT', 400, '', { method: 'POST', body: '{}', headers: json }],
  ['no query by GET', 'BAD_USER_INPUT', 400, '', {}],
  [
    'variables that are no object',
    'BAD_USER_INPUT',
    400,
    '',
    { method: 'POST', body: query('{ __typename }', { variables: 7 }), headers: json },
  ],
  [
    'an operation that is not there',
    'BAD_USER_INPUT',
    400,
    '',
    { method: 'POST', body: query('query A { __typename }', { operationName: 'B' }), headers: json },
  ],
  [
    'a wrong variable',
    'BAD_USER_INPUT',
    400,
    '',
    { method: 'POST', body: query('query ($n: String!) { endpoint(name: $n) { name } }'), headers: json },
  ],
  ['too large a batch', 'BAD_USER_INPUT', 400, '', { method: 'POST', body: batch(50), headers: json }],
  ['a syntax error', 'GRAPHQL_PARSE_FAILED', 400, '', { method: 'POST', body: query('{'), headers: json }],
  [
    'too many tokens',
    'GRAPHQL_PARSE_FAILED',
    400,
    '',
    { method: 'POST', body: query(`{ ${'a '.repeat(6000)} }`), headers: json },
  ],
  [
    'an unknown field',
    'GRAPHQL_VALIDATION_FAILED',
    400,
    '',
    { method: 'POST', body: query('{ nope }'), headers: json },
  ],
  [
    'a deep operation',
    'GRAPHQL_VALIDATION_FAILED',
    400,
    '',
    { method: 'POST', body: query(`{ ${'a: endpoints { name } '.repeat(60)} }`), headers: json },
  ],
  ['an unknown field by GET', 'GRAPHQL_VALIDATION_FAILED', 400, '?query={nope}', {}],
];

test.each(refused)(
  'GraphQL refuses %s as %s with status %i',
  async (_what, code, status, target, request) => {
    const url = await listen();
    const response = await fetch(`${url}/graphql${target}`, {
      ...request,
      headers: { 'X-API-KEY': 'key', Accept: 'application/graphql-response+json', ...request.headers },
    });
    const answer = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(errorCatalogue).toHaveProperty(code);
    expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual([code]);
    expect(response.status).toBe(status);
  },
);
