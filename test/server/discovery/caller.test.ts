import { expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { callerWith } from '../../../src/calls/access/key/stored-key.ts';
import { bearerWith } from '../../../src/calls/access/token/token-claims.ts';
import { runGateway } from '../listener/running-gateway.ts';

/** What a gateway tells the holder of such a key. */
async function toldTo(caller: Partial<Caller>, environment: Readonly<Record<string, string>> = {}) {
  const key = { name: 'k', secret: 'key', redact: false, scopes: new Set(['query'] as const), ...caller };
  const gateway = await runGateway({ access: keyAccess([key]), environment });
  const reply = await gateway.call('/api/caller');
  expect(reply.headers['cache-control']).toBe('private, no-store');
  return JSON.parse(reply.body);
}

test('a caller learns whose key it has and what it may do', async () => {
  expect(await toldTo({})).toEqual({
    name: 'k',
    scopes: ['query'],
    restricted: false,
    redact: false,
    expires: null,
    engine: 'duckdb',
    billed: false,
    writesEndpoints: false,
    editsEndpoints: false,
    pushesEndpoints: false,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
});

test('a key of any scope is told', async () => {
  expect(await toldTo({ scopes: new Set(['write', 'admin']) })).toMatchObject({ scopes: ['write', 'admin'] });
});

test.each([
  ['endpoints', { endpoints: new Set(['logs.all']) }],
  ['projects', { projects: new Set(['mine']) }],
  ['values', { pins: new Map([['level', 'error']]) }],
])('a key for some %s is restricted', async (_what, bounds) => {
  expect(await toldTo(bounds)).toMatchObject({ restricted: true });
});

test('the engine is told', async () => {
  const environment = { ENGINE: 'bigquery', GOOGLE_CLOUD_PROJECT: 'p', BIGQUERY_DATASET: 'd' };
  expect(await toldTo({ redact: true }, environment)).toMatchObject({ engine: 'bigquery', redact: true });
});

test('a key tells when it expires, and a token does before its issuer’s key at the latest', async () => {
  const expires = Date.UTC(2030, 0, 2);
  const digest = 'x'.repeat(43);
  const stored = { id: 'key_12345678', name: 'k', digest, created: 0, scopes: ['query' as const], expires };
  const issuer = callerWith(stored);
  expect(await toldTo(issuer)).toMatchObject({ expires: '2030-01-02T00:00:00.000Z' });
  const early = bearerWith({ sub: 'me', exp: Date.UTC(2030, 0, 1) / 1000 }, issuer);
  expect(await toldTo(early)).toMatchObject({ expires: '2030-01-01T00:00:00.000Z' });
  const late = bearerWith({ sub: 'me', exp: Date.UTC(2030, 0, 3) / 1000 }, issuer);
  expect(await toldTo(late)).toMatchObject({ expires: '2030-01-02T00:00:00.000Z' });
});

test('nothing is told without a key, or to other methods', async () => {
  const gateway = await runGateway();
  expect((await gateway.call('/api/caller', { anonymous: true })).status).toBe(401);
  const posted = await gateway.call('/api/caller', { method: 'POST' });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await gateway.call('/api/caller', { method: 'OPTIONS' })).status).toBe(204);
});
