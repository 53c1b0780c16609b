import { expect, it } from 'vitest';
import { RedisKeySource } from '../../src/access/key-cache/redis-key-source.ts';
import { RedisKeyStore } from '../../src/access/store/redis-key-store.ts';
import { systemClock } from '../../src/clock.ts';
import { type RedisPlace, redisPlace } from '../../src/redis/redis-address.ts';
import { eventually } from '../acceptance/support/processes.ts';
import { addKey, revoke } from '../access/support/keys.ts';
import { entryFor, keyedQuery, type OpenStore, Stores, valueIn } from '../executor/redis/support/stores.ts';
import { fakeLog } from '../server/running-gateway.ts';
import { describeWithRedis, TestRedis } from '../support/redis.ts';
import { clustered, named, type RedisGroup, watched } from './support/redis-groups.ts';

const day = '2026-01-31';

function placeOf(url: string): RedisPlace {
  const place = redisPlace({ redisUrl: url, cacheNamespace: 'test' });
  if (place === undefined) throw new TypeError('no place');
  return place;
}

/** Changes keys as a command does, with a connection of its own. */
async function withKeys<T>(place: RedisPlace, change: (store: RedisKeyStore) => Promise<T>): Promise<T> {
  const store = new RedisKeyStore(place, systemClock);
  try {
    return await change(store);
  } finally {
    await store.close();
  }
}

let round = 0n;

/** Eventually, one replica serves what another one has stored. */
async function share(from: OpenStore, to: OpenStore): Promise<void> {
  round += 1n;
  const value = round;
  await eventually('they share results', async () => {
    await from.store.set(await entryFor(keyedQuery('shared'), value));
    return (await valueIn(to.store, keyedQuery('shared'))) === value;
  });
}

/** Eventually, a purge by one replica succeeds and reaches the other one. */
async function purge(by: OpenStore, other: OpenStore): Promise<void> {
  await share(by, other);
  const before = other.drops.length;
  await eventually('a purge succeeds', () =>
    by.store.invalidate({}).then(
      () => true,
      () => false,
    ),
  );
  await eventually('it reaches the other replica', () => other.drops.length > before);
  expect(await valueIn(other.store, keyedQuery('shared'))).toBeUndefined();
}

/** What two replicas share works before and after a failover, and nothing that must last is lost. */
async function survive(group: Pick<RedisGroup, 'url'>, failOver: () => Promise<void>): Promise<void> {
  const place = placeOf(group.url);
  await using stores = new Stores();
  const [one, other] = await stores.pair(place, place.namespace);
  const source = new RedisKeySource({ ...place, clock: systemClock, log: fakeLog() });
  await using _closing = { [Symbol.asyncDispose]: () => source.close() };
  expect(await source.isKnownWithin(5000)).toBe(true);
  await share(one, other);
  await purge(one, other);
  const revoked = await withKeys(place, async (store) => {
    const { key } = await addKey(store, {});
    await revoke(store, key.id);
    return key.id;
  });
  const isRevoked = () => source.current()?.find(({ id }) => id === revoked)?.revoked !== undefined;
  await eventually('the revocation is known', isRevoked);
  expect(await one.store.spending.exchange(day, new Map([['key ada', 40]]))).toBeDefined();

  await failOver();

  await eventually('both are back', () => one.store.isReachable && other.store.isReachable);
  await purge(one, other);
  await purge(other, one);
  await share(other, one);
  const lease = await one.store.lease('a key');
  expect(typeof lease).toBe('object');
  expect(await other.store.lease('a key')).toBe('taken');
  expect(isRevoked()).toBe(true);
  await eventually('the revocation is in Redis', async () => {
    const keys = await withKeys(place, (store) => store.read());
    return keys.some(({ id, revoked: at }) => id === revoked && at !== undefined);
  });
  const { key } = await withKeys(place, (store) => addKey(store, {}));
  await eventually('a new key is known', () => source.current()?.some(({ id }) => id === key.id) === true);
  const third = await stores.connected(place, place.namespace);
  await eventually('what was spent is known', async () => {
    const spent = await third.store.spending.exchange(day, new Map([['key ada', 0]]));
    return spent?.get('key ada') === 40;
  });
}

