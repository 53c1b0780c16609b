import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutChromium, newContext } from '../../support/chromium.ts';
import { portOf } from '../../support/redis.ts';
import { runGateway } from './running-gateway.ts';

/** A request of a page. */
interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly credentials?: 'include';
}

/** What a page got of a request: undefined if its browser let it read nothing. */
interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

describe.skipIf(isWithoutChromium)('a page on another origin, in Chromium', () => {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>App</title>');
  });
  let origin: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${portOf(site)}`;
  });

  afterAll(async () => {
    site.closeAllConnections();
    site.close();
  });

  /** Returns `fetch` of a page, which a browser opened that remembers nothing. */
  async function openPage(gatewayUrl: string) {
    const page = await (await newContext()).newPage();
    await page.goto(origin);
    return (path: string, init: Init = {}): Promise<Got | undefined> =>
      page.evaluate(
        async ([url, options]) => {
          try {
            const response = await fetch(url, options);
            await response.text();
            return { status: response.status, headers: Object.fromEntries(response.headers) };
          } catch {
            return undefined;
          }
        },
        [gatewayUrl + path, init] as const,
      );
  }

  const query = '/api/endpoints/query/logs.all?project=a';
  const key = { 'X-API-KEY': 'key' };

  test('calls every API with all documented headers, and reads answers and errors with theirs', async () => {
    const { url } = await runGateway({ purgeEntries: async () => 0 });
    const ask = await openPage(url);
    const rows = await ask(query, {
      headers: {
        ...key,
        'If-None-Match': '"x"',
        'X-Request-Id': 'a-request-of-this-page',
        'Cache-Control': 'no-cache',
        'LF-ENDPOINT-LABELS': 'a=b',
        'LF-ENDPOINT-REDACT-PII': 'true',
        'LF-ENDPOINT-BIGQUERY-RESERVATION': 'none',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    });
    expect(rows).toMatchObject({
      status: 200,
      headers: {
        etag: expect.stringMatching(/^"/),
        'x-request-id': 'a-request-of-this-page',
        'cache-status': expect.any(String),
      },
    });
    const operation = {
      method: 'POST',
      body: '{"query":"{ __typename }"}',
      headers: {
        ...key,
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        'Apollo-Require-Preflight': 'true',
        'apollographql-client-name': 'web',
        'apollographql-client-version': '1',
      },
    };
    expect(await ask('/graphql', operation)).toMatchObject({ status: 200 });
    const message = {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      headers: {
        ...key,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Mcp-Session-Id': 'a',
        'Mcp-Protocol-Version': '2025-06-18',
      },
    };
    expect(await ask('/mcp', message)).toMatchObject({ status: 200 });
    expect(await ask('/api/endpoints', { headers: key })).toMatchObject({ status: 200 });
    expect(await ask('/api/endpoints/cache/logs.all', { method: 'DELETE', headers: key })).toMatchObject({
      status: 200,
    });
    const upload = {
      method: 'POST',
      body: '{}',
      headers: { ...key, 'Content-Type': 'application/x-ndjson' },
    };
    expect(await ask('/api/sources/edge/rows', upload)).toMatchObject({ status: 200 });
    expect(await ask(query)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(await ask('/nowhere', { headers: key })).toMatchObject({ status: 404 });
    expect(await ask(query, { method: 'DELETE', headers: key })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST, HEAD, OPTIONS' },
    });
    // Credentials of the browser need a listed origin.
    expect(await ask(query, { headers: key, credentials: 'include' })).toBeUndefined();
  });

  test('asks only once for permission', async () => {
    const methods: string[] = [];
    const { url } = await runGateway({ logRequest: ({ method }) => methods.push(method ?? '') });
    const ask = await openPage(url);
    for (let times = 0; times < 3; times++) await ask(query, { headers: key });
    expect(methods).toEqual(['OPTIONS', 'GET', 'GET', 'GET']);
  });

  test('with a list of origins, reads answers, also with credentials, if it is of one of them', async () => {
    const own = await runGateway({ environment: { CORS_ORIGINS: `https://app.example,${origin}` } });
    const ask = await openPage(own.url);
    expect(await ask(query, { headers: key, credentials: 'include' })).toMatchObject({ status: 200 });
    expect(await ask(query, { credentials: 'include' })).toMatchObject({ status: 401 });

    const others = await runGateway({ environment: { CORS_ORIGINS: 'https://app.example' } });
    const askOthers = await openPage(others.url);
    expect(await askOthers(query, { headers: key })).toBeUndefined();
    expect(await askOthers('/readyz')).toBeUndefined();
    expect(others.executor.calls).toEqual([]);
  });
});
