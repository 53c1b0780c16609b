import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/system/clock.ts';
import type { Log } from '../../../src/base/terminal/log.ts';
import { storedKeyJson } from '../../../src/calls/access/key/stored-key.ts';
import { KeyCache } from '../../../src/calls/access/key-cache/key-cache.ts';
import { RedisKeySource } from '../../../src/calls/access/key-cache/redis-key-source.ts';
import { RedisKeyStore } from '../../../src/calls/access/store/redis-key-store.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { describeWithRedis, TestRedis } from '../../support/redis.ts';
import { addKey, revoke, rotate } from './support/keys.ts';

/** A log that keeps warnings, with their reasons. */
function warnings() {
  const lines: string[] = [];
  const warn: Log['warn'] = (message, { reason } = {}) =>
    lines.push(reason === undefined ? message : `${message}: ${reason}`);
  return { ...fakeLog(), warn, lines };
}

describeWithRedis('keys in Redis', () => {
  let redis: TestRedis;
  let names = 0;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis?.remove());

  function namespace() {
    names += 1;
    return `test-${names}`;
  }

  function openStore(name: string) {
    const store = new RedisKeyStore({ url: redis.url, namespace: name }, systemClock);
    onTestFinished(() => store.close());
    return store;
  }

  /** What a gateway knows. */
  async function openRing(name: string) {
    const log = fakeLog();
    const source = new RedisKeySource({ url: redis.url, namespace: name, clock: systemClock, log });
    onTestFinished(() => source.close());
    expect(await source.isKnownWithin(2000)).toBe(true);
    return { log, source, ring: new KeyCache({ source, clock: systemClock, log }) };
  }

  test('are known to all replicas when making or revoking them is done', async () => {
    const name = namespace();
    const store = openStore(name);
    const rings = await Promise.all([openRing(name), openRing(name)]);
    const { text, key } = await addKey(store, { projects: ['a'] });
    for (const { ring } of rings) await expect.poll(() => ring.find(text)?.projects).toEqual(new Set(['a']));
    await revoke(store, key.id);
    for (const { ring } of rings) await expect.poll(() => ring.find(text)).toBeUndefined();
    const [stored] = await store.read();
    expect(stored).toMatchObject({ id: key.id, projects: ['a'], revoked: expect.any(Number) });
  });

  test('are all there when many are made at once, and a name has one holder', async () => {
    const name = namespace();
    const stores = [openStore(name), openStore(name), openStore(name)];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) =>
        addKey(stores[index % 3] ?? openStore(name), { name: `k${index % 12}` }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(12);
    const found = (await openStore(name).read()).map((key) => key.name);
    expect(new Set(found).size).toBe(12);
    expect(found).toHaveLength(12);
  });

  test('stand there as digests', async () => {
    const name = namespace();
    const { text } = await addKey(openStore(name));
    const all = JSON.stringify(await redis.command('HGETALL', `${name}:keys:1`));
    expect(all).toContain('digest');
    expect(all).not.toContain(text.slice(4, 12));
  });

  test('that Redis has lost are put back, revoked ones as such', async () => {
    const name = namespace();
    const store = openStore(name);
    const { ring, log } = await openRing(name);
    const good = await addKey(store, { name: 'good' });
    const bad = await addKey(store, { name: 'bad' });
    await eventually(
      'they are known',
      () => ring.find(good.text) !== undefined && ring.find(bad.text) !== undefined,
    );
    await revoke(store, bad.key.id);
    await eventually('the revocation is known', () => ring.find(bad.text) === undefined);
    const before = await store.read();
    await redis.command('DEL', `${name}:keys:1`);
    await eventually('they are back', async () => (await store.read()).length === 2);
    expect(await store.read()).toEqual(before);
    expect(ring.find(good.text)).toBeDefined();
    expect(ring.find(bad.text)).toBeUndefined();
    expect(log.lines).toContain('warn: restored keys that Redis had lost');
  });

  test('that are rotated at once are all valid, and stay so when Redis forgets that', async () => {
    const name = namespace();
    const { ring } = await openRing(name);
    const { text, key } = await addKey(openStore(name));
    const former = JSON.stringify(storedKeyJson(key));
    const others = await Promise.all(
      [openStore(name), openStore(name)].map((store) => rotate(store, key.id)),
    );
    const texts = [text, ...others.map((other) => other.text)];
    const areKnown = () => texts.every((each) => ring.find(each)?.id === key.id);
    await eventually('all are known', areKnown);
    await redis.command('HSET', `${name}:keys:1`, key.id, former);
    await redis.command('HSET', `${name}:keys:1`, 'version', 'other');
    const isBack = async () => (await openStore(name).read())[0]?.former?.length === 2;
    await eventually('the rotations are back', isBack);
    expect(areKnown()).toBe(true);
  });

  test('have the latest use that any replica has stored', async () => {
    const name = namespace();
    const [one, other] = [openStore(name), openStore(name)];
    const uses = (at: number, digest: string) =>
      new Map([['key_12345678', new Map([[digest, at * 60_000]])]]);
    await Promise.all([
      one.addUses(uses(3, 'present')),
      other.addUses(uses(5, 'present')),
      one.addUses(uses(2, 'earlier')),
    ]);
    await one.addUses(uses(4, 'present'));
    const stored = new Map([
      ['present', 5 * 60_000],
      ['earlier', 2 * 60_000],
    ]);
    expect((await other.uses()).get('key_12345678')).toEqual(stored);
  });

  test('that are revoked stay so when Redis forgets that alone', async () => {
    const name = namespace();
    const store = openStore(name);
    const { ring } = await openRing(name);
    const { text, key } = await addKey(store);
    await eventually('it is known', () => ring.find(text) !== undefined);
    await revoke(store, key.id);
    await eventually('it is known to be revoked', () => ring.find(text) === undefined);
    await store.put(() => key);
    await eventually('it is revoked again', async () => (await store.read())[0]?.revoked !== undefined);
    expect(ring.find(text)).toBeUndefined();
  });

  test('that are not understood let nobody in, and are left as they are', async () => {
    const name = namespace();
    const store = openStore(name);
    const { ring, log } = await openRing(name);
    const { text, key } = await addKey(store);
    await eventually('it is known', () => ring.find(text) !== undefined);
    const strange = JSON.stringify({ ...key, countries: ['ch'] });
    await redis.command('HSET', `${name}:keys:1`, key.id, strange, 'version', 'x');
    await eventually('it is no good', () => ring.find(text) === undefined);
    expect(await redis.command('HGET', `${name}:keys:1`, key.id)).toBe(strange);
    expect(log.lines.join()).toContain('invalid key records');
    await expect(store.read()).rejects.toThrow(key.id);
  });

  test('go on as they were known while Redis is away, and are heard of again afterwards', async () => {
    const own = await TestRedis.start();
    onTestFinished(() => own.remove());
    const store = new RedisKeyStore({ url: own.url, namespace: 'own' }, systemClock);
    const log = warnings();
    const source = new RedisKeySource({ url: own.url, namespace: 'own', clock: systemClock, log });
    onTestFinished(() => source.close());
    const ring = new KeyCache({ source, clock: systemClock, log });
    expect(await source.isKnownWithin(2000)).toBe(true);
    const { text, key } = await addKey(store);
    await store.close();
    await eventually('it is known', () => ring.find(text) !== undefined);

    await own.kill();
    await eventually('it is missed', () => log.lines.length > 0);
    expect(log.lines[0]).toMatch(/^Redis is unavailable: key changes .*: (?!Redis is unavailable)/);
    expect(ring.find(text)).toBeDefined();
    const away = new RedisKeyStore({ url: own.url, namespace: 'own' }, systemClock);
    await expect(away.read()).rejects.toThrow("REDIS_URL: the keys in Redis can't be read or changed");

    await own.start();
    const after = new RedisKeyStore({ url: own.url, namespace: 'own' }, systemClock);
    onTestFinished(() => after.close());
    await eventually('it is back', async () => (await after.read()).length === 1);
    expect(ring.find(text)).toBeDefined();
    await revoke(after, key.id);
    await eventually('it is revoked', () => ring.find(text) === undefined);
  });

  test('time out in a command when Redis hangs, with one limit for all steps', async () => {
    const own = await TestRedis.start();
    onTestFinished(() => own.remove());
    const patient = new RedisKeyStore({ url: own.url, namespace: 'own' }, systemClock);
    onTestFinished(() => patient.close());
    await patient.read();
    own.freeze();
    const store = new RedisKeyStore({ url: own.url, namespace: 'own' }, systemClock, 300);
    onTestFinished(() => store.close());
    await expect(store.read()).rejects.toThrow('no answer within 300 ms');
    await expect(addKey(store)).rejects.toThrow('no answer within 300 ms');
  });

  test('are not known, rather than none, while Redis has not been there', async () => {
    const absent = await TestRedis.absent();
    onTestFinished(() => absent.remove());
    const log = warnings();
    const source = new RedisKeySource({ url: absent.url, namespace: 'n', clock: systemClock, log });
    onTestFinished(() => source.close());
    expect(await source.isKnownWithin(100)).toBe(false);
    expect(source.current()).toBeUndefined();
    expect(log.lines).toEqual([
      expect.stringMatching(
        /^Redis is unavailable: stored keys are unknown until Redis returns them: (?:.*ECONNREFUSED|it has not been reached yet)/,
      ),
    ]);
    await absent.start();
    await eventually('they are known', () => source.current() !== undefined);
    await eventually('it is told of', () => log.lines.length === 2);
    expect(log.lines[1]).toContain('Redis is available again: key changes are received');
  });

  test('are not known either while Redis refuses to show them, and the log says why', async () => {
    await redis.command('ACL', 'SETUSER', 'limited', 'on', '>x', '~*', '&*', '+@all', '-hget');
    const log = warnings();
    const url = redis.url.replace('://', '://limited:x@');
    const source = new RedisKeySource({ url, namespace: namespace(), clock: systemClock, log });
    onTestFinished(() => source.close());
    // Within this time, a busy machine has reached Redis, too.
    expect(await source.isKnownWithin(3_000)).toBe(false);
    expect(log.lines).toEqual([expect.stringContaining("permissions to run the 'hget' command")]);
  });
});