describeWithRedis('what replicas share survives that', () => {
  it('the primary is made a replica, its connections stay, and its name moves', async () => {
    await using group = await named();
    const [primary, replica] = group.servers as [TestRedis, TestRedis];
    await survive(group, async () => {
      await replica.command('REPLICAOF', 'NO', 'ONE');
      await primary.replicate(replica);
      group.moveTo(replica);
    });
  });

  it('the primary is made a replica of an empty server', async () => {
    await using group = await named();
    const [primary, replica] = group.servers as [TestRedis, TestRedis];
    await survive(group, async () => {
      await replica.command('REPLICAOF', 'NO', 'ONE');
      await replica.command('FLUSHALL');
      await primary.replicate(replica);
      group.moveTo(replica);
    });
  });

  it('Redis is killed, and starts again without data', async () => {
    const redis = await TestRedis.start();
    await using _removing = { [Symbol.asyncDispose]: () => redis.remove() };
    await survive(redis, async () => {
      await redis.kill();
      await redis.start();
    });
  });

  it.each(['is killed', 'hangs', 'is told to give way'])('the primary of sentinels %s', async (how) => {
    await using group = await watched();
    const [primary, replica] = group.servers as [TestRedis, TestRedis];
    const [sentinel] = group.sentinels;
    await survive(group, async () => {
      await eventually('the sentinels know the replica and each other', async () => {
        const facts = await sentinel?.command('SENTINEL', 'MASTER', 'main');
        const words = Array.isArray(facts) ? facts.map(String) : [];
        return ['num-slaves 1', 'num-other-sentinels 2'].every((text) => words.join(' ').includes(text));
      });
      if (how === 'is killed') await primary.kill();
      else if (how === 'hangs') primary.freeze();
      else await sentinel?.command('SENTINEL', 'FAILOVER', 'main');
      await eventually('the replica is the primary', async () =>
        String(await replica.command('ROLE')).startsWith('master'),
      );
    });
    primary.thaw();
  });

  it.each(['is killed', 'is told to give way'])('the primary in a cluster %s', async (how) => {
    await using group = await clustered('test');
    const [primary, replica] = group.servers as [TestRedis, TestRedis];
    await survive(group, async () => {
      if (how === 'is killed') await primary.kill();
      else await replica.command('CLUSTER', 'FAILOVER');
      await eventually('the replica is the primary', async () =>
        String(await replica.command('ROLE')).startsWith('master'),
      );
    });
  });

  it('a purge is lost with the primary', async () => {
    await using group = await named();
    const [primary, replica] = group.servers as [TestRedis, TestRedis];
    await using stores = new Stores();
    const [one, other] = await stores.pair(group);
    await share(one, other);
    // From here on, the replica gets nothing.
    await replica.command('REPLICAOF', 'NO', 'ONE');
    expect(await one.store.invalidate({})).toBeGreaterThan(0);
    await eventually('both have read it', async () => {
      await share(one, other);
      return true;
    });
    await one.store.invalidate({});
    await primary.replicate(replica);
    group.moveTo(replica);
    await eventually('both are back', () => one.store.isReachable && other.store.isReachable);
    await eventually('what was purged is gone', async () => {
      const names = await replica.command('KEYS', 'test:entry:*');
      return Array.isArray(names) && names.length === 0;
    });
    await purge(other, one);
  });
});

describeWithRedis('an address of Redis', () => {
  it('that is a replica or a sentinel is not used, and the log says so', async () => {
    await using group = await watched();
    await using stores = new Stores();
    const [, replica] = group.servers as [TestRedis, TestRedis];
    const [sentinel] = group.sentinels;
    const wrong = [replica, sentinel].map((each) => stores.open({ url: `redis://127.0.0.1:${each?.port}` }));
    await eventually('it is said', () => wrong.every(({ lines }) => lines.length > 0));
    expect(wrong.map(({ store }) => store.isReachable)).toEqual([false, false]);
  });

  it('of sentinels that know no such primary says so', async () => {
    await using group = await watched();
    const place = placeOf(group.url.replace(/main$/, 'other'));
    await expect(withKeys(place, (store) => store.read())).rejects.toThrow(
      /no sentinel tells the primary of "other": .*No such master/,
    );
  });

  it('works while one of the servers that it names is away', async () => {
    await using stores = new Stores();
    await using group = await watched();
    await group.sentinels[0]?.remove();
    await stores.connected(placeOf(group.url));
    await using cluster = await clustered('test');
    await cluster.servers[2]?.kill();
    const place = placeOf(cluster.url);
    await stores.connected(place, place.namespace);
  });
});
