import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codes, type GraphqlGateway, graphqlResponse, runGraphql } from './support/graphql-gateway.ts';

const query = '{ logsAll(project: "demo") { id } }';

test.each([
  ['no key', { 'X-API-KEY': '' }, 401, 'UNAUTHENTICATED'],
  ['a wrong key', { 'X-API-KEY': 'wrong' }, 401, 'UNAUTHENTICATED'],
  ['a cookie', { 'X-API-KEY': '', Cookie: 'X-API-KEY=key; key=key' }, 401, 'UNAUTHENTICATED'],
  ['a key that may not query', { 'X-API-KEY': 'token' }, 403, 'FORBIDDEN'],
])('with %s nothing runs, and the answer is GraphQL', async (_what, headers, status, code) => {
  const gateway = await runGraphql();
  for (const accept of ['application/json', graphqlResponse]) {
    const replies = [
      await gateway.post({ query }, { ...headers, Accept: accept }),
      await gateway.post('no operation', { ...headers, Accept: accept }),
      await gateway.fetch(`/graphql?query=${encodeURIComponent(query)}`, {
        headers: { ...headers, Accept: accept },
      }),
    ];
    for (const reply of replies) {
      expect([reply.status, ...codes(reply)]).toEqual([status, code]);
      expect(reply.json).not.toHaveProperty('data');
      expect(reply.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    }
  }
  expect(gateway.calls).toEqual([]);
});

test('the key goes in either header', async () => {
  const gateway = await runGraphql();
  const headers = { 'X-API-KEY': '', Authorization: 'Bearer key' };
  expect((await gateway.post({ query }, headers)).json.data).toEqual({ logsAll: [{ id: 'a' }] });
});

test.each([
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/plain; charset=application/json',
  'multipart/form-data; boundary=b',
  'application/graphql',
  'application/json; charset=utf-16',
  'json',
  '',
])('a body of type "%s", which a web page could send unasked, is refused with 415', async (type) => {
  const gateway = await runGraphql();
  const form =
    '--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{__typename}"}\r\n--b--';
  for (const body of [JSON.stringify({ query }), `query=${encodeURIComponent(query)}`, form]) {
    const reply = await gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    expect([reply.status, ...codes(reply)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
  expect(gateway.calls).toEqual([]);
});

test.each(['application/json', 'Application/JSON; charset="UTF-8"', 'application/graphql+json'])(
  'a body of type %s is read',
  async (type) => {
    const reply = await (await runGraphql()).post({ query }, { 'Content-Type': type });
    expect(reply.status).toBe(200);
  },
);

test.each([
  ['broken JSON', '{"query":', 400, 'BAD_USER_INPUT'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'BAD_USER_INPUT'],
  [
    'more than 1 MB',
    JSON.stringify({ query, variables: { a: 'x'.repeat(1_000_000) } }),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
])('a body of %s is refused', async (_what, body, status, code) => {
  const gateway = await runGraphql();
  const headers = { 'Content-Type': 'application/json' };
  const reply = await gateway.fetch('/graphql', { method: 'POST', headers, body });
  expect([reply.status, ...codes(reply)]).toEqual([status, code]);
});

test('a body that decompresses to more than 1 MB is refused', async () => {
  const gateway = await runGraphql();
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const small = await gateway.fetch('/graphql', {
    method: 'POST',
    headers,
    body: gzipSync(JSON.stringify({ query })),
  });
  expect(small.json.data).toEqual({ logsAll: [{ id: 'a' }] });
  const bomb = gzipSync(JSON.stringify({ query, variables: { a: 'x'.repeat(50_000_000) } }));
  const reply = await gateway.fetch('/graphql', { method: 'POST', headers, body: bomb });
  expect([reply.status, ...codes(reply)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});

test('CORS is as on REST: any origin may call with a key, and errors can be read', async () => {
  const gateway = await runGraphql();
  const preflight = await gateway.fetch('/graphql', {
    method: 'OPTIONS',
    headers: {
      'X-API-KEY': '',
      Origin: 'https://example.org',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type, x-api-key',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS');
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(
    /content-type.*x-api-key/,
  );
  const replies = [
    await gateway.post({ query }),
    await gateway.post({ query: '{' }),
    await gateway.post({ query }, { 'X-API-KEY': '' }),
  ];
  for (const { headers } of replies) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toBeTruthy();
  }
});

test.each(['', 'a b', 'http://', '[::1', 'example.org:99999', '%00'])(
  'a Host header of "%s" changes nothing',
  async (host) => {
    const gateway = await runGraphql();
    const { status, body } = await postWithHost(gateway, host, JSON.stringify({ query }));
    expect({ status, ...(JSON.parse(body) as object) }).toMatchObject({
      status: 200,
      data: { logsAll: [{ id: 'a' }] },
    });
    expect(gateway.log).toEqual([]);
  },
);

test('an answer ends at 100 MB, of all calls and operations together', async () => {
  const text = 'x'.repeat(10_000);
  const rows = Array.from({ length: 3_000 }, () => [text, 0n, []] as const);
  const gateway = await runGraphql({
    answer: ({ endpoint }) => ({ columns: endpoint.plan.columns, rows, truncated: false, engineMs: 0 }),
  });
  const calls = (count: number) =>
    Array.from({ length: count }, (_, i) => `a${i}: logsAll(project: "a") { timestamp }`);
  const alone = await gateway.post({ query: `{ ${calls(3)} }` });
  expect(codes(alone)).toEqual([]);
  const together = await gateway.post({ query: `{ ${calls(4)} }` });
  expect(together.json.errors).toHaveLength(1);
  expect(together.json.errors?.[0]).toMatchObject({
    message: 'The answer is larger than 100,000,000 bytes. Ask for less.',
    extensions: { code: 'QUERY_FAILED' },
  });
  const batch = await gateway.post([{ query: `{ ${calls(2)} }` }, { query: `{ ${calls(2)} }` }]);
  expect(batch.text.match(/The answer is larger/g)).toHaveLength(1);
});

function postWithHost({ url }: GraphqlGateway, host: string, content: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  const headers = { Host: host, 'X-API-KEY': 'key', 'Content-Type': 'application/json' };
  const request = httpRequest(`${url}/graphql`, { method: 'POST', headers }, (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    response.on('end', () => resolve({ status: response.statusCode, body }));
  });
  request.on('error', reject);
  request.end(content);
  return promise;
}
