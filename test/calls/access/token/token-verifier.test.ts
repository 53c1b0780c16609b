import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { CacheBudget } from '../../../../src/base/memory/cache-budget.ts';
import { isToken } from '../../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../../src/calls/access/caller/caller.ts';
import type { IssuerKey } from '../../../../src/calls/access/token/token-claims.ts';
import { type JwtSettings, TokenVerifier } from '../../../../src/calls/access/token/token-verifier.ts';

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

const defaults: JwtSettings = {
  secret,
  issuer: undefined,
  audience: 'endpoint-gateway',
  maxLifetimeSeconds: 86_400,
};

function verifier(
  settings: Partial<JwtSettings> = {},
  issuer: () => IssuerKey | undefined = () => ({ caller: issuerKey }),
) {
  const clock = { time: now, now: () => clock.time };
  const tokens = new TokenVerifier({
    memory: new CacheBudget({ name: 'tokens', maxBytes: 1_000_000 }),
    settings: { ...defaults, ...settings },
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
      allowances: [{ of: 'bytes', amount: 100, per: 'day' }],
    };
    const { bearerOf } = verifier({}, () => ({ caller: issuer }));
    const claims = {
      ...{ endpoints: ['b', 'c'], projects: ['q', 'r'], redact: false, rate: '100/s', bytesPerDay: 1000 },
      ...{ allow: ['calls=50/hour'], whenSpent: 'slow' },
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
      // As its rate.
      allowances: [
        { of: 'calls', amount: 50, per: 'hour', slows: true },
        { of: 'bytes', amount: 1000, per: 'day', slows: true },
      ],
    });
    const elsewhere = { claims: { pins: [{ parameter: 'tenant', value: '2' }] } };
    await expect(bearerOf(await signed(elsewhere))).rejects.toThrow('pins a parameter to another value');
    for (const claims of [{ endpoints: ['c'] }, { projects: ['r'] }]) {
      await expect(bearerOf(await signed({ claims }))).rejects.toThrow(
        `its claim "${Object.keys(claims)[0]}" allows nothing that the key of its issuer allows`,
      );
    }
  });

  test('is valid until it expires, with a tolerance, and as long as its issuer', async () => {
    let issuer: IssuerKey | undefined = { caller: issuerKey };
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

  test('stays valid for what goes on when it is forgotten for others, and ends with it', async () => {
    const { tokens, clock, bearerOf } = verifier();
    const token = await signed();
    const bearer = await bearerOf(token);
    if (bearer === undefined) throw new Error('the token was not verified');
    const filling = 'x'.repeat(5000);
    for (let jti = 0; jti < 160; jti++) await tokens.verify(await signed({ claims: { jti, filling } }));
    expect(tokens.find(token)).toBeUndefined();
    expect(tokens.isValid(bearer)).toBe(true);
    clock.time = now + 630_000;
    expect(tokens.isValid(bearer)).toBe(false);
  });

  test('is not forgotten for the tokens of another subject', async () => {
    const { tokens } = verifier();
    const [light, first] = [
      await signed({ claims: { sub: 'light' } }),
      await signed({ claims: { jti: -1 } }),
    ];
    for (const token of [light, first]) await tokens.verify(token);
    const filling = 'x'.repeat(5000);
    for (let jti = 0; jti < 160; jti++) await tokens.verify(await signed({ claims: { jti, filling } }));
    expect(tokens.find(first)).toBeUndefined();
    expect(tokens.find(light)).toBeDefined();
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

const seconds = now / 1000;

describe('the lifetime of a token', () => {
  test('is at most the longest allowed, from its issue', async () => {
    const { bearerOf, tokens } = verifier({ maxLifetimeSeconds: 3600 });
    expect(await bearerOf(await signed({ claims: { iat: seconds - 3000 }, seconds: 600 }))).toBeDefined();
    const longer = await signed({ claims: { iat: seconds - 3001 }, seconds: 600 });
    await expect(tokens.verify(longer)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('valid for more than 3600 s, the limit in JWT_MAX_LIFETIME_SECONDS'),
    });
  });

  test('does not begin in the future', async () => {
    const { bearerOf, tokens } = verifier();
    expect(await bearerOf(await signed({ claims: { iat: seconds + 30 } }))).toBeDefined();
    const future = await signed({ claims: { iat: seconds + 31 } });
    await expect(tokens.verify(future)).rejects.toThrow('it was issued in the future');
  });

  test('of one without a time of issue is its last part, however often it is verified', async () => {
    const { clock, bearerOf, tokens } = verifier({ maxLifetimeSeconds: 3600 });
    const token = await signed({ seconds: 10_000 });
    for (const at of [0, 3000, 6369]) {
      clock.time = now + at * 1000;
      await expect(tokens.verify(token)).rejects.toThrow('valid for more than 3600 s');
    }
    for (const at of [6370, 10_029]) {
      clock.time = now + at * 1000;
      expect(await bearerOf(token)).toBeDefined();
    }
    clock.time = now + 10_030_000;
    expect(tokens.find(token)).toBeUndefined();
    await expect(tokens.verify(token)).rejects.toThrow('it has expired');
  });
});

describe('the key of the issuer', () => {
  /** A verifier whose issuer's key was created now, and tokens of these ages. */
  function issuedBy(hadPredecessor: boolean) {
    const { tokens } = verifier({}, () => ({ caller: issuerKey, created: now, hadPredecessor }));
    return async (age: number | undefined) => {
      const token = await signed({ claims: age === undefined ? {} : { iat: seconds - age } });
      return tokens.verify(token);
    };
  }

  test('is not that of tokens that were issued before it was created', async () => {
    const verifyOfAge = issuedBy(false);
    await verifyOfAge(0);
    await verifyOfAge(30);
    await verifyOfAge(undefined);
    await expect(verifyOfAge(31)).rejects.toThrow('issued before the key of its issuer was created');
  });

  test('is not that of tokens of an earlier key with the same name', async () => {
    const verifyOfAge = issuedBy(true);
    await verifyOfAge(0);
    await expect(verifyOfAge(1)).rejects.toThrow('issued before the key of its issuer was created');
    await expect(verifyOfAge(undefined)).rejects.toThrow('it has no claim "iat", and an earlier key');
  });

  test('is looked at again when it changes', async () => {
    let issuer: IssuerKey | undefined = { caller: issuerKey };
    const { tokens, bearerOf } = verifier({}, () => issuer);
    const token = await signed({ claims: { iat: seconds } });
    const before = await bearerOf(token);
    if (before === undefined) throw new Error('the token was not verified');
    expect(tokens.isValid(before)).toBe(true);
    const narrowed = { ...issuerKey, projects: new Set(['mine']) };
    issuer = { caller: narrowed };
    expect(tokens.isValid(before)).toBe(false);
    expect(tokens.find(token)).toBeUndefined();
    expect(await bearerOf(token)).toMatchObject({ projects: new Set(['mine']) });
    expect(await bearerOf(token)).not.toBe(before);
    issuer = { caller: { ...narrowed }, created: now + 1, hadPredecessor: true };
    await expect(bearerOf(token)).rejects.toThrow('issued before the key of its issuer was created');
    issuer = undefined;
    expect(tokens.find(token)).toBeUndefined();
  });
});
