import { expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import { operationsDocument } from '../../../src/server/operator/operations.ts';
import { makeKey } from '../../calls/access/support/keys.ts';
import { metricsOf } from '../../support/metrics.ts';
import { logsAll, plainEndpoint, runGateway } from '../listener/running-gateway.ts';

const permits = {
  ...{ running: 3, waiting: 1, permits: 8 },
  classes: [
    { name: 'interactive', running: 0, waiting: 0, maxWaiting: 100 },
    { name: 'default', running: 2, waiting: 0, maxWaiting: 100 },
    { name: 'background', running: 1, waiting: 1, maxWaiting: 50 },
  ],
} as const;

function busyMetrics() {
  return metricsOf({
    engine: 'duckdb',
    cachedEntries: () => 3,
    cachedBytes: () => 1234,
    permits: () => permits,
    states: {
      process: () => ({ state: 'ready', restarts: 1, memoryBytes: 5_000_000 }),
      storeState: () => ({
        disk: { sizeBytes: 1000, freeBytes: 400, reservedBytes: 500, isFull: true },
        waitingLength: 0,
        cutBytes: 0,
        unavailable: [],
      }),
      store: {
        sourceStates: async () => [
          { source: 'edge_logs', rows: 7, bytes: 700, oldest: 0n, newest: 1_500_000n },
          { source: 'auth_logs', rows: 0, bytes: 0, oldest: undefined, newest: undefined },
        ],
      },
    },
  });
}

const source = { file: '', columns: [], aliases: [], unknownFields: 'reject' as const, rename: [] };

async function documentOf(metrics: ReturnType<typeof metricsOf>) {
  return operationsDocument({
    startedAt: 0,
    version: '1.2.3',
    engine: 'duckdb',
    numbers: await metrics.numbers(),
    endpoints: [logsAll, plainEndpoint],
    activityOf: () => undefined,
    sources: [
      { ...source, name: 'edge_logs', retentionDays: 30 },
      { ...source, name: 'auth_logs' },
    ],
    expiringKeys: [{ ...makeKey({ name: 'soon' }).key, id: 'key_12345678', expires: 1000 }],
  });
}

test('the document tells what the metrics count', async () => {
  const metrics = busyMetrics();
  metrics.executor.cacheRequest('logs.all', 'hit');
  metrics.executor.cacheRequest('logs.all', 'hit');
  metrics.executor.cacheRequest('plain ä/name', 'off');
  metrics.executor.engineRun('logs.all', 'success', 0.5);
  metrics.executor.engineRun('logs.all', 'error', 1.5);
  metrics.requests.request('rest', 200, 0.01);
  metrics.requests.failed('logs.all', 'QUERY_FAILED');
  metrics.live.opened();
  metrics.live.queries('result', 1);
  metrics.live.queries('tail', 1);
  metrics.live.queries('tail', 1);
  metrics.events.rejected('edge_logs', 'type', 4);
  metrics.events.rows('edge_logs', 'added', 6);

  expect(await documentOf(metrics)).toEqual({
    expiringKeys: [{ id: 'key_12345678', name: 'soon', expires: '1970-01-01T00:00:01.000Z' }],
    startedAt: '1970-01-01T00:00:00.000Z',
    version: '1.2.3',
    engine: 'duckdb',
    endpointsFrom: null,
    cache: { calls: { hit: 2, bypass: 1 }, entries: 3, bytes: 1234 },
    queries: { ...permits, maxWaiting: 250 },
    requests: [{ api: 'rest', status: 200, count: 1 }],
    endpoints: [
      {
        name: 'logs.all',
        calls: { hit: 2 },
        errors: { QUERY_FAILED: 1 },
        queries: { success: 1, error: 1 },
        querySeconds: 2,
        activity: null,
      },
      {
        ...{ name: 'plain ä/name', calls: { bypass: 1 }, errors: {}, queries: {}, querySeconds: 0 },
        activity: null,
      },
    ],
    engineProcess: { up: true, restarts: 1, memoryBytes: 5_000_000 },
    disk: { bytes: 1000, freeBytes: 400, full: true },
    live: { streams: 1, queries: 3 },
    sources: [
      {
        ...{ name: 'edge_logs', rows: 7, bytes: 700, retentionDays: 30 },
        ...{ oldest: '1970-01-01T00:00:00.000Z', newest: '1970-01-01T00:00:01.500Z' },
        ...{ collected: { added: 6 }, rejected: { type: 4 } },
      },
      {
        ...{ name: 'auth_logs', rows: 0, bytes: 0, oldest: null, newest: null, retentionDays: null },
        ...{ collected: {}, rejected: {} },
      },
    ],
  });
});

test('what an engine does not have is null', async () => {
  const metrics = metricsOf({ engine: 'bigquery' });
  const { engineProcess, disk, sources } = await documentOf(metrics);
  expect({ engineProcess, disk }).toEqual({ engineProcess: null, disk: null });
  expect(sources[0]).toMatchObject({ rows: null, bytes: null, newest: null });
});

async function gatewayFor(caller: Partial<Caller>) {
  const holder = { name: 'owner', secret: 'key', redact: false, scopes: everyScope, ...caller };
  return runGateway({
    access: keyAccess([holder]),
    describeOperations: () => documentOf(busyMetrics()),
  });
}

test('an unrestricted key with the scope admin gets it', async () => {
  const gateway = await gatewayFor({});
  const reply = await gateway.call('/api/operations');
  expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(JSON.parse(reply.body)).toMatchObject({ engine: 'duckdb' });
  expect((await gateway.call('/api/operations', { method: 'POST' })).status).toBe(405);
});

test.each<[string, Partial<Caller>]>([
  ['without the scope', { scopes: new Set(['query', 'write']) }],
  ['for some projects', { projects: new Set(['a']) }],
])('a key %s does not', async (_what, caller) => {
  const gateway = await gatewayFor(caller);
  expect((await gateway.call('/api/operations')).status).toBe(403);
});

test('a failed request counts for its endpoint by the code of its error', async () => {
  const metrics = busyMetrics();
  const gateway = await runGateway({ metrics });
  await gateway.call('/api/endpoints/query/logs.all');
  await gateway.call('/api/endpoints/query/nothing');
  const { endpoints } = await documentOf(metrics);
  expect(endpoints.map(({ name, errors }) => [name, errors])).toEqual([
    ['logs.all', { BAD_USER_INPUT: 1 }],
    ['plain ä/name', {}],
  ]);
});
