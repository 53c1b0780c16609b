import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../../src/calls/access/caller/caller.ts';
import { SigningKeys } from '../../../../src/calls/access/token/signing-keys.ts';
import { TokenVerifier } from '../../../../src/calls/access/token/token-verifier.ts';
import { memoryBudgets } from '../../../../src/definitions/settings/memory-budgets.ts';
import { fakeLog } from '../../../server/listener/running-gateway.ts';
import { portOf } from '../../../support/redis.ts';
import { ManualClock } from '../../executor/support/manual-clock.ts';

const secret = 'a secret of more than thirty-two characters';
const frontend: Caller = { name: 'frontend', scopes: new Set(['query']), redact: false };

interface Pair {
  readonly jwk: JWK & { readonly alg: string };
  readonly privateKey: CryptoKey;
}

async function pair(kid?: string, alg = 'ES256'): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg, ...(kid !== undefined && { kid }) } };
}

/** A key set at a URL, which the test changes. */
async function published(...pairs: readonly Pair[]) {
  const set = { keys: pairs.map(({ jwk }) => jwk), isDown: false, fetches: 0, url: '' };
  const server = createServer((_, response) => {
    set.fetches += 1;
    response.writeHead(set.isDown ? 500 : 200).end(JSON.stringify({ keys: set.keys }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  set.url = `http://127.0.0.1:${portOf(server)}/jwks.json`;
  return set;
}

/** A verifier with the key set at a place, and a clock that stands still. */
async function verifierOf(place: string) {
  const clock = new ManualClock();
  const signingKeys = await SigningKeys.open({ place, clock, log: fakeLog() });
  onTestFinished(() => signingKeys.close());
  const tokens = new TokenVerifier({
    memory: memoryBudgets().tokens,
    settings: { secret, issuer: undefined, audience: 'endpoint-gateway', maxLifetimeSeconds: 86_400 },
    signingKeys,
    clock,
    issuerKey: () => ({ caller: frontend }),
  });
  const bearerOf = async (token: string) => {
    await tokens.verify(token);
    return tokens.find(token);
  };
  /** Lets the time pass in which something becomes true. */
  const pass = async (milliseconds: number, until: () => unknown) => {
    await clock.advance(milliseconds);
    await expect.poll(until).toBe(true);
  };
  const by = ({ jwk, privateKey }: Pair, sub = 'alice') =>
    new SignJWT({ sub })
      .setProtectedHeader({ alg: jwk.alg, ...(jwk.kid !== undefined && { kid: jwk.kid }) })
      .setAudience('endpoint-gateway')
      .setIssuedAt(clock.now() / 1000)
      .setExpirationTime(clock.now() / 1000 + 7200)
      .sign(privateKey);
  return { clock, tokens, bearerOf, pass, by };
}

test.each(['RS256', 'ES256'])('a key set verifies %s', async (alg) => {
  const key = await pair('k', alg);
  const { bearerOf, by } = await verifierOf((await published(key)).url);
  expect(await bearerOf(await by(key))).toMatchObject({ name: 'token:alice' });
});

test('keys without a name are all tried', async () => {
  const keys = [await pair(), await pair()] as const;
  const { clock, tokens, bearerOf, by } = await verifierOf((await published(...keys)).url);
  for (const key of keys) expect(await bearerOf(await by(key))).toBeDefined();
  const expired = await by(keys[1]);
  const refused = expect(tokens.verify(await by(await pair()))).rejects.toThrow('its signature is wrong');
  await clock.advance(5000);
  await refused;
  await clock.advance(7_230_000);
  await expect(tokens.verify(expired)).rejects.toThrow('it has expired');
});

test('does not make a public key a secret', async () => {
  const key = await pair('k', 'RS256');
  const { tokens } = await verifierOf((await published(key)).url);
  const forged = await new SignJWT({ sub: 'alice' })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('endpoint-gateway')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(JSON.stringify(key.jwk)));
  await expect(tokens.verify(forged)).rejects.toThrow('its signature is wrong');
});

describe('a key that leaves the set', () => {
  test('refuses the tokens that it had verified, and no others', async () => {
    const [gone, kept] = [await pair('gone'), await pair('kept')];
    const set = await published(gone, kept);
    const { clock, tokens, bearerOf, pass, by } = await verifierOf(set.url);
    const [old, other] = [await by(gone), await by(kept)];
    const ended = await bearerOf(old);
    const before = await bearerOf(other);
    set.keys = [kept.jwk];
    // Nothing is presented, and nothing unknown.
    await pass(50_000, () => tokens.find(old) === undefined);
    expect(tokens.find(other)).toBe(before);
    expect([ended, before].map((bearer) => bearer && tokens.isValid(bearer))).toEqual([false, true]);
    const refused = expect(tokens.verify(old)).rejects.toThrow('its key is unknown');
    await clock.advance(5000);
    await refused;
  });

  test('is another one when it comes back under the same name', async () => {
    const [first, second] = [await pair('k'), await pair('k')];
    const set = await published(first);
    const { clock, tokens, bearerOf, pass, by } = await verifierOf(set.url);
    const old = await by(first);
    await bearerOf(old);
    set.keys = [second.jwk];
    await pass(50_000, () => tokens.find(old) === undefined);
    const refused = expect(tokens.verify(old)).rejects.toThrow('its signature is wrong');
    await clock.advance(5000);
    await refused;
    expect(await bearerOf(await by(second))).toBeDefined();
  });

  test('is the same key when its members are in another order', async () => {
    const key = await pair('k');
    const set = await published(key);
    const { tokens, bearerOf, pass, by } = await verifierOf(set.url);
    const token = await by(key);
    const before = await bearerOf(token);
    set.keys = [Object.fromEntries(Object.entries(key.jwk).reverse()) as Pair['jwk']];
    await pass(50_000, () => set.fetches === 2);
    expect(tokens.find(token)).toBe(before);
  });

  test('can be the last one', async () => {
    const key = await pair('k');
    const set = await published(key);
    const { tokens, bearerOf, pass, by } = await verifierOf(set.url);
    const token = await by(key);
    await bearerOf(token);
    set.keys = [];
    await pass(50_000, () => tokens.find(token) === undefined);
  });
});

describe('a new key', () => {
  test('is known at once, and soon after another one', async () => {
    const keys = [await pair('a'), await pair('b'), await pair('c')] as const;
    const set = await published(keys[0]);
    const { clock, bearerOf, by } = await verifierOf(set.url);
    await bearerOf(await by(keys[0]));
    await clock.advance(5000);
    set.keys = [keys[1].jwk];
    expect(await bearerOf(await by(keys[1]))).toBeDefined();
    expect(set.fetches).toBe(2);
    set.keys = [keys[2].jwk];
    const waiting = [bearerOf(await by(keys[2])), bearerOf(await by(keys[2], 'bob'))];
    await clock.advance(4999);
    expect(set.fetches).toBe(2);
    await clock.advance(1);
    expect(await Promise.all(waiting)).toMatchObject([{ name: 'token:alice' }, { name: 'token:bob' }]);
    expect(set.fetches).toBe(3);
  });

  test('without a name is known, too', async () => {
    const [first, second] = [await pair(), await pair()];
    const set = await published(first);
    const { clock, bearerOf, by } = await verifierOf(set.url);
    await bearerOf(await by(first));
    await clock.advance(5000);
    set.keys = [second.jwk];
    expect(await bearerOf(await by(second))).toBeDefined();
  });
});

describe('a key set that cannot be read', () => {
  test('is no fault of a token', async () => {
    const key = await pair('k');
    const set = await published(key);
    set.isDown = true;
    const { pass, tokens, bearerOf, by } = await verifierOf(set.url);
    await expect(tokens.verify(await by(key))).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    set.isDown = false;
    await pass(5000, () => set.fetches === 2);
    expect(await bearerOf(await by(key))).toBeDefined();
  });

  test('leaves its known keys valid for ten minutes', async () => {
    const key = await pair('k');
    const set = await published(key);
    const { clock, tokens, bearerOf, pass, by } = await verifierOf(set.url);
    const token = await by(key);
    const before = await bearerOf(token);
    set.isDown = true;
    await pass(50_000, () => set.fetches === 2);
    await clock.advance(550_000);
    expect(tokens.find(token)).toBe(before);
    expect(await bearerOf(await by(key, 'bob'))).toBeDefined();
    await expect(tokens.verify(await by(await pair('new')))).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
    });
    await clock.advance(1);
    const unavailable = expect.objectContaining({ code: 'BACKEND_UNAVAILABLE' });
    expect(() => tokens.find(token)).toThrow(unavailable);
    await expect(tokens.verify(await by(key, 'carol'))).rejects.toEqual(unavailable);
    set.isDown = false;
    const fetches = set.fetches;
    await pass(10_000, () => set.fetches > fetches);
    await expect.poll(() => tokens.find(token)).toBe(before);
  });
});

test('a file is read again, too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'key-set-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'jwks.json');
  const write = (...pairs: readonly Pair[]) =>
    writeFile(file, JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) }));
  const [old, next] = [await pair('old'), await pair('next')];
  await write();
  await expect(verifierOf(file)).rejects.toThrow(`${file}: expected a key for RS256 or ES256`);
  await write(old);
  const { tokens, bearerOf, pass, by } = await verifierOf(file);
  const token = await by(old);
  await bearerOf(token);
  await write(next);
  await pass(50_000, () => tokens.find(token) === undefined);
  expect(await bearerOf(await by(next))).toBeDefined();
});

test('a URL with a password is refused, since it would be logged', async () => {
  await expect(verifierOf('http://a:b@127.0.0.1/jwks.json')).rejects.toThrow('a URL without a user');
});
