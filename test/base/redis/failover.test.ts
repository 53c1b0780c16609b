import { expect, it } from 'vitest';
import { eventually } from '../../acceptance/support/processes.ts';
import { Stores } from '../../calls/executor/redis/support/stores.ts';
import { describeWithRedis, TestRedis } from '../../support/redis.ts';
import { named } from './support/redis-groups.ts';
import { purge, share, survive } from './support/survive.ts';

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
