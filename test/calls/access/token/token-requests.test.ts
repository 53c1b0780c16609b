import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { keyAccess } from '../../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../../src/calls/access/caller/caller.ts';
import { TokenVerifier } from '../../../../src/calls/access/token/token-verifier.ts';
import { memoryBudgets } from '../../../../src/definitions/settings/memory-budgets.ts';
import type { RequestLine } from '../../../../src/server/http/request/request-log.ts';
import { RequestCounter } from '../../../../src/server/limits/request-counter.ts';
import { FailedKeys } from '../../../../src/server/limits/request-limits.ts';
import { runGateway } from '../../../server/listener/running-gateway.ts';

const secret = 'a secret of more than thirty-two characters';
const query = '/api/endpoints/query/logs.all?project=mine';

function tokenFor(sub: string, claims: Record<string, unknown> = {}, expires = '10m'): Promise<string> {
  return new SignJWT({ sub, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('endpoint-gateway')
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));
}

/** A gateway with tokens, and a key that looks like one. Fails ten times before it blocks an address. */
async function runWithTokens(issuer: Caller = frontend) {
  const lines: RequestLine[] = [];
  const counter = new RequestCounter();
  const failedKeys = new FailedKeys({ counter, clock: systemClock, rate: { requests: 10, seconds: 3600 } });
  const tokens = new TokenVerifier({
    memory: memoryBudgets().tokens,
    settings: { secret, issuer: undefined, audience: 'endpoint-gateway', maxLifetimeSeconds: 86_400 },
    clock: systemClock,
    issuerKey: () => ({ caller: issuer }),
  });
  const owner = { name: 'owner', secret: 'a.b.c', redact: false, scopes: everyScope };
  const gateway = await runGateway({
    access: keyAccess([owner], { tokens }),
    limits: { counter, failedKeys, trustedProxies: 0 },
    logRequest: (line) => lines.push(line),
  });
  const get = (target: string, token: string, options = {}) =>
    gateway.call(target, {
      anonymous: true,
      headers: [['Authorization', `Bearer ${token}`]],
      ...options,
    });
  return { gateway, get, lines };
}
const frontend: Caller = { name: 'frontend', scopes: everyScope, redact: false };

test('a token is a key: in either header, on every API, within its claims', async () => {
  const { gateway, get } = await runWithTokens();
  const token = await tokenFor('alice', { projects: ['mine'] });
  expect((await get(query, token)).status).toBe(200);
  const inOther = await gateway.call(query, { anonymous: true, headers: [['X-API-KEY', token]] });
  expect(inOther.status).toBe(200);
  expect(await get('/api/endpoints/query/logs.all?project=other', token)).toMatchObject({
    status: 403,
    body: expect.stringContaining('this key allows \\"mine\\" only'),
  });
  const headers = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ];
  const operation = { method: 'POST', headers, body: '{"query":"{ __typename }"}' };
  expect((await get('/graphql', token, operation)).status).toBe(200);
  const upload = { method: 'POST', body: '{}' };
  expect((await get('/api/sources/edge/rows', token, upload)).status).toBe(403);
});

test('a refusal says why, and counts as a failed attempt', async () => {
  const { get, lines } = await runWithTokens();
  const expired = await tokenFor('alice', {}, '-10m');
  expect(await get(query, expired)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: JSON.stringify({
      error: 'Unauthorized: the token was refused, because it has expired.',
      code: 'UNAUTHENTICATED',
    }),
  });
  expect(lines).toMatchObject([{ status: 401, error: 'UNAUTHENTICATED' }]);
  const good = await tokenFor('alice');
  expect((await get(query, good)).status).toBe(200);
  for (let times = 0; times < 10; times++) await get(query, expired);
  expect((await get(query, await tokenFor('bob'))).status).toBe(429);
  // It was valid from this address before.
  expect((await get(query, good)).status).toBe(200);
});

test('rates count by subject, whatever the token, and the log names the subject', async () => {
  const { get, lines } = await runWithTokens();
  const rate = '2/h';
  const statuses = [
    (await get(query, await tokenFor('alice', { rate }))).status,
    (await get(query, await tokenFor('alice', { rate, jti: '2' }))).status,
    (await get(query, await tokenFor('alice', { rate, jti: '3' }))).status,
    (await get(query, await tokenFor('bob', { rate }))).status,
  ];
  expect(statuses).toEqual([200, 200, 429, 200]);
  expect(lines.map(({ key }) => key)).toEqual(['token:alice', 'token:alice', 'token:alice', 'token:bob']);
});

test('a token without a key of its issuer is not called a key', async () => {
  const { get } = await runWithTokens();
  const alice = await tokenFor('alice', { rate: '1/h' });
  expect((await get(query, alice)).headers).toMatchObject({ 'ratelimit-policy': '"token";q=1;w=3600' });
  expect(await get(query, alice)).toMatchObject({
    status: 429,
    body: expect.stringContaining('The subject of this token may make 1 request in 3600 s.'),
  });
});

test("the rate of the issuer's key counts all its tokens together, whatever their own rates", async () => {
  const { get } = await runWithTokens({ ...frontend, id: 'key_1', rate: { requests: 3, seconds: 3600 } });
  const alice = await tokenFor('alice', { rate: '2/h' });
  const first = await get(query, alice);
  expect(first).toMatchObject({
    status: 200,
    headers: { 'ratelimit-policy': '"token";q=2;w=3600, "key";q=3;w=3600' },
  });
  await get(query, alice);
  expect(await get(query, alice)).toMatchObject({
    status: 429,
    body: expect.stringContaining('The subject of this token may make 2 requests in 3600 s.'),
  });
  // A refused request of one subject takes nothing from the others.
  expect((await get(query, await tokenFor('bob', { rate: '100/h' }))).status).toBe(200);
  for (const other of [await tokenFor('bob', { rate: '100/h' }), await tokenFor('carol')]) {
    expect(await get(query, other)).toMatchObject({
      status: 429,
      body: expect.stringContaining("The key of this token's issuer may make 3 requests in 3600 s."),
    });
  }
});

test("the budget of the issuer's key covers all its tokens together", async () => {
  const ofKey = { of: 'bytes', amount: 1000, per: 'day' } as const;
  const { get, gateway } = await runWithTokens({ ...frontend, id: 'key_1', allowances: [ofKey] });
  const answer = await get(query, await tokenFor('alice', { bytesPerDay: 10, allow: ['rows=5/month'] }));
  const own = [
    { of: 'rows', amount: 5, per: 'month' },
    { of: 'bytes', amount: 10, per: 'day' },
  ];
  expect(gateway.executor.calls).toMatchObject([
    {
      payer: {
        key: 'token:alice',
        spenders: [
          { account: 'token of frontend for alice', allowances: own },
          { account: 'key frontend', allowances: [ofKey] },
        ],
      },
    },
  ]);
  expect(String(answer.headers.ratelimit).replaceAll(/;t=\d+/g, '')).toBe(
    '"token-rows-month";r=5, "token-bytes-day";r=10, "bytes-day";r=1000',
  );
});

test('a key that looks like a token remains a key', async () => {
  const { get } = await runWithTokens();
  expect((await get(query, 'a.b.c')).status).toBe(200);
});
