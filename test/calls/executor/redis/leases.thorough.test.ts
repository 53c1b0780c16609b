import { expect, it } from 'vitest';
import { namesIn } from '../../../../src/calls/executor/redis/names.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { describeWithRedis, type TestRedis } from '../../../support/redis.ts';
import { eachOnEmptyRedis, keyedQuery, Stores, timed } from './support/stores.ts';

const { key } = keyedQuery('a');
const name = namesIn('test').lease(key);

describeWithRedis('a lease', () => {
  let redis: TestRedis;
  eachOnEmptyRedis((started) => {
    redis = started;
  });

  it('is renewed by its holder, and expires when the holder is gone', async () => {
    await using stores = new Stores();
    const [one, other] = await stores.pair(redis);
    expect(await one.store.lease(key)).toBeTypeOf('object');
    const end = performance.now() + 4000;
    while (performance.now() < end) {
      expect(await other.store.lease(key)).toBe('taken');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // As a holder that crashes: its next renewal never comes.
    await redis.command('SET', name, 'of somebody who is gone', 'KEEPTTL');
    const waited = await timed(() =>
      eventually('it has expired', async () => (await other.store.lease(key)) !== 'taken'),
    );
    expect(waited).toBeLessThan(3500);
  });
});
