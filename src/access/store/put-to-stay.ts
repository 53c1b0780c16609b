import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredKey } from '../key/stored-key.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';

/** A store that loses what it is told so often isn't one. */
const mostTries = 5;

/**
 * Puts a key, waits until every gateway that can reach the store knows of it, and sees that it is still there: Redis can lose a
 * change before any gateway has looked, and then nobody would put it back. A revocation that is lost is a key that is good.
 *
 * @param change as of `KeyStore.put`
 * @throws KeyStoreError also when the change is lost again and again
 */
export async function putToStay(
  store: KeyStore,
  change: (keys: readonly StoredKey[]) => StoredKey,
): Promise<StoredKey> {
  const key = await store.put(change);
  for (let tried = 0; tried < mostTries; tried++) {
    await sleep(store.settleMs);
    if (keptIn(await store.read(), key) !== undefined) return key;
    await store.put((keys) => keptIn(keys, key) ?? key);
  }
  throw new KeyStoreError(
    `The store of keys forgets what it is told: key ${key.id} is not kept as it is to be`,
  );
}

/** The key as it is among these, unless it isn't, or isn't revoked though it should be. Others may have revoked it since. */
function keptIn(keys: readonly StoredKey[], { id, revoked }: StoredKey): StoredKey | undefined {
  return keys.find((each) => each.id === id && (revoked === undefined || each.revoked !== undefined));
}
