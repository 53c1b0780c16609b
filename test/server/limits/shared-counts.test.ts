import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/system/clock.ts';
import { openSharedCounts, RequestCounter } from '../../../src/server/limits/request-counter.ts';
import { describeWithRedis, TestRedis } from '../../support/redis.ts';

const rate = { requests: 3, seconds: 60 };

async function replica(url: string): Promise<RequestCounter> {
  const shared = await openSharedCounts({ redisUrl: url, cacheNamespace: 'test' }, systemClock);
  if (shared === undefined) throw new Error('there is no Redis');
  onTestFinished(() => shared.close());
  while (!(await shared.link.run(1_000, async () => true).catch(() => false))) await pause(5);
  return new RequestCounter(shared);
}

describeWithRedis('replicas with a Redis', () => {
  test("count together while it is available, and separately, without waiting, while it isn't", async () => {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.remove());
    const [one, other] = [await replica(redis.url), await replica(redis.url)];
    expect(await one.take('key', 'a', rate)).toMatchObject({ isAllowed: true, remaining: 2 });
    expect(await other.take('key', 'a', rate)).toMatchObject({ isAllowed: true, remaining: 1 });
    expect(await one.take('key', 'a', rate)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(await other.take('key', 'a', rate)).toMatchObject({ isAllowed: false });
    expect(await other.take('key', 'b', rate)).toMatchObject({ isAllowed: true, remaining: 2 });
    expect(await redis.command('KEYS', '*')).toContain('test:requests:1:key:3/60:a');

    redis.freeze();
    expect(await one.take('key', 'b', rate)).toMatchObject({ isAllowed: true, remaining: 2 });
    expect(await one.take('key', 'b', rate)).toMatchObject({ isAllowed: true, remaining: 1 });
    redis.thaw();
  });
});
