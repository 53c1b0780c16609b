import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { GatewayError } from '../../base/errors/errors.ts';
import type { Rate } from '../../base/forms/rate.ts';
import type { Clock } from '../../base/system/clock.ts';
import { keyDigest } from '../../calls/access/key/key-text.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { clientAddress } from './client-address.ts';
import { RequestCounter, type SharedCounts, takeOfRate } from './request-counter.ts';

interface FailedKeysOptions {
  readonly counter: Pick<RequestCounter, 'take'>;
  readonly rate: Rate;
  readonly clock: Clock;
}

/** Maximum number of remembered addresses, and of keys. */
const maxRemembered = 10_000;

/**
 * Blocks addresses with too many failed authentication attempts, so that keys can't be guessed at full speed. A key that
 * was valid from this address before is not blocked, because clients can share an address.
 */
export class FailedKeys {
  readonly #options: FailedKeysOptions;
  /** Until when addresses are blocked, by the clock's `elapsed`. */
  readonly #blockedUntil = new LRUCache<string, number>({ max: maxRemembered });
  /** Addresses with the digests of keys that were valid from there. */
  readonly #validKeys = new LRUCache<string, true>({ max: maxRemembered });

  /** When the last block ends. */
  #lastEnd = Number.NEGATIVE_INFINITY;

  constructor(options: FailedKeysOptions) {
    this.#options = options;
  }

  /** Whether any address is blocked. */
  get isAnyBlocked(): boolean {
    return this.#options.clock.elapsed() < this.#lastEnd;
  }

  /** Whether the address is blocked, except for keys that were valid from there before. */
  isBlocked(address: string): boolean {
    return this.#secondsLeft(address) > 0;
  }

  /** Seconds until the block of this key and address ends; undefined when they aren't blocked. */
  blockedSeconds(address: string, key: string): number | undefined {
    const left = this.#secondsLeft(address);
    return left > 0 && !this.#validKeys.has(pair(address, key)) ? left : undefined;
  }

  /** Counts a failed attempt with a key, which is no longer one that was valid from the address. */
  async failed(address: string, key: string): Promise<void> {
    this.#validKeys.delete(pair(address, key));
    const { counter, rate, clock } = this.#options;
    const { isAllowed, remaining, resetSeconds } = await counter.take('failed', address, rate);
    if (isAllowed && remaining > 0) return;
    const end = clock.elapsed() + resetSeconds * 1000;
    this.#blockedUntil.set(address, end);
    this.#lastEnd = Math.max(this.#lastEnd, end);
  }

  /** Remembers a valid key. */
  succeeded(address: string, key: string): void {
    this.#validKeys.set(pair(address, key), true);
  }

  #secondsLeft(address: string): number {
    const until = this.#blockedUntil.get(address);
    if (until === undefined) return 0;
    const left = until - this.#options.clock.elapsed();
    if (left <= 0) this.#blockedUntil.delete(address);
    return Math.max(0, left / 1000);
  }
}

function pair(address: string, key: string): string {
  return `${address} ${keyDigest(key)}`;
}

/** The rate limits for requests, in addition to those of keys. */
export interface RequestLimits {
  readonly counter: Pick<RequestCounter, 'take'>;
  readonly failedKeys?: FailedKeys;
  /** Number of trusted proxies in front of the gateway. */
  readonly trustedProxies: number;
  /** Limit of requests per address. */
  readonly perAddress?: Rate;
}

/** Failed authentication attempts are limited over this many times the configured period, which allows bursts. */
const burstSeconds = 3;

/** @param shared counts that replicas share */
export function requestLimits(
  config: Pick<Config, 'rateLimitPerAddress' | 'rateLimitFailedKeys' | 'trustProxy'>,
  clock: Clock,
  shared?: SharedCounts,
): RequestLimits {
  const { rateLimitPerAddress: perAddress, rateLimitFailedKeys: failed, trustProxy } = config;
  const counter = new RequestCounter(shared);
  const burst = failed && {
    requests: failed.requests * burstSeconds,
    seconds: failed.seconds * burstSeconds,
  };
  return {
    counter,
    trustedProxies: trustProxy,
    ...(burst && { failedKeys: new FailedKeys({ counter, clock, rate: burst }) }),
    ...(perAddress && { perAddress }),
  };
}

/**
 * Counts a request for its client address, before anything else.
 *
 * @returns the refusal, if any; undefined at once if addresses have no limit
 */
export function takeOfAddress(
  request: IncomingMessage,
  response: ServerResponse,
  { counter, perAddress, trustedProxies }: RequestLimits,
): Promise<GatewayError | undefined> | undefined {
  if (perAddress === undefined) return undefined;
  const subject = clientAddress(request, trustedProxies);
  return takeOfRate({ kind: 'address', subject, rate: perAddress, called: 'An address' }, counter, response);
}

/** Whether the response cache may answer the request. It doesn't count failed authentication attempts. */
export function mayUseResponseCache(
  request: IncomingMessage,
  { failedKeys, trustedProxies }: RequestLimits,
): boolean {
  return !failedKeys?.isAnyBlocked || !failedKeys.isBlocked(clientAddress(request, trustedProxies));
}
