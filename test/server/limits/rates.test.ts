import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { RequestLine } from '../../../src/server/http/request/request-log.ts';
import { RequestCounter, type Taken } from '../../../src/server/limits/request-counter.ts';
import type { RequestLimits } from '../../../src/server/limits/request-limits.ts';
import { FailedKeys } from '../../../src/server/limits/request-limits.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';
import { runGateway } from '../listener/running-gateway.ts';

const path = '/api/endpoints/query/logs.all?project=a';
const access = keyAccess([
  { name: 'slow', secret: 'slow', redact: false, scopes: everyScope, rate: { requests: 2, seconds: 3600 } },
  { name: 'free', secret: 'free', redact: false, scopes: everyScope },
  { name: 'other', secret: 'other', redact: false, scopes: everyScope },
]);
const as = (key: string) => ({ anonymous: true, headers: [['X-API-KEY', key] as const] });
const graphql = (key: string) => ({
  ...as(key),
  method: 'POST',
  headers: [...as(key).headers, ['Content-Type', 'application/json'] as const],
  body: '{"query":"{ __typename }"}',
});

function limitsWith(more: Partial<RequestLimits> = {}): RequestLimits {
  return { counter: new RequestCounter(), trustedProxies: 1, ...more };
}

describe('a key with a rate', () => {
  test('gets its rate in every response, and is refused beyond it by REST and GraphQL', async () => {
    const gateway = await runGateway({ access, limits: limitsWith() });
    const first = await gateway.call(path, as('slow'));
    expect(first.status).toBe(200);
    expect(first.headers['ratelimit-policy']).toBe('"key";q=2;w=3600');
    expect(first.headers.ratelimit).toMatch(/^"key";r=1;t=3(600|599)$/);
    expect((await gateway.call('/graphql', graphql('slow'))).headers.ratelimit).toMatch(/^"key";r=0;t=/);

    const refused = await gateway.call(path, as('slow'));
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toEqual({
      error: 'This key may make 2 requests in 3600 s.',
      code: 'RATE_LIMITED',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect(refused.headers.ratelimit).toMatch(/^"key";r=0;t=/);

    const onGraphql = await gateway.call('/graphql', graphql('slow'));
    expect(onGraphql.status).toBe(429);
    const retryAfterSeconds = Number(onGraphql.headers['retry-after']);
    expect(JSON.parse(onGraphql.body)).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds } }],
    });
    expect(retryAfterSeconds).toBeGreaterThan(3000);
    expect(gateway.executor.calls).toHaveLength(1);
  });

  test('is counted separately from an earlier key with its name', async () => {
    const rate = { requests: 1, seconds: 3600 };
    const named = { name: 'same', redact: false, scopes: everyScope, rate };
    const access = keyAccess([
      { ...named, id: 'key_1', secret: 'one' },
      { ...named, id: 'key_2', secret: 'two' },
    ]);
    const gateway = await runGateway({ access, limits: limitsWith() });
    const statuses = [];
    for (const key of ['one', 'one', 'two', 'two']) statuses.push((await gateway.call(path, as(key))).status);
    expect(statuses).toEqual([200, 429, 200, 429]);
  });

  test('uses it up by adding rows and dropping results, too', async () => {
    const gateway = await runGateway({ access, limits: limitsWith(), purgeEntries: async () => 0 });
    const add = () =>
      gateway.call('/api/sources/edge_logs/rows', { ...as('slow'), method: 'POST', body: '\n' });
    const drop = () => gateway.call('/api/endpoints/cache/logs.all', { ...as('slow'), method: 'DELETE' });
    const replies = [await add(), await drop(), await add(), await drop()];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(replies.map(({ headers }) => `${headers.ratelimit}`.split(';t=')[0])).toEqual([
      '"key";r=1',
      '"key";r=0',
      '"key";r=0',
      '"key";r=0',
    ]);
  });

  test('takes nothing from keys without one, which hear nothing of rates', async () => {
    const gateway = await runGateway({ access, limits: limitsWith() });
    for (let count = 0; count < 4; count++) await gateway.call(path, as('slow'));
    const reply = await gateway.call(path, as('free'));
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('ratelimit');
  });
});

