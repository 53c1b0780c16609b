import type { ServerResponse } from 'node:http';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { once } from '../../base/async/memoized.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Rate } from '../../base/forms/rate.ts';
import { redisPlace } from '../../base/redis/redis-address.ts';
import type { RedisLink } from '../../base/redis/redis-link.ts';
import type { Clock } from '../../base/system/clock.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { addToHeader } from '../http/response/response-head.ts';

/** The outcome of counting a request. */
export interface Taken {
  readonly isAllowed: boolean;
  /** How many requests are left. */
  readonly remaining: number;
  /** Seconds until the count starts again, rounded up. */
  readonly resetSeconds: number;
}

/** A Redis with the common counts of all replicas. */
export interface SharedCounts {
  readonly link: Pick<RedisLink, 'run'>;
  /** The first part of every name. */
  readonly namespace: string;
  /** Time limit of a Redis command, in milliseconds. */
  readonly timeoutMs: number;
}

const library = once(() => import('./rate-limiter-library.ts'));

type Library = Awaited<ReturnType<typeof library>>;

/**
 * Counts requests in windows that begin with the first request: in Redis, where all replicas count together; in this
 * process if there is no Redis or it is unavailable.
 */
export class RequestCounter {
  readonly #shared: SharedCounts | undefined;
  readonly #limiters = new Map<string, RateLimiterAbstract>();

  constructor(shared?: SharedCounts) {
    this.#shared = shared;
  }

  /**
   * Counts requests, allowed or not.
   *
   * @param kind what is counted, such as keys or addresses, in letters
   * @param subject the key or address
   */
  async take(kind: string, subject: string, rate: Rate, requests = 1): Promise<Taken> {
    const loaded = await library();
    const limiter = this.#limiterOf(loaded, kind, rate);
    try {
      return taken(true, await limiter.consume(subject, requests));
    } catch (refused) {
      if (!(refused instanceof loaded.RateLimiterRes)) throw refused;
      return taken(false, refused);
    }
  }

  #limiterOf(loaded: Library, kind: string, rate: Rate): RateLimiterAbstract {
    const name = `${kind}:${rate.requests}/${rate.seconds}`;
    let limiter = this.#limiters.get(name);
    if (limiter === undefined) {
      limiter = this.#make(loaded, name, rate);
      this.#limiters.set(name, limiter);
    }
    return limiter;
  }

  #make(
    { RateLimiterMemory, RateLimiterRedis }: Library,
    name: string,
    { requests, seconds }: Rate,
  ): RateLimiterAbstract {
    const window = { points: requests, duration: seconds };
    const ownLimiter = new RateLimiterMemory({ ...window, keyPrefix: '' });
    if (this.#shared === undefined) return ownLimiter;
    const { link, namespace, timeoutMs } = this.#shared;
    type Script = { readonly keys: string[]; readonly arguments: string[] };
    return new RateLimiterRedis({
      ...window,
      keyPrefix: `${namespace}:requests:1:${name}`,
      // The part of a client that the library calls, with a time limit.
      storeClient: {
        eval: (script: string, options: Script) =>
          link.run(timeoutMs, (client) => client.eval(script, options)),
      },
      useRedisPackage: true,
      insuranceLimiter: ownLimiter,
      // After a refusal, Redis isn't asked until the window ends.
      inMemoryBlockOnConsumed: requests + 1,
    });
  }
}

function taken(isAllowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Taken {
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return { isAllowed, remaining: isAllowed ? remainingPoints : 0, resetSeconds };
}

/** The subject of a count. */
interface Counted {
  /** The kind of subject, in letters, which is the rate's name in headers. */
  readonly kind: string;
  /** The subject's id among those of its kind. */
  readonly subject: string;
  readonly rate: Rate;
  /** The beginning of a refusal's message. */
  readonly called: string;
}

/**
 * Counts a request, and adds headers with the remaining number.
 *
 * @returns the refusal, if any
 */
export async function takeOfRate(
  { kind, subject, rate, called }: Counted,
  counter: Pick<RequestCounter, 'take'>,
  response: ServerResponse,
): Promise<GatewayError | undefined> {
  const taken = await counter.take(kind, subject, rate);
  addRateHeaders(response, kind, rate, taken);
  if (taken.isAllowed) return undefined;
  const message = `${called} may make ${counted(rate.requests, 'request')} in ${rate.seconds} s.`;
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: taken.resetSeconds });
}

/**
 * Adds headers for one of the rates that limit a client.
 * Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 10)
 *
 * @param policy the rate's name, in letters
 */
function addRateHeaders(response: ServerResponse, policy: string, rate: Rate, taken: Taken): void {
  addToHeader(response, 'RateLimit-Policy', `"${policy}";q=${rate.requests};w=${rate.seconds}`);
  addToHeader(response, 'RateLimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`);
}

/** How long a request may wait for its count, in milliseconds. The first late reply ends the wait of all requests. */
const sharedTimeoutMs = 35;

/** Starts connecting to the Redis with the shared counts, if configured, without waiting. */
export async function openSharedCounts(
  config: Pick<Config, 'redisUrl' | 'cacheNamespace'>,
  clock: Clock,
): Promise<(SharedCounts & { close(): Promise<void> }) | undefined> {
  const place = redisPlace(config);
  if (place === undefined) return undefined;
  const { RedisLink } = await import('../../base/redis/redis-link.ts');
  const link = new RedisLink({ ...place, clock, random: Math.random, isLatencyCritical: true });
  return { link, namespace: place.namespace, timeoutMs: sharedTimeoutMs, close: () => link.close() };
}
