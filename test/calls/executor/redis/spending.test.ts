import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { namesIn } from '../../../../src/calls/executor/redis/names.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { describeWithRedis, TestRedis } from '../../../support/redis.ts';
import { callerNamed } from '../support/caller.ts';
import { endpointWith } from '../support/endpoint.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { setUp } from '../support/setup.ts';
import { ownCount } from './support/own-count.ts';
import { Stores } from './support/stores.ts';

describeWithRedis('what replicas have used', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  beforeEach(async () => {
    await redis.command('FLUSHALL');
  });
  afterAll(() => redis?.remove());

  it('is shared with the others, by what it is of, period and account', async () => {
    await using stores = new Stores();
    const [one, two, three] = (await Promise.all([1, 2, 3].map(() => stores.connected(redis)))).map(
      ({ store }) => store.spending,
    );
    await one?.exchange([ownCount(100)]);
    await one?.exchange([ownCount(150)]);
    await two?.exchange([ownCount(5_000_000_000_000), ownCount(7, 'endpoint a:b')]);
    await two?.exchange([ownCount(9, 'key ada', { of: 'calls' }), ownCount(8, 'key ada', { per: 'hour' })]);
    const asked = [
      ownCount(0),
      ownCount(0, 'endpoint a:b'),
      ownCount(0, 'key bob'),
      ownCount(0, 'key ada', { of: 'calls' }),
      ownCount(0, 'key ada', { of: 'rows' }),
      ownCount(0, 'key ada', { per: 'hour' }),
      ownCount(0, 'key ada', { per: 'month' }),
    ];
    const others = (await three?.exchange(asked))?.map((known) => known.others);
    expect(others).toEqual([5_000_000_000_150, 7, 0, 9, 0, 8, 0]);
    expect(await one?.exchange([ownCount(150)])).toEqual([{ mine: 150, others: 5_000_000_000_000 }]);
    expect(await three?.exchange([ownCount(0, 'key ada', { at: '2026-02-01' })])).toEqual([
      { mine: 0, others: 0 },
    ]);
  });

  it.each([
    ['hour', 3600],
    ['day', 86_400],
    ['month', 31 * 86_400],
  ] as const)('expires after its %s', async (per, seconds) => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const count = ownCount(1, 'key ada', { per });
    await store.spending.exchange([count]);
    const left = Number(await redis.command('TTL', namesIn('test').spending(count)));
    expect(left).toBeGreaterThan(seconds);
    expect(left).toBeLessThanOrEqual(2 * seconds);
  });

  it('is not shared while Redis is unavailable, and published when it is back', async () => {
    await using stores = new Stores();
    const one = await stores.connected(redis);
    const other = await stores.connected(redis);
    const gateway = setUp({ sharedStore: one.store, clock: new ManualClock(Date.UTC(2026, 0, 31, 13)) });
    gateway.engine.answer = () => [[1n]];
    const ada = callerNamed('ada', { allow: ['calls=10/day'] });
    const ask = (project: string) =>
      gateway.ask(endpointWith({ cacheSeconds: 0 }), { project }, undefined, ada);
    await redis.kill();
    await eventually('it is away', () => !one.store.isReachable);
    expect(await one.store.spending.exchange([ownCount(40)])).toBeUndefined();
    for (const project of ['a', 'b', 'c']) await ask(project);
    await redis.start();
    await eventually('both are back', () => one.store.isReachable && other.store.isReachable);
    await eventually('it was told', async () => {
      const known = await other.store.spending.exchange([ownCount(0, 'key ada', { of: 'calls' })]);
      return known?.[0]?.others === 3;
    });
  });

  it('goes on after a restart, and in another replica', async () => {
    const clock = () => new ManualClock(Date.UTC(2026, 0, 31, 13));
    const ada = callerNamed('ada', { allow: ['calls=3/month'] });
    await using stores = new Stores();
    const run = async () => {
      const { store } = await stores.connected(redis);
      const gateway = setUp({ sharedStore: store, clock: clock() });
      gateway.engine.answer = () => [[1n]];
      return {
        ask: (project: string) => gateway.ask(endpointWith({ cacheSeconds: 0 }), { project }, undefined, ada),
        close: () => gateway.executor.allowances.close(),
      };
    };
    const first = await run();
    await first.ask('a');
    await first.ask('b');
    await first.close();
    const second = await run();
    await second.ask('c');
    await second.close();
    for (const { ask } of [second, await run()])
      await expect(ask('d')).rejects.toThrow('has used 3 of its 3 calls a month');
  });

  it('is nothing where rubbish stands in its place', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const name = namesIn('test').spending(ownCount(0));
    await redis.command('SET', name, 'rubbish');
    expect(await store.spending.exchange([ownCount(1)])).toBeUndefined();
    await redis.command('DEL', name);
    await redis.command('HSET', name, 'somebody', 'rubbish', 'other', '3');
    expect(await store.spending.exchange([ownCount(1)])).toEqual([{ mine: 1, others: 3 }]);
  });
});
