import { expect, it } from 'vitest';
import { eventually } from '../acceptance/support/processes.ts';
import { Stores } from '../executor/redis/support/stores.ts';
import { describeWithRedis, type TestRedis } from '../support/redis.ts';
import { clustered, watched } from './support/redis-groups.ts';
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
