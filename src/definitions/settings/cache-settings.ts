import { z } from 'zod';
import { readRedisUrl, redisUrlForms } from '../../base/redis/redis-address.ts';
import { integer, secret, setting } from './setting.ts';

/** The result cache, the memory for answers, and the Redis that replicas share. */
export const cacheSettings = {
  cacheMemoryMb: setting(
    'CACHE_MEMORY_MB',
    integer(256, 1, 1_000_000),
    '256',
    'Memory for cached results, in MB.',
  ),
  answerMemoryMb: setting(
    'ANSWER_MEMORY_MB',
    integer(1024, 400, 1_000_000),
    '1024',
    'Memory for rows and responses that clients have not read yet, in MB. One answer can take four times its size of 100 MB at most.',
  ),
  liveMemoryMb: setting(
    'LIVE_MEMORY_MB',
    integer(256, 16, 1_000_000),
    '256',
    'Memory for what [live answers](live.md) keep between their events, in MB.',
  ),
  redisUrl: secret(
    setting(
      'REDIS_URL',
      z
        .string()
        .refine((url) => readRedisUrl(url) !== undefined, redisUrlForms)
        .optional(),
      'none',
      'URL of the Redis or Valkey in which replicas share results, budgets and rate limits, and API keys with `KEYS_STORE=redis`. It can name [sentinels or a cluster](deploying.md#redis-addresses).',
    ),
  ),
  cacheNamespace: setting(
    'CACHE_NAMESPACE',
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,100}$/, 'expected letters, digits, _, . and -')
      .default('endpoint-gateway'),
    'endpoint-gateway',
    'Prefix of every key in Redis. Deployments with different data need different namespaces.',
  ),
  warmConcurrency: setting(
    'WARM_CONCURRENCY',
    integer(2, 1, 100),
    '2',
    'Maximum number of results that are refreshed in the background at the same time.',
  ),
};
