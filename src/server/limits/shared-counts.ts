import { redisPlace } from '../../base/redis/redis-address.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { SharedCounts } from './request-counter.ts';

/** How long a request may wait for its count, in milliseconds. The first late reply ends the wait of all requests. */
const timeoutMs = 35;

/** Starts connecting to the Redis with the shared counts, if configured, without waiting. */
export async function openSharedCounts(
  config: Pick<Config, 'redisUrl' | 'cacheNamespace'>,
  clock: Clock,
): Promise<(SharedCounts & { close(): Promise<void> }) | undefined> {
  const place = redisPlace(config);
  if (place === undefined) return undefined;
  const { RedisLink } = await import('../../base/redis/redis-link.ts');
  const link = new RedisLink({ ...place, clock, random: Math.random, isLatencyCritical: true });
  return { link, namespace: place.namespace, timeoutMs, close: () => link.close() };
}