describe('an address with a limit', () => {
  test('is refused before its key is looked at, and others are not', async () => {
    const limits = limitsWith({ perAddress: { requests: 2, seconds: 3600 } });
    const gateway = await runGateway({ access, limits });
    const from = (address: string, key: string) => ({
      ...as(key),
      headers: [...as(key).headers, ['X-Forwarded-For', address] as const],
    });
    const statuses = [];
    for (const key of ['free', 'wrong', 'free', 'wrong']) {
      statuses.push((await gateway.call(path, from('192.0.2.1', key))).status);
    }
    expect(statuses).toEqual([200, 401, 429, 429]);
    const other = await gateway.call(path, from('192.0.2.2', 'slow'));
    expect(other.status).toBe(200);
    expect(other.headers['ratelimit-policy']).toBe('"address";q=2;w=3600, "key";q=2;w=3600');
    expect((await gateway.call('/graphql', { headers: [['X-Forwarded-For', '192.0.2.1']] })).body).toContain(
      '"code":"RATE_LIMITED"',
    );
  });

  test('can always ask for the health', async () => {
    const limits = limitsWith({ perAddress: { requests: 1, seconds: 3600 } });
    const gateway = await runGateway({ access, limits });
    for (let count = 0; count < 3; count++) expect((await gateway.call('/readyz')).status).toBe(200);
  });
});

describe('an address with failed authentication attempts', () => {
  test('is blocked for a while, except for keys that were valid from there', async () => {
    const clock = new ManualClock();
    const counter = new RequestCounter();
    const failedKeys = new FailedKeys({ counter, clock, rate: { requests: 3, seconds: 60 } });
    const gateway = await runGateway({ access, limits: limitsWith({ counter, failedKeys }) });
    expect((await gateway.call(path, as('free'))).status).toBe(200);
    const guesses = [];
    for (let count = 0; count < 5; count++)
      guesses.push((await gateway.call(path, as(`guess ${count}`))).status);
    expect(guesses).toEqual([401, 401, 401, 429, 429]);

    const right = await gateway.call(path, as('other'));
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await gateway.call(path, as('free'))).status).toBe(200);
    expect((await gateway.call(path, { anonymous: true })).status).toBe(401);

    expect(failedKeys.isAnyBlocked).toBe(true);
    await clock.advance(61_000);
    expect(failedKeys.isAnyBlocked).toBe(false);
    expect((await gateway.call(path, as('other'))).status).toBe(200);
  });
});

describe('a client that leaves while its request is counted', () => {
  test('runs nothing, and its request is logged and ended', async () => {
    const counting = Promise.withResolvers<Taken>();
    const asked = Promise.withResolvers<void>();
    const counter = {
      take: () => {
        asked.resolve();
        return counting.promise;
      },
    };
    const lines: RequestLine[] = [];
    const limits = limitsWith({ counter, perAddress: { requests: 10, seconds: 1 } });
    const gateway = await runGateway({ limits, logRequest: (line) => lines.push(line) });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: key\r\n\r\n`);
    await asked.promise;
    socket.resetAndDestroy();
    await once(socket, 'close');
    // By the answer to this, the end of the connection was noticed as well.
    for (let times = 0; times < 3; times++) expect((await gateway.call('/livez')).status).toBe(200);

    counting.resolve({ isAllowed: true, remaining: 9, resetSeconds: 1 });
    await gateway.call('/livez');
    expect(gateway.executor.calls).toHaveLength(0);
    expect(lines.filter((line) => line.path !== '/livez')).toMatchObject([{ status: 499, aborted: true }]);
  });
});
