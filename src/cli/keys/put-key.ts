import type { StoredKey } from '../../access/key/stored-key.ts';
import { putToStay } from '../../access/store/put-to-stay.ts';
import { type KeyPlace, openKeyStore } from '../../app/key-place.ts';

/** Adds a key to the key store. When it returns, every gateway that can reach the store knows the key. */
export async function putKey(
  place: KeyPlace,
  change: (keys: readonly StoredKey[]) => StoredKey,
): Promise<StoredKey> {
  const store = await openKeyStore(place);
  try {
    return await putToStay(store, change);
  } finally {
    await store.close();
  }
}
