import type { StoredKey } from '../../access/key/stored-key.ts';
import { putToStay } from '../../access/store/put-to-stay.ts';
import { type KeyPlace, openKeyStore } from '../../app/key-place.ts';

/** Puts a key into the store of keys. When it is done, every gateway that can reach the store knows of it. */
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
