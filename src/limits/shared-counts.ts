import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SharedCounts } from './request-counter.ts';

/** What a request may have to wait for its count, in milliseconds. The first answer that is late ends the waiting for all. */
const askMs = 35;

/** Starts connecting to the Redis that replicas count in together, if there is one, and doesn't wait for it. */
export async function openSharedCounts(
  { redisUrl: url, cacheNamespace: namespace }: Pick<Config, 'redisUrl' | 'cacheNamespace'>,
  clock: Clock,
): Promise<(SharedCounts & { close(): Promise<void> }) | undefined> {
  if (url === undefined) return undefined;
  const { RedisLink } = await import('../redis/redis-link.ts');
  const link = new RedisLink({ url, clock, random: Math.random, isToBeQuick: true });
  return { link, namespace, askMs, close: () => link.close() };
}
