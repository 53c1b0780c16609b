import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { InvalidationFilter } from '../../../src/calls/executor/entries/entry-store.ts';
import { logsAll, logsId, runGateway } from '../listener/running-gateway.ts';

/** A gateway that tells what it was to drop. */
async function dropping(purgeEntries: (filter: InvalidationFilter) => Promise<number> = async () => 3) {
  const filters: InvalidationFilter[] = [];
  const gateway = await runGateway({
    purgeEntries: (filter) => {
      filters.push(filter);
      return purgeEntries(filter);
    },
  });
  const drop = (target: string) => gateway.call(`/api/endpoints/cache/${target}`, { method: 'DELETE' });
  return { ...gateway, drop, filters };
}

describe('dropping results', () => {
  it.each(['logs.all', 'logs%2eall', logsId, logsId.toUpperCase(), 'logs.all/'])(
    'of all calls of an endpoint, as %s',
    async (reference) => {
      const { drop, filters } = await dropping();
      expect(await drop(reference)).toMatchObject({ status: 200, body: '{"dropped":3}' });
      expect(filters).toEqual([{ endpointId: logsAll.id }]);
    },
  );

  it('of calls with some values, however they are written', async () => {
    const { drop, filters } = await dropping();
    for (const query of [
      'since=2025-01-31T10:00:00Z&count=%2B007',
      'count=7&since=2025-01-31T12:00:00%2B02',
    ]) {
      expect((await drop(`logs.all?${query}`)).status).toBe(200);
    }
    const parameters = new Map([
      [2, '7'],
      [3, '1738317600000000'],
    ]);
    expect(filters).toEqual(Array(2).fill({ endpointId: logsAll.id, parameters }));
  });

  it('with its key in the query string, which is not a filter', async () => {
    const { drop, filters } = await dropping();
    expect((await drop('logs.all?api_key=key')).status).toBe(200);
    expect(filters).toEqual([{ endpointId: logsAll.id }]);
  });

  it('of calls without a value', async () => {
    const { drop, filters } = await dropping();
    await drop('logs.all?count=');
    expect(filters).toEqual([{ endpointId: logsAll.id, parameters: new Map([[2, null]]) }]);
  });

  it.each([
    [
      'logs.all?size=1&project=a&x=2',
      400,
      /There is no parameter \\"size\\", \\"x\\": the endpoint has only project, /,
    ],
    ['plain%20%C3%A4%2Fname?a=1', 400, /the endpoint has no parameters/],
    ['logs.all?count=many', 400, /Parameter \\"count\\": expected a whole number/],
    ['logs.all?interval=weekly', 400, /Parameter \\"interval\\" must be one of hourly, daily/],
    ['logs.all?project=%ff', 400, /percent-encoding/],
    ['%ff', 400, /percent-encoding/],
    ['unknown', 404, /There is no endpoint \\"unknown\\"/],
  ])('is refused: %s', async (target, status, message) => {
    const { drop, filters } = await dropping();
    const reply = await drop(target);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatch(message);
    expect(filters).toEqual([]);
  });

  it('takes a key that may', async () => {
    const { call, filters } = await dropping();
    const target = '/api/endpoints/cache/logs.all';
    expect((await call(target, { method: 'DELETE', anonymous: true })).status).toBe(401);
    const other = { method: 'DELETE', anonymous: true, headers: [['X-API-KEY', 'token']] } as const;
    expect((await call(target, other)).status).toBe(403);
    expect(filters).toEqual([]);
  });

  it.each(['GET', 'POST', 'PUT'])('is nothing for %s', async (method) => {
    const { call } = await dropping();
    const reply = await call('/api/endpoints/cache/logs.all', { method });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'DELETE, OPTIONS' } });
  });

  it('says so when other replicas may still have them', async () => {
    const { drop } = await dropping(async () => {
      throw new GatewayError('BACKEND_UNAVAILABLE', 'Dropped 2 entries of this process only.');
    });
    expect(await drop('logs.all')).toMatchObject({
      status: 503,
      body: '{"error":"Dropped 2 entries of this process only.","code":"BACKEND_UNAVAILABLE"}',
    });
  });
});

describe('dropping the results of all endpoints', () => {
  it.each(['', '/', '?api_key=key'])('as %j', async (end) => {
    const { call, filters } = await dropping();
    const reply = await call(`/api/endpoints/cache${end}`, { method: 'DELETE' });
    expect(reply).toMatchObject({ status: 200, body: '{"dropped":3}' });
    expect(filters).toEqual([{}]);
  });

  it('is refused with parameters, which are those of one endpoint', async () => {
    const { call, filters } = await dropping();
    const reply = await call('/api/endpoints/cache?project=a', { method: 'DELETE' });
    expect(reply).toMatchObject({ status: 400, body: expect.stringContaining('leave out \\"project\\"') });
    expect(filters).toEqual([]);
  });

  it.each<[string, Partial<Caller>]>([
    ['without the scope', { scopes: new Set(['query', 'write']) }],
    ['for some projects', { projects: new Set(['a']) }],
    ['for some endpoints', { endpoints: new Set(['logs.all']) }],
    ['with a pinned value', { pins: new Map([['level', 'error']]) }],
  ])('is refused to a key %s', async (_what, caller) => {
    const filters: InvalidationFilter[] = [];
    const { call } = await runGateway({
      access: keyAccess([{ name: 'a', secret: 'key', redact: false, scopes: everyScope, ...caller }]),
      purgeEntries: async (filter) => filters.push(filter),
    });
    expect((await call('/api/endpoints/cache', { method: 'DELETE' })).status).toBe(403);
    expect(filters).toEqual([]);
  });

  it('leaves the path to an endpoint of this name', async () => {
    const { call, filters } = await dropping();
    const reply = await call('/api/endpoints/cache');
    expect(reply).toMatchObject({ status: 404, body: expect.stringContaining('no endpoint \\"cache\\"') });
    expect(filters).toEqual([]);
  });
});
