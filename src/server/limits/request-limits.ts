import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import type { GatewayError } from '../../base/errors/errors.ts';
import type { Rate } from '../../base/forms/rate.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { clientAddress } from './client-address.ts';
import { FailedKeys } from './failed-keys.ts';
import { RequestCounter, type SharedCounts } from './request-counter.ts';
import { takeOfRate } from './take-of-rate.ts';

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
