import { expect, test } from 'vitest';
import { runGateway } from './running-gateway.ts';

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
