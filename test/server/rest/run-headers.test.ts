import { expect, test } from 'vitest';
import { runHeaders } from '../../../src/server/rest/rest-handler.ts';
import { fakeExecutor, noRows, runGateway } from '../listener/running-gateway.ts';
import { runCachingGateway } from './support/caching-gateway.ts';

test('tell the time of the engine, and what it reports of its cost', () => {
  expect(runHeaders({ engineMs: 12.34 })).toEqual(['Server-Timing', 'engine;dur=12.3']);
  expect(runHeaders({ engineMs: 0 })).toEqual([]);
  const cost = { bytesProcessed: 10, slotMs: 1, engineCacheHit: false };
  expect(runHeaders({ engineMs: 1, cost })).toEqual([
    ...['Server-Timing', 'engine;dur=1.0', 'X-Bytes-Processed', '10'],
  ]);
});

test('are in responses, where pages of other origins may read them', async () => {
  const cost = { bytesProcessed: 5_000, bytesBilled: 10_485_760, slotMs: 7, engineCacheHit: false };
  const executor = fakeExecutor(() => ({ ...noRows, engineMs: 3, cost }));
  const gateway = await runGateway({ executor });
  const { headers } = await gateway.call('/api/endpoints/query/logs.all?project=a');
  expect(headers).toMatchObject({ 'x-bytes-processed': '5000', 'x-bytes-billed': '10485760' });
  expect(headers['server-timing']).toBe('engine;dur=3.0');
  const exposed = headers['access-control-expose-headers']?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['Server-Timing', 'X-Bytes-Processed', 'X-Bytes-Billed']));
});

test('are not in responses from memory: they are about work that was not done', async () => {
  const gateway = await runCachingGateway();
  await gateway.call();
  const { headers } = await gateway.call();
  expect(headers['cache-status']).toContain('hit');
  expect(Object.keys(headers).filter((name) => /server-timing|x-bytes/.test(name))).toEqual([]);
});
