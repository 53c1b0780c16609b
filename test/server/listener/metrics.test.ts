import { describe, expect, it } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../src/calls/access/caller/scope.ts';
import { admission } from '../../../src/server/limits/admission.ts';
import { createServer } from '../../../src/server/listener/server.ts';
import { gatewayMetrics } from '../../../src/server/observability/metrics/gateway-metrics.ts';
import { metricsHandler } from '../../../src/server/operator/metrics-handler.ts';
import { fakeLog } from './running-gateway.ts';

async function runMetrics(isPublic: boolean) {
  const log = fakeLog();
  const metrics = gatewayMetrics({ engine: 'duckdb', cachedEntries: () => 0, cachedBytes: () => 0 });
  const access = keyAccess([
    { name: 'owner', secret: 'key', redact: false, scopes: everyScope },
    { name: 'import', secret: 'token', redact: false, scopes: new Set(['write']) },
  ]);
  const server = createServer({
    handlers: [metricsHandler({ metrics, admission: admission(access), log, isPublic })],
    log,
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    get: (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${url}/metrics`, { headers, method }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe('/metrics', () => {
  it('takes any key that is known', async () => {
    await using gateway = await runMetrics(false);
    for (const key of ['key', 'token']) {
      const answer = await gateway.get({ 'X-API-KEY': key });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(await answer.text()).toContain('# TYPE gateway_engine_queries_total counter\n');
    }
    expect((await gateway.get()).status).toBe(401);
    expect((await gateway.get({ 'X-API-KEY': 'other' })).status).toBe(401);
  });

  it('is open when the setting says so', async () => {
    await using gateway = await runMetrics(true);
    expect((await gateway.get()).status).toBe(200);
    expect((await gateway.get({}, 'HEAD')).status).toBe(200);
    const post = await gateway.get({}, 'POST');
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, HEAD');
  });
});
