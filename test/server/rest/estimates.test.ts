import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { fakeExecutor, noRows, runGateway } from '../listener/running-gateway.ts';
import { runCachingGateway, target, textEndpoint } from './support/caching-gateway.ts';

const path = '/api/endpoints/query/logs.all';
const json = [['Content-Type', 'application/json']] as const;
const estimating = (bytesProcessed: number | undefined = 12_345_678_901_234) =>
  fakeExecutor(
    () => noRows,
    () => ({ bytesProcessed }),
  );

describe('a dry run', () => {
  test('returns what the call would read, and runs nothing', async () => {
    const gateway = await runGateway({ executor: estimating() });
    const reply = await gateway.call(`${path}?project=a&count=5&dry_run=true`);
    expect(reply).toMatchObject({
      status: 200,
      body: '{"dry_run":{"bytes_processed":12345678901234}}',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      },
    });
    expect(reply.headers).not.toHaveProperty('cache-status');
    expect(gateway.executor.calls).toEqual([]);
    expect(gateway.executor.estimates).toMatchObject([
      { endpoint: { name: 'logs.all' }, payer: { key: 'owner' } },
    ]);
    expect(gateway.executor.estimates[0]?.parameters.get('count')).toBe(5n);
  });

  test('returns the rows, too, if the engine can tell', async () => {
    const gateway = await runGateway({
      executor: fakeExecutor(
        () => noRows,
        () => ({ bytesProcessed: 5, rows: 7 }),
      ),
    });
    expect((await gateway.call(`${path}?project=a&dry_run=true`)).body).toBe(
      '{"dry_run":{"bytes_processed":5,"rows":7}}',
    );
  });

  test('returns null if the engine cannot estimate', async () => {
    const gateway = await runGateway();
    expect((await gateway.call(`${path}?project=a&dry_run=true`)).body).toBe(
      '{"dry_run":{"bytes_processed":null}}',
    );
  });

  test.each([
    ['JSON', json, '{"project":"a","dry_run":true}'],
    ['JSON, as text', json, '{"project":"a","dry_run":"true"}'],
    ['a form', [['Content-Type', 'application/x-www-form-urlencoded']] as const, 'project=a&dry_run=true'],
  ])('is asked for in a body of %s', async (_, headers, body) => {
    const gateway = await runGateway({ executor: estimating(1) });
    const reply = await gateway.call(path, { method: 'POST', headers, body });
    expect(reply.body).toBe('{"dry_run":{"bytes_processed":1}}');
  });

  test.each(['dry_run=false', ''])('is not asked for by %j', async (query) => {
    const gateway = await runGateway({ executor: estimating() });
    expect((await gateway.call(`${path}?project=a&${query}`)).body).toBe('{"result":[]}');
    expect(gateway.executor.estimates).toEqual([]);
  });

  test.each(['dry_run=1', 'dry_run=TRUE', 'dry_run=', 'dry_run', 'dry_run[]=true'])(
    'is neither true nor false as %s',
    async (query) => {
      const gateway = await runGateway();
      const reply = await gateway.call(`${path}?project=a&${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body).toContain('dry_run');
      expect(gateway.executor.calls).toEqual([]);
    },
  );

  test.each([
    ['a missing parameter', 'dry_run=true', 400],
    ['a malformed one', 'project=a&count=x&dry_run=true', 400],
    ["a query of one's own that is not taken", 'project=a&sql=select&dry_run=true', 400],
  ])('is refused as the run would be: %s', async (_, query, status) => {
    const gateway = await runGateway({ executor: estimating() });
    expect((await gateway.call(`${path}?${query}`)).status).toBe(status);
    expect(gateway.executor.estimates).toEqual([]);
  });

  test('needs a key that may run it', async () => {
    const gateway = await runGateway({ executor: estimating() });
    expect((await gateway.call(`${path}?project=a&dry_run=true`, { anonymous: true })).status).toBe(401);
    const headers = [['X-API-KEY', 'token']] as const;
    const reply = await gateway.call(`${path}?project=a&dry_run=true`, { anonymous: true, headers });
    expect(reply.status).toBe(403);
  });

  test('fails as the engine says', async () => {
    const executor = fakeExecutor(
      () => noRows,
      () => {
        throw new GatewayError('BACKEND_UNAVAILABLE', 'It is down.', { retryAfterSeconds: 7 });
      },
    );
    const gateway = await runGateway({ executor });
    expect(await gateway.call(`${path}?project=a&dry_run=true`)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '7' },
    });
  });

  test('is never cached, even if the rows are', async () => {
    const { call, engine, tookShortcut, counted } = await runCachingGateway();
    await call();
    await call();
    expect(tookShortcut()).toBe(true);
    counted.length = 0;
    for (const bytesProcessed of [10, 20]) {
      engine.estimated = { bytesProcessed };
      const reply = await call(`${target}&dry_run=true`);
      expect(reply.body).toBe(`{"dry_run":{"bytes_processed":${bytesProcessed}}}`);
    }
    expect(counted).toEqual([]);
    expect((await call(`${target}&dry_run=false`)).headers['cache-status']).toContain('hit');
    expect(engine.runs).toHaveLength(1);
    expect(engine.estimates).toHaveLength(2);
  });

  test('of HEAD has no body', async () => {
    const { call } = await runCachingGateway();
    const reply = await call(`${target}&dry_run=true`, { method: 'HEAD' });
    expect(reply).toMatchObject({ status: 200, body: '', headers: { 'cache-control': 'no-store' } });
  });
});

describe('the headers for jobs', () => {
  const reservation = 'projects/p-1/locations/EU/reservations/fast';
  const endpoint = textEndpoint({
    cacheSeconds: 0,
    labels: [{ key: 'team' }, { key: 'user' }],
    allowReservation: true,
  });

  test('give labels and a reservation', async () => {
    const { call, engine } = await runCachingGateway(endpoint);
    const headers = {
      'LF-ENDPOINT-LABELS': 'team=Core,user=Zo\u00c3\u00ab,other=x',
      'LF-ENDPOINT-BIGQUERY-RESERVATION': reservation,
    };
    expect((await call(target, { headers })).status).toBe(200);
    expect(engine.latest.request.job).toMatchObject({
      labels: new Map([
        ['team', 'core'],
        ['user', 'zo\u00eb'],
      ]),
      reservation,
    });
    await call(`${target}&dry_run=true`, { headers });
    expect(engine.estimates[0]?.job).toEqual(engine.latest.request.job);
  });

  test('are used only if they were sent once', async () => {
    const { call, engine } = await runCachingGateway(endpoint);
    const headers = {
      'LF-ENDPOINT-LABELS': ['team=core', 'user=x'],
      'LF-ENDPOINT-BIGQUERY-RESERVATION': [reservation, reservation],
    };
    await call(target, { headers });
    expect(engine.latest.request.job).toMatchObject({ labels: new Map() });
    expect(engine.latest.request.job).not.toHaveProperty('reservation');
  });

  test('make no other question of a call', async () => {
    const { call, engine } = await runCachingGateway({ ...endpoint, cacheSeconds: 60 });
    await call(target, { headers: { 'LF-ENDPOINT-LABELS': 'team=a' } });
    const again = await call(target, { headers: { 'LF-ENDPOINT-LABELS': 'team=b' } });
    expect(again.headers['cache-status']).toContain('hit');
    expect(engine.runs).toHaveLength(1);
  });
});

test('an exhausted budget is reported with the time to retry', async () => {
  const { call, engine, clock } = await runCachingGateway(
    textEndpoint({ cacheSeconds: 0, maxBytesPerDay: 10 }),
  );
  engine.cost = { bytesProcessed: 20, bytesBilled: 20, slotMs: 1, engineCacheHit: false };
  await clock.advance(6 * 3_600_000);
  expect((await call()).status).toBe(200);
  expect(await call(`${target}2`)).toMatchObject({
    status: 422,
    body: '{"error":"The endpoint \\"counts\\" has used 20 of its 10 bytes billed a day. It has more from 2026-01-02T00:00:00Z.","code":"COST_LIMIT_EXCEEDED"}',
    headers: { 'retry-after': String(18 * 3600) },
  });
});

describe('the most bytes that a call may read', () => {
  const header = 'LF-ENDPOINT-MAX-SCAN-BYTES';

  test('is in a header; of several, the smallest counts', async () => {
    const gateway = await runGateway();
    await gateway.call(`${path}?project=a`, { headers: [[header, '100MB']] });
    await gateway.call(`${path}?project=a`, {
      headers: [
        [header, '5000'],
        [header, '1KB'],
      ],
    });
    await gateway.call(`${path}?project=a`);
    expect(gateway.executor.calls.map(({ payer }) => payer.callScanBytes)).toEqual([
      100_000_000,
      1000,
      undefined,
    ]);
  });

  test.each(['', '0', '-1', 'much', '1 2'])('is refused as %j', async (value) => {
    const gateway = await runGateway();
    const reply = await gateway.call(`${path}?project=a`, { headers: [[header, value]] });
    expect(reply.status).toBe(400);
    expect(reply.body).toContain(header);
  });
});
