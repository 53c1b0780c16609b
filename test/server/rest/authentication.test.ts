import { describe, expect, test } from 'vitest';
import { type Call, runGateway } from '../listener/running-gateway.ts';

const unauthorized = { status: 401, body: '{"error":"Unauthorized","code":"UNAUTHENTICATED"}' };

describe('without a known key', () => {
  test.each<[string, string, Call]>([
    ['a good call', '/api/endpoints/query/logs.all?project=a', {}],
    ['an unknown endpoint', '/api/endpoints/query/unknown', {}],
    ['a broken name', '/api/endpoints/query/%ff', {}],
    ['a broken query string', '/api/endpoints/query/logs.all?project=%ff', {}],
    ['a method that the route lacks', '/api/endpoints/query/logs.all', { method: 'DELETE' }],
    ['a URL that is too long', `/api/endpoints/query/logs.all?project=${'a'.repeat(20_000)}`, {}],
    [
      'a broken body',
      '/api/endpoints/query/logs.all',
      { method: 'POST', headers: [['Content-Type', 'application/json']], body: '{' },
    ],
    ['a body of no known type', '/api/endpoints/query/logs.all', { method: 'POST', body: 'x' }],
    ['a wrong key', '/api/endpoints/query/logs.all?project=a', { headers: [['X-API-KEY', 'kez']] }],
    ['a key in the URL', '/api/endpoints/query/logs.all?project=a&api_key=key', {}],
  ])('%s is answered 401 and nothing else', async (_, target, call) => {
    const gateway = await runGateway();
    const reply = await gateway.call(target, { ...call, anonymous: true });
    expect(reply).toMatchObject(unauthorized);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(gateway.executor.calls).toHaveLength(0);
  });
});

describe('a key', () => {
  test('may come as a bearer token', async () => {
    const gateway = await runGateway();
    const headers = [['Authorization', 'Bearer key']] as const;
    const reply = await gateway.call('/api/endpoints/query/logs.all?project=a', { anonymous: true, headers });
    expect(reply.status).toBe(200);
  });

  test('that repeats counts as its first, whatever a proxy adds', async () => {
    const gateway = await runGateway();
    const target = '/api/endpoints/query/logs.all?project=a';
    const right = {
      anonymous: true,
      headers: [
        ['X-API-KEY', 'key'],
        ['X-API-KEY', 'no'],
      ],
    } as const;
    const wrong = {
      anonymous: true,
      headers: [
        ['X-API-KEY', 'no'],
        ['X-API-KEY', 'key'],
      ],
    } as const;
    expect((await gateway.call(target, right)).status).toBe(200);
    expect((await gateway.call(target, wrong)).status).toBe(401);
  });

  test('for rows only runs no endpoint, and learns of none', async () => {
    const gateway = await runGateway();
    const call = { anonymous: true, headers: [['X-API-KEY', 'token']] } as const;
    expect((await gateway.call('/api/endpoints/query/logs.all?project=a', call)).status).toBe(403);
    expect((await gateway.call('/api/endpoints/query/unknown', call)).status).toBe(403);
  });
});
