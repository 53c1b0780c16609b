import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '../../../src/access/caller.ts';
import { isToken } from '../../../src/access/token/is-token.ts';
import type { JwtSettings } from '../../../src/access/token/read-jwt-settings.ts';
import { TokenVerifier } from '../../../src/access/token/token-verifier.ts';
import { portOf } from '../../support/redis.ts';

const secret = 'a secret of more than thirty-two characters';
const now = Date.UTC(2026, 0, 1);
const issuerKey: Caller = { name: 'frontend', scopes: new Set(['query', 'admin']), redact: false };

interface Made {
  readonly claims?: Record<string, unknown>;
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: Parameters<SignJWT['sign']>[0];
  readonly seconds?: number | undefined;
  readonly audience?: string;
}

function signed({ claims = {}, alg = 'HS256', kid, key, ...made }: Made = {}): Promise<string> {
  const { audience = 'endpoint-gateway' } = made;
  const token = new SignJWT({ sub: 'alice', ...claims })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setAudience(audience)
    .setIssuer('https://login.example');
  const seconds = 'seconds' in made ? made.seconds : 600;
  if (seconds !== undefined) token.setExpirationTime(now / 1000 + seconds);
  return token.sign(key ?? new TextEncoder().encode(secret));
}

function verifier(settings: Partial<JwtSettings> = {}, issuer: () => Caller | undefined = () => issuerKey) {
  const clock = { time: now, now: () => clock.time };
  const tokens = new TokenVerifier({
    settings: { secret, keySet: undefined, issuer: undefined, audience: 'endpoint-gateway', ...settings },
    clock,
    issuerKey: issuer,
  });
  const bearerOf = async (token: string) => {
    await tokens.verify(token);
    return tokens.find(token);
  };
  return { tokens, clock, bearerOf };
}

describe('a token', () => {
  test('gives its bearer the claimed restrictions, and no scope but query', async () => {
    const { bearerOf } = verifier();
    const claims = {
      endpoints: ['logs.all'],
      projects: ['mine'],
      pins: [{ parameter: 'level', value: 'error' }],
      redact: true,
      rate: '10/s',
    };
    const token = await signed({ claims });
    expect(isToken(token)).toBe(true);
    expect(await bearerOf(token)).toEqual({
      id: 'token of frontend for alice',
      name: 'token:alice',
      isToken: true,
      scopes: new Set(['query']),
      endpoints: new Set(['logs.all']),
      projects: new Set(['mine']),
      pins: new Map([['level', 'error']]),
      redact: true,
      rate: { requests: 10, seconds: 1 },
      expires: now + 600_000,
    });
  });

  test('can only narrow what its issuer was given', async () => {
    const issuer: Caller = {
      ...issuerKey,
      id: 'key_1',
      redact: true,
      endpoints: new Set(['a', 'b']),
      projects: new Set(['p', 'q']),
      pins: new Map([['tenant', '1']]),
      rate: { requests: 5, seconds: 1 },
      bytesPerDay: 100,
    };
    const { bearerOf } = verifier({}, () => issuer);
    const claims = {
      ...{ endpoints: ['b', 'c'], projects: ['q', 'r'], redact: false, rate: '100/s', bytesPerDay: 1000 },
      pins: [{ parameter: 'level', value: 'x' }],
    };
    expect(await bearerOf(await signed({ claims }))).toMatchObject({
      endpoints: new Set(['b']),
      projects: new Set(['q']),
      pins: new Map([
        ['tenant', '1'],
        ['level', 'x'],
      ]),
      redact: true,
      // The issuer's own counts as well.
      rate: { requests: 100, seconds: 1 },
      issuer,
      bytesPerDay: 100,
    });
    const elsewhere = { claims: { pins: [{ parameter: 'tenant', value: '2' }] } };
    await expect(bearerOf(await signed(elsewhere))).rejects.toThrow('pins a parameter to another value');
    for (const claims of [{ endpoints: ['c'] }, { projects: ['r'] }]) {
      await expect(bearerOf(await signed({ claims }))).rejects.toThrow(
        `its claim "${Object.keys(claims)[0]}" has nothing that its issuer may`,
      );
    }
  });

  test('is valid until it expires, with a tolerance, and as long as its issuer', async () => {
    let issuer: Caller | undefined = issuerKey;
    const { tokens, clock, bearerOf } = verifier({}, () => issuer);
    const token = await signed({ seconds: 60 });
    await bearerOf(token);
    clock.time = now + 80_000;
    expect(tokens.find(token)).toBeDefined();
    clock.time = now + 95_000;
    expect(tokens.find(token)).toBeUndefined();
    await expect(tokens.verify(token)).rejects.toThrow('it has expired');
    clock.time = now;
    issuer = undefined;
    await expect(tokens.verify(await signed())).rejects.toThrow('key of its issuer is not valid');
  });

  test('keeps its caller, so that answers are cached for it', async () => {
    const { bearerOf } = verifier();
    const token = await signed();
    expect(await bearerOf(token)).toBe(await bearerOf(token));
  });
});

