import { expect, it } from 'vitest';
import type { Lease } from '../../../../src/calls/executor/entries/entry-store.ts';
import { namesIn } from '../../../../src/calls/executor/redis/names.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { describeWithRedis, type TestRedis } from '../../../support/redis.ts';
import { eachOnEmptyRedis, entryFor, keyedQuery, Stores, valueIn } from './support/stores.ts';

const { key } = keyedQuery('a');
const name = namesIn('test').lease(key);

function granted(lease: Lease | 'taken' | undefined): Lease {
  if (lease === undefined || lease === 'taken') throw new Error(`it was not granted, but ${lease}`);
  return lease;
}

describeWithRedis('a lease', () => {
  let redis: TestRedis;
  eachOnEmptyRedis((started) => {
    redis = started;
  });

  it('is given to one replica, until it gives it back', async () => {
    await using stores = new Stores();
    const open = await Promise.all([1, 2, 3].map(() => stores.connected(redis)));
    const answers = await Promise.all(open.map(({ store }) => store.lease(key)));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(2);
    await granted(answers.find((answer) => answer !== 'taken')).release();
    expect(await redis.command('EXISTS', name)).toBe(0);
    granted((await open[2]?.store.lease(key)) ?? undefined);
  });

  it('that was lost is neither given back nor renewed, and its result does not replace that of another replica', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    const lost = granted(await one.store.lease(key));
    // As when the first replica was frozen for longer than a lease lasts.
    await redis.command('DEL', name);
    const theirs = granted(await other.store.lease(key));
    const late = await entryFor(keyedQuery('a'), 1n, { madeAt: Date.now() + 5000 });
    expect(await one.store.set(late)).toBe(false);
    expect(await other.store.set(await entryFor(keyedQuery('a'), 2n))).toBe(true);
    await theirs.release();
    expect(await one.store.set(late)).toBe(false);
    expect(await valueIn(one.store, keyedQuery('a'))).toBe(2n);
    const next = granted(await other.store.lease(key));
    await lost.release();
    expect(await redis.command('EXISTS', name)).toBe(1);
    await next.release();
  });

  it('that was lost to nobody leaves its result', async () => {
    await using stores = new Stores();
    const one = await stores.connected(redis);
    granted(await one.store.lease(key));
    await redis.command('DEL', name);
    expect(await one.store.set(await entryFor(keyedQuery('a'), 1n))).toBe(true);
  });

  it.each([
    ['a text that stays for ever', ['SET', name, 'foreign']],
    ['a list', ['LPUSH', name, 'foreign']],
    ['a text that stays for long', ['SET', name, 'foreign', 'EX', '60']],
  ])('is not hindered by what is none: %s', async (_what, command) => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    await redis.command(...command);
    const lease = granted(await one.store.lease(key));
    expect(await other.store.lease(key)).toBe('taken');
    await lease.release();
    expect(await redis.command('EXISTS', name)).toBe(0);
  });

  it('is given back by a replica that is closed', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    granted(await one.store.lease(key));
    await one.store.close();
    granted(await other.store.lease(key));
  });

  it('that Redis granted too late for anybody to hear of it hinders nobody for long', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    redis.freeze();
    expect(await one.store.lease(key)).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 300));
    redis.thaw();
    await eventually('the lease can be had', async () => typeof (await other.store.lease(key)) === 'object');
  });
});
