import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileKeySource } from '../../../src/calls/access/key-cache/file-key-source.ts';
import { KeyCache } from '../../../src/calls/access/key-cache/key-cache.ts';
import { FileKeyStore, fileLookMs } from '../../../src/calls/access/store/file-key-store.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { ManualClock } from '../executor/support/manual-clock.ts';
import { addKey, keysFolder, revoke } from './support/keys.ts';

/** A ring over a file of keys, with a clock in the test's hand. */
function fileRing() {
  const file = join(keysFolder(), 'keys.json');
  const clock = new ManualClock();
  const log = fakeLog();
  const store = new FileKeyStore(file);
  const ring = new KeyCache({ source: new FileKeySource(file, clock, log), clock, log });
  return { file, clock, log, store, ring, look: () => clock.advance(fileLookMs) };
}

describe('the key of an issuer of tokens', () => {
  test('is the valid one of its name or id, the same as long as it is unchanged', async () => {
    const { ring, store, look } = fileRing();
    const { key } = await addKey(store, { name: 'frontend' });
    await look();
    const first = ring.issuer('frontend');
    expect(first).toMatchObject({ caller: { id: key.id }, created: key.created, hadPredecessor: false });
    expect(ring.issuer(key.id)?.caller).toBe(first?.caller);
    await addKey(store, { name: 'other' });
    await look();
    expect(ring.issuer('frontend')?.caller).toBe(first?.caller);
    await revoke(store, key.id);
    await look();
    expect(ring.issuer('frontend')).toBeUndefined();
    expect(ring.issuer(key.id)).toBeUndefined();
  });

  test('that is made anew has a predecessor, by its name, and is another one', async () => {
    const { ring, store, look } = fileRing();
    const { key } = await addKey(store, { name: 'frontend' });
    await look();
    const first = ring.issuer('frontend');
    await revoke(store, key.id);
    const second = await addKey(store, { name: 'frontend' });
    await look();
    expect(ring.issuer('frontend')).toMatchObject({ caller: { id: second.key.id }, hadPredecessor: true });
    expect(ring.issuer('frontend')?.caller).not.toBe(first?.caller);
    expect(ring.issuer(second.key.id)).toMatchObject({ hadPredecessor: false });
    expect(ring.issuer(key.id)).toBeUndefined();
  });
});

describe('a key', () => {
  test('is known as soon as it is stored, with all that it may', async () => {
    const { ring, store, look } = fileRing();
    const { text, key } = await addKey(store, {
      endpoints: ['e'],
      projects: ['p'],
      pins: [{ parameter: '__proto__', value: 'x' }],
      redact: true,
      rate: '10/m',
      bytesPerDay: 7,
      allow: ['engine-seconds=9/hour', 'bytes=1.5TB/month'],
      whenSpent: 'slow',
    });
    await look();
    expect(ring.find(text)).toEqual({
      id: key.id,
      name: 'who',
      scopes: new Set(['query']),
      endpoints: new Set(['e']),
      projects: new Set(['p']),
      pins: new Map([['__proto__', 'x']]),
      redact: true,
      rate: { requests: 10, seconds: 60 },
      allowances: [
        { of: 'engine-seconds', amount: 9, per: 'hour', slows: true },
        { of: 'bytes', amount: 1_500_000_000_000, per: 'month', slows: true },
        { of: 'bytes', amount: 7, per: 'day', slows: true },
      ],
    });
  });

  test('is unknown as its digest, its id, its name or a part of it', async () => {
    const { ring, store, look } = fileRing();
    const { text, key } = await addKey(store);
    await look();
    for (const other of [key.digest, key.id, key.name, text.slice(0, -1), `${text} `, '']) {
      expect(ring.find(other)).toBeUndefined();
    }
  });

  test('is refused once it is revoked', async () => {
    const { ring, store, look, log } = fileRing();
    const { text, key } = await addKey(store);
    await look();
    expect(ring.find(text)).toBeDefined();
    const caller = ring.find(text);
    expect(caller && ring.isValid(caller)).toBe(true);
    await revoke(store, key.id);
    await look();
    expect(caller && ring.isValid(caller)).toBe(false);
    expect(ring.find(text)).toBeUndefined();
    expect(ring.find(text)).toBeUndefined();
    expect(log.lines).toEqual(['warn: a key was refused']);
  });

  test('is good until the very moment at which it expires', async () => {
    const { ring, store, look, clock } = fileRing();
    const { text } = await addKey(store, { expires: clock.now() + 1000 }, clock.now());
    await look();
    await clock.advance(949);
    const caller = ring.find(text);
    expect(caller && ring.isValid(caller)).toBe(true);
    await clock.advance(1);
    expect(caller && ring.isValid(caller)).toBe(false);
    expect(ring.find(text)).toBeUndefined();
  });

  test('has the same caller while others come and go, and another one when its bounds change', async () => {
    const { ring, store, look, file } = fileRing();
    const { text } = await addKey(store, { projects: ['a', 'b'] });
    await look();
    const before = ring.find(text);
    await addKey(store, { name: 'other' });
    await look();
    expect(ring.find(text)).toBe(before);
    expect(before && ring.isValid(before)).toBe(true);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"a"', '"c"'));
    await look();
    expect(ring.find(text)?.projects).toEqual(new Set(['c', 'b']));
    expect(before && ring.isValid(before)).toBe(false);
  });
});