describe('a token is refused', () => {
  test.each<[string, () => Promise<string>]>([
    ['has expired', () => signed({ seconds: -60 })],
    ['no claim "exp"', () => signed({ seconds: undefined })],
    ['claim "exp"', () => signed({ seconds: 1e300 })],
    ['claim "aud"', () => signed({ audience: 'another' })],
    ['claim "sub"', () => signed({ claims: { sub: '' } })],
    ['claim "nbf"', () => signed({ claims: { nbf: now / 1000 + 100 } })],
    ['claim "projects', () => signed({ claims: { projects: ["x' OR 1=1"] } })],
    ['claim "endpoints"', () => signed({ claims: { endpoints: 'logs.all' } })],
    ['claim "pins.0"', () => signed({ claims: { pins: [{ parameter: 'a', value: 'b', values: ['c'] }] } })],
    ['claim "rate"', () => signed({ claims: { rate: 'fast' } })],
    ['signature is wrong', () => signed({ key: new TextEncoder().encode('x'.repeat(40)) })],
    [
      'algorithm is not allowed',
      () => signed({ alg: 'HS512', key: new TextEncoder().encode('x'.repeat(64)) }),
    ],
    ['longer than', () => signed({ claims: { more: 'x'.repeat(10_000) } })],
    [
      'algorithm is not allowed',
      async () => new UnsecuredJWT({ sub: 'a' }).setExpirationTime(now / 1000 + 60).encode(),
    ],
  ])('because %s', async (why, make) => {
    await expect(verifier().tokens.verify(await make())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining(why),
    });
  });

  test('because of another issuer, where one is set', async () => {
    const { tokens } = verifier({ issuer: 'https://other.example' });
    await expect(tokens.verify(await signed())).rejects.toThrow('claim "iss"');
  });
});

describe('a key set', () => {
  async function pair(alg: 'RS256' | 'ES256', kid: string) {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
  }

  test.each(['RS256', 'ES256'] as const)('verifies %s', async (alg) => {
    const { privateKey, jwk } = await pair(alg, 'k');
    const { bearerOf } = verifier({ keySet: { keys: [jwk] } as JSONWebKeySet });
    expect(await bearerOf(await signed({ alg, key: privateKey }))).toMatchObject({ name: 'token:alice' });
  });

  test('may have several keys that fit a token', async () => {
    const [one, other, foreign] = [
      await pair('ES256', 'a'),
      await pair('ES256', 'b'),
      await pair('ES256', 'c'),
    ];
    const { bearerOf } = verifier({ keySet: { keys: [one.jwk, other.jwk] } as JSONWebKeySet });
    const byOther = await signed({ alg: 'ES256', key: other.privateKey });
    expect(await bearerOf(byOther)).toMatchObject({ name: 'token:alice' });
    const late = await signed({ alg: 'ES256', key: other.privateKey, seconds: -60 });
    await expect(bearerOf(late)).rejects.toThrow('it has expired');
    const byForeign = await signed({ alg: 'ES256', key: foreign.privateKey });
    await expect(bearerOf(byForeign)).rejects.toThrow('signature is wrong');
  });

  test('can be replaced at its URL: new keys are fetched, and dropped ones are forgotten', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const [old, next] = [await pair('ES256', 'old'), await pair('ES256', 'next')];
    let keys = [old.jwk];
    let fetches = 0;
    const server = createServer((_, response) => {
      fetches += 1;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { tokens, bearerOf } = verifier({
      keySet: new URL(`http://127.0.0.1:${portOf(server)}/jwks.json`),
    });
    const by = (made: typeof old, subject: string) =>
      signed({ alg: 'ES256', kid: made.jwk.kid, key: made.privateKey, claims: { sub: subject } });

    expect(await bearerOf(await by(old, 'a'))).toMatchObject({ name: 'token:a' });
    keys = [next.jwk];
    await expect(tokens.verify(await by(next, 'b'))).rejects.toThrow('its key is unknown');
    expect(fetches).toBe(1);
    vi.setSystemTime(now + 31_000);
    expect(await bearerOf(await by(next, 'b'))).toMatchObject({ name: 'token:b' });
    await expect(tokens.verify(await by(old, 'c'))).rejects.toThrow('its key is unknown');
    expect(fetches).toBe(2);
  });

  test('does not make a public key a secret', async () => {
    const { jwk } = await pair('RS256', 'k');
    const { tokens } = verifier({ secret: undefined, keySet: { keys: [jwk] } as JSONWebKeySet });
    const forged = await signed({ key: new TextEncoder().encode(JSON.stringify(jwk)) });
    await expect(tokens.verify(forged)).rejects.toThrow('algorithm is not allowed');
  });

  test('is fetched from a URL; while it is down, that is no fault of the token', async () => {
    const { privateKey, jwk } = await pair('ES256', 'k');
    let isDown = true;
    const server = createServer((_, response) => {
      if (isDown) response.writeHead(500).end();
      else
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const keySet = new URL(`http://127.0.0.1:${portOf(server)}/jwks.json`);
    const token = await signed({ alg: 'ES256', key: privateKey });
    await expect(verifier({ keySet }).tokens.verify(token)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
    });
    isDown = false;
    expect(await verifier({ keySet }).bearerOf(token)).toMatchObject({ name: 'token:alice' });
  });
});
