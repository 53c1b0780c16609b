import { expect, it } from 'vitest';
import { namesIn } from '../../../src/calls/executor/redis/names.ts';
import { eventually } from '../../acceptance/support/processes.ts';
import { entryFor, keyedQuery, Stores } from '../../calls/executor/redis/support/stores.ts';
import { describeWithRedis, type TestRedis } from '../../support/redis.ts';
import { clustered, named, watched } from './support/redis-groups.ts';
import { placeOf, survive, withKeys } from './support/survive.ts';

describeWithRedis('what replicas share survives that', () => {
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
});

describeWithRedis('a purge', () => {
  it('while a cluster moves the entries fails, because it may not find them all', async () => {
    await using group = await clustered('test');
    const [primary, , other] = group.servers as [TestRedis, TestRedis, TestRedis];
    await using stores = new Stores();
    const place = placeOf(group.url);
    const { store } = await stores.connected(place, place.namespace);
    expect(await store.set(await entryFor(keyedQuery('moved'), 1n))).toBe(true);
    const slot = String(await primary.command('CLUSTER', 'KEYSLOT', place.namespace));
    const nodeOf = async (server: TestRedis) => String(await server.command('CLUSTER', 'MYID'));
    await other.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await nodeOf(primary));
    await primary.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await nodeOf(other));
    const entry = namesIn(place.namespace).entry(keyedQuery('moved').key);
    await primary.command('MIGRATE', '127.0.0.1', String(other.port), entry, '0', '2000');
    await expect(store.invalidate({})).rejects.toThrow('other replicas may still have these entries');
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

  it('of a cluster that is a server of its own says so', async () => {
    await using group = await named();
    const place = placeOf(group.url.replace('redis:', 'redis+cluster:'));
    await expect(withKeys(place, (store) => store.read())).rejects.toThrow(/cluster support disabled/);
  });

  it('of sentinels that know no such primary says so', async () => {
    await using group = await watched();
    const place = placeOf(group.url.replace(/main$/, 'other'));
    await expect(withKeys(place, (store) => store.read())).rejects.toThrow(
      /no sentinel reports the primary of "other": .*No such master/,
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
