import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { FailedKeys, mayUseResponseCache } from '../../../src/server/limits/request-limits.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';

const rate = { requests: 1, seconds: 60 };

/** Addresses that are held off with their first bad key, each for so many seconds. */
function blockedFor(seconds: Readonly<Record<string, number>>) {
  const clock = new ManualClock();
  const take = async (_kind: string, address: string) => ({
    isAllowed: false,
    remaining: 0,
    resetSeconds: seconds[address] ?? 0,
  });
  return { clock, failedKeys: new FailedKeys({ counter: { take }, rate, clock }) };
}

test('some address is blocked until the longest block ends', async () => {
  const { clock, failedKeys } = blockedFor({ '192.0.2.1': 60, '192.0.2.2': 10 });
  await failedKeys.failed('192.0.2.1', 'key');
  await failedKeys.failed('192.0.2.2', 'key');
  await clock.advance(30_000);
  expect(failedKeys.isAnyBlocked).toBe(true);
  expect(failedKeys.isBlocked('192.0.2.1')).toBe(true);
  expect(failedKeys.isBlocked('192.0.2.2')).toBe(false);
});

test('a key that was valid from an address is not blocked there, until it fails', async () => {
  const { failedKeys } = blockedFor({ '192.0.2.1': 60 });
  failedKeys.succeeded('192.0.2.1', 'mine');
  await failedKeys.failed('192.0.2.1', 'guessed');
  expect(failedKeys.blockedSeconds('192.0.2.1', 'guessed')).toBe(60);
  expect(failedKeys.blockedSeconds('192.0.2.1', 'mine')).toBeUndefined();
  await failedKeys.failed('192.0.2.1', 'mine');
  expect(failedKeys.blockedSeconds('192.0.2.1', 'mine')).toBe(60);
});

test('a blocked address may not use the response cache; others may', async () => {
  const { failedKeys } = blockedFor({ '192.0.2.1': 60 });
  await failedKeys.failed('192.0.2.1', 'key');
  const limits = { counter: { take: async () => Promise.reject() }, failedKeys, trustedProxies: 0 };
  const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as unknown as IncomingMessage;
  expect(mayUseResponseCache(from('192.0.2.1'), limits)).toBe(false);
  expect(mayUseResponseCache(from('192.0.2.2'), limits)).toBe(true);
});
