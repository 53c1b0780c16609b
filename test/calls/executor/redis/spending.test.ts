import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { namesIn } from '../../../../src/calls/executor/redis/names.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { describeWithRedis, TestRedis } from '../../../support/redis.ts';
import { Stores } from './support/stores.ts';

const day = '2026-01-31';
const billed = (bytes: number, account = 'key ada') => new Map([[account, bytes]]);

describeWithRedis('what replicas were billed', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  beforeEach(async () => {
    await redis.command('FLUSHALL');
  });
  afterAll(() => redis?.remove());

  it('is shared with the others, by day and account', async () => {
    await using stores = new Stores();
    const [one, two, three] = (await Promise.all([1, 2, 3].map(() => stores.connected(redis)))).map(
      ({ store }) => store.spending,
    );
    await one?.exchange(day, billed(100));
    await one?.exchange(day, billed(150));
    await two?.exchange(day, billed(5_000_000_000_000));
    await two?.exchange(day, billed(7, 'endpoint a:b'));
    expect(
      await three?.exchange(
        day,
        new Map([
          ['key ada', 0],
          ['endpoint a:b', 0],
          ['key bob', 0],
        ]),
      ),
    ).toEqual(
      new Map([
        ['key ada', 5_000_000_000_150],
        ['endpoint a:b', 7],
        ['key bob', 0],
      ]),
    );
    expect(await one?.exchange(day, billed(150))).toEqual(billed(5_000_000_000_000));
    expect(await three?.exchange('2026-02-01', billed(0))).toEqual(billed(0));
  });

  it('expires after its day', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    await store.spending.exchange(day, billed(1));
    const left = Number(await redis.command('TTL', namesIn('test').spending(day, 'key ada')));
    expect(left).toBeGreaterThan(86_400);
    expect(left).toBeLessThanOrEqual(2 * 86_400);
  });

  it('is not shared while Redis is unavailable, and published when it is back', async () => {
    await using stores = new Stores();
    const one = await stores.connected(redis);
    const other = await stores.connected(redis);
    await redis.kill();
    await eventually('it is away', () => !one.store.isReachable);
    expect(await one.store.spending.exchange(day, billed(40))).toBeUndefined();
    await redis.start();
    await eventually('both are back', () => one.store.isReachable && other.store.isReachable);
    await eventually('it was told', async () => {
      const known = await other.store.spending.exchange(day, billed(0));
      return known?.get('key ada') === 40;
    });
  });

  it('is nothing where rubbish stands in its place', async () => {
    await using stores = new Stores();
    const { store } = await stores.connected(redis);
    const name = namesIn('test').spending(day, 'key ada');
    await redis.command('SET', name, 'rubbish');
    expect(await store.spending.exchange(day, billed(1))).toBeUndefined();
    await redis.command('DEL', name);
    await redis.command('HSET', name, 'somebody', 'rubbish', 'other', '3');
    expect(await store.spending.exchange(day, billed(1))).toEqual(billed(3));
  });
});
