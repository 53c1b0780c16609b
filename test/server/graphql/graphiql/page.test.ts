import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type GraphqlGateway, runGraphql } from '../http/support/graphql-gateway.ts';

/** What a browser says when it opens a page. */
const browser = {
  'X-API-KEY': '',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};

/** As it is sent, without decompressing it. */
async function bytes({ url }: GraphqlGateway, acceptEncoding: string, headers: Record<string, string> = {}) {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    headers: Readonly<Record<string, string | string[] | undefined>>;
    body: Buffer;
  }>();
  request(
    `${url}/graphql`,
    { headers: { ...browser, 'Accept-Encoding': acceptEncoding, ...headers } },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
      });
    },
  )
    .on('error', reject)
    .end();
  return promise;
}

test('a browser that opens /graphql gets GraphiQL, without a key', async () => {
  const gateway = await runGraphql({ graphiql: true });
  const reply = await gateway.fetch('/graphql?query={__typename}', { headers: browser });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.text).toMatch(/^<!doctype html>/i);
  expect(reply.text).toContain('<label for="key-input">API key</label>');
  expect(gateway.calls).toEqual([]);
});

test.each([
  ['JSON', 'application/json'],
  ['anything', '*/*'],
  ['JSON rather than HTML', 'text/html;q=0.5, application/json'],
  ['no HTML', 'text/html;q=0, */*'],
])('a client that wants %s is answered by GraphQL', async (_what, accept) => {
  const gateway = await runGraphql({ graphiql: true });
  const reply = await gateway.fetch('/graphql?query={__typename}', { headers: { Accept: accept } });
  expect(reply.json.data).toEqual({ __typename: 'Query' });
});

test('a POST is GraphQL, whatever it accepts', async () => {
  const gateway = await runGraphql({ graphiql: true });
  const reply = await gateway.post({ query: '{ __typename }' }, { Accept: 'text/html' });
  expect(reply.json.data).toEqual({ __typename: 'Query' });
});

test('switched off, a browser is answered by GraphQL', async () => {
  const gateway = await runGraphql();
  const reply = await gateway.fetch('/graphql', { headers: browser });
  expect(reply.status).toBe(401);
  expect(reply.json.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});

test('the page is compressed as the browser can take it, and the same each time', async () => {
  const gateway = await runGraphql({ graphiql: true });
  const plain = await bytes(gateway, 'identity');
  const brotli = await bytes(gateway, 'gzip, deflate, br, zstd');
  const gzip = await bytes(gateway, 'gzip, br;q=0');
  expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
    undefined,
    'br',
    'gzip',
  ]);
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(brotli.body.length).toBeLessThan(plain.body.length / 2);
  expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  expect((await bytes(gateway, 'br')).body.equals(brotli.body)).toBe(true);
});

test('a browser that already has the page gets status 304', async () => {
  const gateway = await runGraphql({ graphiql: true });
  const { headers } = await bytes(gateway, 'br');
  const tag = String(headers.etag);
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers.vary).toBe('Accept, Accept-Encoding');
  for (const known of [tag, `"other", W/${tag}`]) {
    const reply = await bytes(gateway, 'br', { 'If-None-Match': known });
    expect([reply.status, reply.body.length, reply.headers.etag]).toEqual([304, 0, tag]);
  }
  expect((await bytes(gateway, 'br', { 'If-None-Match': '"other"' })).status).toBe(200);
});

test('the page may run its own scripts and reach its own gateway, and nothing else', async () => {
  const gateway = await runGraphql({ graphiql: true });
  const { headers } = await gateway.fetch('/graphql', { headers: browser });
  const policy = String(headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toMatch(/script-src 'self' '(sha256-[\w+/=]{44})' '(sha256-[\w+/=]{44})';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('the page is small; the files that it loads are kept by browsers', async () => {
  const gateway = await runGraphql({ graphiql: true });
  const { text } = await gateway.fetch('/graphql', { headers: browser });
  expect(text.length).toBeLessThan(40_000);
  const files = new Set([...text.matchAll(/"(\/graphql\/graphiql\.(?:js|css))"/g)].map(([, name]) => name));
  expect(files.size).toBe(2);
  for (const file of files) {
    const reply = await gateway.fetch(String(file), { headers: { 'X-API-KEY': '' } });
    expect(reply.status, file).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(
      file?.endsWith('js') ? /^text\/javascript/ : /^text\/css/,
    );
    expect(reply.headers.get('etag')).toMatch(/^"/);
  }
  expect((await gateway.fetch('/graphql/other.js', { headers: { 'X-API-KEY': '' } })).status).toBe(404);
});
