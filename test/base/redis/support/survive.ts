import { expect } from 'vitest';
import { type RedisPlace, redisPlace } from '../../../../src/base/redis/redis-address.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { RedisKeySource } from '../../../../src/calls/access/key-cache/redis-key-source.ts';
import { RedisKeyStore } from '../../../../src/calls/access/store/redis-key-store.ts';
import { eventually } from '../../../acceptance/support/processes.ts';
import { addKey, revoke } from '../../../calls/access/support/keys.ts';
import { ownCount } from '../../../calls/executor/redis/support/own-count.ts';
import {
  entryFor,
  keyedQuery,
  type OpenStore,
  Stores,
  valueIn,
} from '../../../calls/executor/redis/support/stores.ts';
import { fakeLog } from '../../../server/listener/running-gateway.ts';
import type { RedisGroup } from './redis-groups.ts';

export function placeOf(url: string): RedisPlace {
  const place = redisPlace({ redisUrl: url, cacheNamespace: 'test' });
  if (place === undefined) throw new TypeError('no place');
  return place;
}

/** Changes keys as a command does, with a connection of its own. */
export async function withKeys<T>(
  place: RedisPlace,
  change: (store: RedisKeyStore) => Promise<T>,
): Promise<T> {
  const store = new RedisKeyStore(place, systemClock);
  try {
    return await change(store);
  } finally {
    await store.close();
  }
}

let round = 0n;

/** Eventually, one replica serves what another one has stored. */
export async function share(from: OpenStore, to: OpenStore): Promise<void> {
  round += 1n;
  const value = round;
  await eventually('they share results', async () => {
    await from.store.set(await entryFor(keyedQuery('shared'), value));
    return (await valueIn(to.store, keyedQuery('shared'))) === value;
  });
}

/** Eventually, a purge by one replica succeeds and reaches the other one. */
export async function purge(by: OpenStore, other: OpenStore): Promise<void> {
  await share(by, other);
  const before = other.drops.length;
  await eventually('a purge succeeds', () =>
    by.store.invalidate({}).then(
      () => true,
      () => false,
    ),
  );
  await eventually('it reaches the other replica', () => other.drops.length > before);
  expect(await valueIn(other.store, keyedQuery('shared'))).toBeUndefined();
}

/** What two replicas share works before and after a failover, and nothing that must last is lost. */
export async function survive(group: Pick<RedisGroup, 'url'>, failOver: () => Promise<void>): Promise<void> {
  const place = placeOf(group.url);
  await using stores = new Stores();
  const [one, other] = await stores.pair(place, place.namespace);
  const source = new RedisKeySource({ ...place, clock: systemClock, log: fakeLog() });
  await using _closing = { [Symbol.asyncDispose]: () => source.close() };
  expect(await source.isKnownWithin(5000)).toBe(true);
  await share(one, other);
  await purge(one, other);
  const revoked = await withKeys(place, async (store) => {
    const { key } = await addKey(store, {});
    await revoke(store, key.id);
    return key.id;
  });
  const isRevoked = () => source.current()?.find(({ id }) => id === revoked)?.revoked !== undefined;
  await eventually('the revocation is known', isRevoked);
  const publish = () => one.store.spending.exchange([ownCount(40)]);
  one.store.spending.onLost?.(() => void publish());
  await eventually('what was spent is published', async () => (await publish()) !== undefined);

  await failOver();

  await eventually('both are back', () => one.store.isReachable && other.store.isReachable);
  await purge(one, other);
  await purge(other, one);
  await share(other, one);
  // The link for leases may still be to the server that gave way, which refuses the first one.
  await eventually('leases are given', async () => typeof (await one.store.lease('a key')) === 'object');
  await eventually('they are seen', async () => (await other.store.lease('a key')) === 'taken');
  expect(isRevoked()).toBe(true);
  await eventually('the revocation is in Redis', async () => {
    const keys = await withKeys(place, (store) => store.read());
    return keys.some(({ id, revoked: at }) => id === revoked && at !== undefined);
  });
  const { key } = await withKeys(place, (store) => addKey(store, {}));
  await eventually('a new key is known', () => source.current()?.some(({ id }) => id === key.id) === true);
  const third = await stores.connected(place, place.namespace);
  await eventually('what was spent is known', async () => {
    const spent = await third.store.spending.exchange([ownCount(0)]);
    return spent?.[0]?.others === 40;
  });
}
