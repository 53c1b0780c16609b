import { expect, test } from 'vitest';
import { RequestCounter } from '../../../src/server/limits/request-counter.ts';
import { runGateway, sendRaw } from './running-gateway.ts';

const origin = ['Origin', 'https://app.example'] as const;

test.each([
  '/api/endpoints/query/logs.all?project=a',
  '/api/endpoints',
  '/graphql',
  '/mcp',
  '/livez',
  '/nothing',
])(
  'every answer at %s can be read by pages of other origins, and its preflight needs no key',
  async (path) => {
    const gateway = await runGateway();
    for (const anonymous of [true, false]) {
      const reply = await gateway.call(path, { headers: [origin], anonymous });
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(reply.headers['access-control-expose-headers']).toContain('X-Ignored-Parameters');
    }
    const headers = [origin, ['Access-Control-Request-Method', 'DELETE']] as const;
    const preflight = await gateway.call(path, { method: 'OPTIONS', headers, anonymous: true });
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-methods': 'GET, POST, OPTIONS, DELETE' },
    });
  },
);

const query = '/api/endpoints/query/logs.all?project=a';
const preflight = {
  method: 'OPTIONS',
  headers: [origin, ['Access-Control-Request-Method', 'POST']] as const,
  anonymous: true,
};

test('pages can read that their address has made too many requests; preflights are not counted', async () => {
  const perAddress = { requests: 1, seconds: 3600 };
  const limits = { counter: new RequestCounter(), trustedProxies: 0, perAddress };
  const gateway = await runGateway({ limits });
  for (let times = 0; times < 3; times++) expect((await gateway.call(query, preflight)).status).toBe(204);
  expect((await gateway.call(query)).status).toBe(200);
  expect(await gateway.call(query)).toMatchObject({
    status: 429,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('Retry-After'),
      'ratelimit-policy': '"address";q=1;w=3600',
    },
  });
});

test('pages can read that their request is not valid HTTP', async () => {
  const { port } = await runGateway();
  expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 .*\r\nAccess-Control-Allow-Origin: \*\r\n/s,
  );
});

test.each([query, '/graphql', '/mcp', '/api/openapi.json', '/api/sources/edge/rows', '/nothing'])(
  'with a list of origins, their pages may read %s, with credentials, and others may not',
  async (path) => {
    const environment = { CORS_ORIGINS: `${origin[1]}, http://localhost:5173` };
    const gateway = await runGateway({ environment });
    const own = {
      'access-control-allow-origin': origin[1],
      'access-control-allow-credentials': 'true',
      vary: expect.stringMatching(/\bOrigin$/),
    };
    expect(await gateway.call(path, preflight)).toMatchObject({ status: 204, headers: own });
    for (const anonymous of [true, false]) {
      expect((await gateway.call(path, { anonymous, headers: [origin] })).headers).toMatchObject(own);
    }
    for (const headers of [[], [['Origin', 'https://app.example.evil.example'] as const]]) {
      const { headers: sent } = await gateway.call(path, { headers });
      expect(sent.vary).toMatch(/\bOrigin$/);
      expect(Object.keys(sent).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  },
);
