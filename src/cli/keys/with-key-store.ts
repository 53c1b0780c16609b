import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyStore } from '../../access/store/key-store.ts';
import { type KeyPlace, openKeyStore } from './key-place.ts';

/** Changes something in the store of keys, and waits until every gateway that can reach it knows. */
export async function withKeyStore<T>(place: KeyPlace, change: (store: KeyStore) => Promise<T>): Promise<T> {
  const store = await openKeyStore(place);
  try {
    const outcome = await change(store);
    await sleep(store.settleMs);
    return outcome;
  } finally {
    await store.close();
  }
}
