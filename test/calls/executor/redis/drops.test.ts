import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { encodeEntry } from '../../../../src/calls/executor/redis/entry-codec.ts';
import { namesIn } from '../../../../src/calls/executor/redis/names.ts';
import { entriesOn, UnseenInvalidations } from '../../../../src/calls/executor/redis/redis-entries.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { proxy } from '../../../support/faulty-server.ts';
import { describeWithRedis, type TestRedis } from '../../../support/redis.ts';
import { endpointWith } from '../support/endpoint.ts';
import { setUp } from '../support/setup.ts';
import { eachOnEmptyRedis, endpoint, entryFor, keyedQuery, Stores, valueIn } from './support/stores.ts';

const endpointId = endpoint.id;
const parametersAre = (project: string) => ({ endpointId, parameters: new Map([[0, project]]) });

describeWithRedis('a drop', () => {
  let redis: TestRedis;
  eachOnEmptyRedis((started) => {
    redis = started;
  });

  it('deletes the entries that it is about, and tells the other replicas', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    const elsewhere = endpointWith({ id: '11111111-1111-4111-8111-111111111111' });
    const second = endpointWith({ version: 'v2' });
    const long = 'x'.repeat(5000);
    const all = [
      ...['a', 'b', long].map((project) => keyedQuery(project)),
      keyedQuery('a', second),
      keyedQuery('a', elsewhere),
    ];
    for (const each of all) expect(await one.store.set(await entryFor(each, 1n))).toBe(true);
    one.drops.length = 0;
    other.drops.length = 0;
    const there = async () =>
      (await Promise.all(all.map((each) => one.store.get(each)))).map((each) => (each ? 1 : 0)).join('');

    expect(await one.store.invalidate(parametersAre('c'))).toBe(0);
    expect(await there()).toBe('11111');
    expect(await one.store.invalidate(parametersAre(long))).toBe(1);
    expect(await there()).toBe('11011');
    expect(await one.store.invalidate({ endpointId, version: { not: ['v1'] } })).toBe(1);
    expect(await there()).toBe('11001');
    expect(await one.store.invalidate({ ...parametersAre('a'), version: { only: 'v1' } })).toBe(1);
    expect(await there()).toBe('01001');
    expect(await one.store.invalidate({ endpointId })).toBe(1);
    expect(await there()).toBe('00001');
    await eventually('the other replica has heard of all', () => other.drops.length === 10);
    expect(other.drops[0]).toEqual(parametersAre('c'));
    expect(other.drops[4]).toEqual({ endpointId, version: { not: ['v1'] } });
    expect(other.drops[6]).toEqual({ ...parametersAre('a'), version: { only: 'v1' } });
  });

  it('among many names finds its own', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    await redis.ask((client) =>
      Promise.all(Array.from({ length: 5000 }, (_, index) => client.set(`other:${index}`, 'x'))),
    );
    for (let index = 0; index < 30; index++) await store.set(await entryFor(keyedQuery(`p${index}`), 1n));
    expect(await store.invalidate({ endpointId })).toBe(30);
    expect(await redis.command('EXISTS', 'other:17')).toBe(1);
  });

  it('is heard by a replica that was cut off from Redis meanwhile', async () => {
    await using stores = new Stores();
    const faults = { delayMs: 0, isBlackHole: false };
    const way = await proxy(redis.port, faults);
    const [one, other] = [await stores.connected(redis), await stores.connected(way)];
    other.drops.length = 0;
    faults.isBlackHole = true;
    await one.store.invalidate(parametersAre('a'));
    await eventually('it has noticed', () => !other.store.isReachable);
    await one.store.invalidate(parametersAre('b'));
    faults.isBlackHole = false;
    await eventually('it is back', () => other.drops.length >= 4);
    expect(other.drops.slice(0, 4)).toEqual([
      parametersAre('a'),
      parametersAre('a'),
      parametersAre('b'),
      parametersAre('b'),
    ]);
    await other.store.close();
    await way.close();
  });

  it('may have been missed when Redis has lost its data, or there were too many: then everything is invalidated', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    other.drops.length = 0;
    await redis.kill();
    await redis.start();
    await eventually('it forgets everything', () => other.drops.length > 0);
    expect(other.drops[0]).toEqual({});
    await eventually('the store writes again', async () =>
      one.store.set(await entryFor(keyedQuery('a'), 1n)),
    );

    const faults = { delayMs: 0, isBlackHole: false };
    const way = await proxy(redis.port, faults);
    const third = await stores.connected(way);
    third.drops.length = 0;
    faults.isBlackHole = true;
    await redis.command('XADD', namesIn('test').invalidations, 'MAXLEN', '1', '*', 'by', 'x', 'drop', '{}');
    faults.isBlackHole = false;
    await eventually('it is back', () => third.drops.length > 0);
    expect(third.drops[0]).toEqual({});
    await third.store.close();
    await way.close();
  });

  it.each([
    ['emptied', [['FLUSHALL']]],
    ['emptied of messages', [['XTRIM', namesIn('test').invalidations, 'MAXLEN', '0']]],
    [
      'given something else under its name',
      [
        ['DEL', namesIn('test').invalidations],
        ['SET', namesIn('test').invalidations, 'foreign'],
      ],
    ],
  ])('may have been missed when Redis, which goes on, was %s', async (_what, commands) => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    other.drops.length = 0;
    for (const command of commands) await redis.command(...command);
    await eventually('it forgets everything', () => other.drops.length > 0);
    expect(other.drops[0]).toEqual({});
    await eventually('the store writes again', async () =>
      one.store.set(await entryFor(keyedQuery('a'), 1n)),
    );
    expect(await valueIn(other.store, keyedQuery('a'))).toBe(1n);
    other.drops.length = 0;
    await one.store.invalidate(parametersAre('a'));
    await eventually('drops are heard of again', () => other.drops.length > 0);
    expect(other.drops).toContainEqual(parametersAre('a'));
    expect(await valueIn(other.store, keyedQuery('a'))).toBeUndefined();
  });

  it('means everything when its message is not understood', async () => {
    await using stores = new Stores();
    const { drops } = await stores.connected(redis);
    drops.length = 0;
    await redis.command(
      'XADD',
      namesIn('test').invalidations,
      '*',
      'by',
      'another',
      'drop',
      '{"unheard": "of"}',
    );
    await eventually('it has heard', () => drops.length > 0);
    expect(drops).toEqual([{}]);
  });

  it('is about what is being written and read at that moment', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    for (let round = 0; round < 30; round++) {
      const entries = await Promise.all(
        Array.from({ length: 20 }, (_, index) => entryFor(keyedQuery(`p${index}`), BigInt(round))),
      );
      const writes = entries.map((entry, index) => (index % 2 ? one : other).store.set(entry));
      await new Promise((resolve) => setTimeout(resolve, round % 4));
      const dropped = one.store.invalidate({ endpointId });
      const [kept] = await Promise.all([Promise.all(writes), dropped]);
      expect(kept).toHaveLength(20);
      const left = await redis.command('KEYS', '*:entry:*');
      expect(left, `round ${round}`).toEqual([]);
    }
  });

  it('that a replica has not heard of yet keeps it from writing', async () => {
    const names = namesIn('test');
    await redis.ask(async (client) => {
      const add = () => client.xAdd(names.invalidations, '*', { by: 'another', drop: '{}' });
      const entry = await entryFor(keyedQuery('a'), 1n);
      const conditions = {
        madeAt: entry.madeAt,
        leaseName: names.lease(entry.key),
        leaseToken: '',
        invalidationsName: names.invalidations,
      };
      const write = (seenInvalidation: string) =>
        entriesOn(client).set(names.entry(entry.key), encodeEntry(entry), 1000, {
          ...conditions,
          seenInvalidation,
        });
      await expect(write('1-1')).rejects.toThrow(UnseenInvalidations);
      const seen = await add();
      const next = await add();
      await expect(write(seen)).rejects.toThrow(UnseenInvalidations);
      expect(await client.exists(names.entry(entry.key))).toBe(0);
      expect(await write(next)).toBe(true);
    });
  });

  it('frees leases of what it makes useless', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    expect(await other.store.lease(keyedQuery('a').key)).toBeTypeOf('object');
    expect(await one.store.lease(keyedQuery('a').key)).toBe('taken');
    await one.store.invalidate({ endpointId });
    await eventually(
      'it is free',
      async () => typeof (await one.store.lease(keyedQuery('a').key)) === 'object',
    );
  });

  it('reaches Redis and the other replicas when Redis is full', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    expect(await one.store.set(await entryFor(keyedQuery('a'), 1n))).toBe(true);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    try {
      expect(await one.store.set(await entryFor(keyedQuery('b'), 1n))).toBe(false);
      expect(await one.store.invalidate(parametersAre('a'))).toBe(1);
      await eventually('the other replica has heard', () => other.drops.length > 0);
      expect(other.drops).toContainEqual(parametersAre('a'));
      expect(await valueIn(one.store, keyedQuery('a'))).toBeUndefined();
    } finally {
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    }
  });

  it('fails when Redis is away', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    await store.set(await entryFor(keyedQuery('a'), 1n));
    redis.freeze();
    await expect(store.invalidate({ endpointId })).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: expect.stringContaining('may still have'),
    });
    redis.thaw();
    await eventually(
      'Redis is back',
      async () => (await store.invalidate({ endpointId }).catch(() => 0)) === 1,
    );
    expect(await valueIn(store, keyedQuery('a'))).toBeUndefined();
  });

  it('by one replica makes the executors of all forget', async () => {
    await using stores = new Stores();
    let value = 1n;
    const replicas = await Promise.all(
      [1, 2, 3].map(async () => {
        const { store } = await stores.connected(redis);
        const made = setUp({ sharedStore: store, clock: systemClock });
        made.engine.answer = () => [[value]];
        return made;
      }),
    );
    const values = async () => {
      const answers = [];
      for (const { ask } of replicas) answers.push((await (await ask()).rows.all())[0]?.[0]);
      return answers;
    };
    expect(await values()).toEqual([1n, 1n, 1n]);
    value = 2n;
    expect(await values()).toEqual([1n, 1n, 1n]);
    expect(await replicas[1]?.executor.invalidate({ endpointId })).toBe(1);
    await eventually('all have forgotten', () => replicas.every(({ table }) => table.size === 0));
    expect(await values()).toEqual([2n, 2n, 2n]);
  });
});