describe('a file of keys', () => {
  test('that is broken leaves those that were known, and says so once', async () => {
    const { ring, store, look, file, log } = fileRing();
    const { text, key } = await addKey(store);
    await look();
    expect(ring.find(text)).toBeDefined();
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.slice(0, 50));
    for (let round = 0; round < 3; round++) {
      await look();
      expect(ring.find(text)).toBeDefined();
    }
    expect(log.lines).toEqual(['error: cannot read the keys; previously loaded keys stay valid']);
    writeFileSync(file, good);
    await revoke(store, key.id);
    await look();
    expect(ring.find(text)).toBeUndefined();
  });

  test('that cannot be read is read again later, so that a key revoked in the meantime is refused', async () => {
    const { store, look, file, clock, log } = fileRing();
    const { text, key } = await addKey(store);
    let isExhausted = false;
    const readText = (path: string) => {
      if (isExhausted) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      return readFileSync(path, 'utf8');
    };
    const ring = new KeyCache({ source: new FileKeySource(file, clock, log, readText), clock, log });
    expect(ring.find(text)).toBeDefined();
    await revoke(store, key.id);
    isExhausted = true;
    for (let round = 0; round < 3; round++) {
      await look();
      expect(ring.find(text)).toBeDefined();
    }
    expect(log.lines).toEqual(['error: cannot read the keys; previously loaded keys stay valid']);
    isExhausted = false;
    await look();
    expect(ring.find(text)).toBeUndefined();
  });

  test('that is broken at the start is an error', async () => {
    const { file, clock, log } = fileRing();
    writeFileSync(file, '{');
    expect(() => new FileKeySource(file, clock, log)).toThrow(`${file}:1:2`);
  });

  test('that is gone holds no keys', async () => {
    const { ring, store, look, file } = fileRing();
    const { text } = await addKey(store);
    await look();
    rmSync(file);
    await look();
    expect(ring.find(text)).toBeUndefined();
  });
});

describe('keys that are not known yet', () => {
  test('are not invalid: callers are asked to retry', async () => {
    const { clock, log, store } = fileRing();
    const ring = new KeyCache({ source: { current: () => undefined }, clock, log });
    const { text } = await addKey(store);
    expect(() => ring.find(text)).toThrow(expect.objectContaining({ code: 'BACKEND_UNAVAILABLE' }));
    expect(ring.find('no key')).toBeUndefined();
  });
});
