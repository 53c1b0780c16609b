import { z } from 'zod';
import { flag, integer } from './forms.ts';
import { secret, setting } from './setting.ts';

/** How many queries run, what is kept of their results, and what they are analyzed with. */
export const querySettings = {
  maxConcurrentQueries: setting(
    'MAX_CONCURRENT_QUERIES',
    integer(8, 1, 1000),
    '8',
    'queries that are planned or run at the same time; more wait',
  ),
  maxQueuedQueries: setting(
    'MAX_QUEUED_QUERIES',
    integer(100, 0, 100_000),
    '100',
    'queries that may wait, identical ones as one; more are answered 503',
  ),
  cacheMemoryMb: setting(
    'CACHE_MEMORY_MB',
    integer(256, 1, 1_000_000),
    '256',
    'memory for results that may be reused, in MB',
  ),
  redisUrl: secret(
    setting(
      'REDIS_URL',
      z
        .string()
        .refine(
          isRedisUrl,
          'expected a URL such as redis://user:password@host:6379/0, rediss://host or unix:///path, the password percent-encoded',
        )
        .optional(),
      'none',
      'Redis or Valkey in which replicas share results, budgets and rates, and with `KEYS_STORE=redis` keys',
    ),
  ),
  cacheNamespace: setting(
    'CACHE_NAMESPACE',
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,100}$/, 'expected letters, digits, _, . and -')
      .default('endpoint-gateway'),
    'endpoint-gateway',
    'the first part of every name in Redis; deployments with other data need another one',
  ),
  warmConcurrency: setting(
    'WARM_CONCURRENCY',
    integer(2, 1, 100),
    '2',
    'results that are refreshed in the background at the same time',
  ),
  metricsPublic: setting('METRICS_PUBLIC', flag(false), 'false', 'serve `/metrics` without a key'),
  analyzerMemoryMb: setting(
    'ANALYZER_MEMORY_MB',
    integer(3000, 1500, 1_000_000),
    '3000',
    'address space of the GoogleSQL analyzer process, in MB',
  ),
};

/** A password with a `/`, `#` or `%` that isn't encoded makes it none. */
function isRedisUrl(url: string): boolean {
  if (!/^(?:unix:.|rediss?:\/\/[^/?#]+(?:\/\d*)?$)/.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(`${username}${password}`);
    return true;
  } catch {
    return false;
  }
}
