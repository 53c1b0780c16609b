import type { LastUses } from '../../calls/access/key/last-uses.ts';
import { type StoredKey, storedKeyJson, storedKeySchema } from '../../calls/access/key/stored-key.ts';
import { putToStay } from '../../calls/access/store/key-store.ts';
import { type KeyPlace, openKeyStore } from './key-place.ts';

/** Returns the key to store. */
export type ChangeKeys = (keys: readonly StoredKey[]) => StoredKey;

/** Adds a key to the key store. When it returns, every gateway that can reach the store knows the key. */
export async function putKey(place: KeyPlace, change: ChangeKeys): Promise<StoredKey> {
  const store = await openKeyStore(place);
  try {
    return await putToStay(store, (keys) => readable(change(keys)));
  } finally {
    await store.close();
  }
}

/** A key that can't be read again would make the whole store unreadable. */
function readable(key: StoredKey): StoredKey {
  storedKeySchema.parse(storedKeyJson(key));
  return key;
}

/** When the keys of the key store were last used. */
export async function readUses(place: KeyPlace): Promise<LastUses> {
  const store = await openKeyStore(place);
  try {
    return await store.uses();
  } finally {
    await store.close();
  }
}

/** Adds to when they were last used. */
export async function addUses(place: KeyPlace, uses: LastUses): Promise<void> {
  const store = await openKeyStore(place);
  try {
    await store.addUses(uses);
  } finally {
    await store.close();
  }
}

/** The current and former keys of the key store. */
export async function readKeys(place: KeyPlace): Promise<readonly StoredKey[]> {
  const store = await openKeyStore(place);
  try {
    return await store.read();
  } finally {
    await store.close();
  }
}
