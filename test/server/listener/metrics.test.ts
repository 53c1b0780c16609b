import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../support/metrics.ts';
import { runGateway } from './running-gateway.ts';

async function runMetrics(isPublic: boolean) {
  const metrics = metricsOf({ engine: 'duckdb' });
  const { url } = await runGateway({ metrics, environment: { METRICS_PUBLIC: String(isPublic) } });
  return {
    get: (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${url}/metrics`, { headers, method }),
  };
}

describe('/metrics', () => {
  it('takes any key that is known', async () => {
    const gateway = await runMetrics(false);
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
    const gateway = await runMetrics(true);
    expect((await gateway.get()).status).toBe(200);
    expect((await gateway.get({}, 'HEAD')).status).toBe(200);
    const post = await gateway.get({}, 'POST');
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});
