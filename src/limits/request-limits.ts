import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rate } from '../access/forms/rate.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { GatewayError } from '../errors.ts';
import { clientAddress } from './client-address.ts';
import { FailedKeys } from './failed-keys.ts';
import { RequestCounter, type SharedCounts } from './request-counter.ts';
import { takeOfRate } from './take-of-rate.ts';

/** What requests are held to beside what their keys allow. */
export interface RequestLimits {
  readonly counter: Pick<RequestCounter, 'take'>;
  readonly failedKeys?: FailedKeys;
  /** How many proxies in front are believed about where a request comes from. */
  readonly trustedProxies: number;
  /** Requests from one address. */
  readonly perAddress?: Rate;
}

/** Seconds' worth of keys that are no good that may come at once. */
const burstSeconds = 3;

/** @param shared where replicas count together */
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
 * Counts a request for the address that it comes from, before anything else is done with it.
 *
 * @returns why it is refused, if it is; undefined at once where addresses have no limit
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
export function mayTakeShortcut(
  request: IncomingMessage,
  { failedKeys, trustedProxies }: RequestLimits,
): boolean {
  return !failedKeys?.isAnyHeldOff || !failedKeys.isHeldOff(clientAddress(request, trustedProxies));
}
