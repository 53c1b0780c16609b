import { describe, expect, test } from 'vitest';
import { allowancesOf } from '../../../src/calls/access/caller/allowance.ts';
import { type Caller, everyScope } from '../../../src/calls/access/caller/caller.ts';
import { runCachingGateway, target, textEndpoint } from '../rest/support/caching-gateway.ts';

function keyWith(name: string, allow: readonly string[], more: Partial<Caller> = {}) {
  const allowances = allowancesOf({ allow });
  return {
    ...{ name, secret: name, redact: false, scopes: everyScope, ...more },
    ...(allowances && { allowances }),
  };
}

/** A gateway on the first of January, with a key of this name and these allowances. */
async function gatewayWith(allow: readonly string[], more: Partial<Caller> = {}) {
  const gateway = await runCachingGateway(textEndpoint(), {}, [keyWith('ada', allow, more)]);
  const get = (path = target, method = 'GET') =>
    gateway.call(path, { method, headers: { 'X-API-KEY': 'ada' } });
  return { ...gateway, get };
}

describe('answers of the response cache', () => {
  test('count, tell what is left, and are refused when nothing is', async () => {
    const { get, tookShortcut, engine, call, clock } = await gatewayWith(['calls=3/day', 'rows=100/month']);
    await call();
    const first = await get();
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"calls-day";q=3;w=86400, "rows-month";q=100;w=2678400;qu="rows"',
      ratelimit: '"calls-day";r=2;t=86400, "rows-month";r=99;t=2678400',
    });
    expect(tookShortcut()).toBe(true);
    await clock.advance(1_500);
    const second = await get();
    expect(second.headers.ratelimit).toBe('"calls-day";r=1;t=86399, "rows-month";r=98;t=2678399');
    expect((await get(target, 'HEAD')).headers.ratelimit).toContain('"calls-day";r=0;');
    const refused = await get();
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '86399', ratelimit: expect.stringContaining('"calls-day";r=0;t=86399') },
    });
    expect(JSON.parse(refused.body)).toEqual({
      error: 'The key "ada" has used 3 of its 3 calls a day. It has more from 2026-01-02T00:00:00Z.',
      code: 'ALLOWANCE_EXHAUSTED',
    });
    expect(engine.runs).toHaveLength(1);
    // Others have theirs, without such headers.
    const other = await call();
    expect(other.status).toBe(200);
    expect(other.headers).not.toHaveProperty('ratelimit');
  });

  test('have the same head and body as those of others, besides what is left', async () => {
    const { get, call } = await gatewayWith(['calls=100/day']);
    await call();
    const { 'x-request-id': _, ...plain } = (await call()).headers;
    for (const left of [99, 98]) {
      const { body, headers } = await get();
      const { 'x-request-id': __, ratelimit, 'ratelimit-policy': policy, ...rest } = headers;
      expect(rest).toEqual({ ...plain, date: expect.any(String) });
      expect(ratelimit).toBe(`"calls-day";r=${left};t=86400`);
      expect(policy).toBe('"calls-day";q=100;w=86400');
      expect(body).toBe((await call()).body);
    }
  });

  test('go on when only runs are limited', async () => {
    const { get, engine } = await gatewayWith(['bytes=10B/hour']);
    engine.cost = { bytesProcessed: 20, bytesBilled: 20, engineCacheHit: false };
    expect((await get()).headers.ratelimit).toBe('"bytes-hour";r=0;t=3600');
    for (let calls = 0; calls < 3; calls++) expect((await get()).status).toBe(200);
    expect(await get(`${target}2`)).toMatchObject({ status: 429 });
  });
});

test('allowances stand beside rates in the headers', async () => {
  const { get } = await gatewayWith(['calls=3/day'], { rate: { requests: 5, seconds: 3600 } });
  for (const [rate, calls] of [
    [4, 2],
    [3, 1],
  ]) {
    const { headers } = await get();
    expect(String(headers.ratelimit).replaceAll(/;t=\d+/g, '')).toBe(
      `"key";r=${rate}, "calls-day";r=${calls}`,
    );
    expect(headers['ratelimit-policy']).toBe('"key";q=5;w=3600, "calls-day";q=3;w=86400');
  }
});

test('what is refused before a call counts nothing', async () => {
  const { get } = await gatewayWith(['calls=3/day']);
  expect((await get('/api/endpoints/query/counts')).status).toBe(400);
  expect((await get('/api/endpoints/query/nothing')).status).toBe(404);
  expect((await get('/api/endpoints')).headers.ratelimit).toContain('"calls-day";r=3;');
  expect((await get(`${target}&dry_run=true`)).headers.ratelimit).toContain('"calls-day";r=3;');
});
