import { setTimeout as sleep } from 'node:timers/promises';
import type { LastUses } from '../key/last-uses.ts';
import { mergedKey, type StoredKey } from '../key/stored-key.ts';

/** Thrown when the store can't be read or changed. The message names it and says why. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}

/** Stores keys, for the commands that change them. */
export interface KeyStore {
  /** @throws KeyStoreError */
  read(): Promise<readonly StoredKey[]>;
  /**
   * Adds keys, or replaces those with the same ids. Concurrent changes are kept: the function is called again with the
   * latest keys. Keys are never removed.
   *
   * @param change returns the keys to store; an error that it throws ends the change
   * @throws KeyStoreError
   */
  put(change: (keys: readonly StoredKey[]) => StoredKey): Promise<StoredKey>;
  /**
   * When keys were last used, as far as gateways have stored it.
   *
   * @throws KeyStoreError
   */
  uses(): Promise<LastUses>;
  /**
   * Adds uses. The later one of a key holds.
   *
   * @throws KeyStoreError
   */
  addUses(uses: LastUses): Promise<void>;
  /** After this many milliseconds, every gateway that can reach the store knows of a change. */
  readonly settleMs: number;
  close(): Promise<void>;
}

/** Attempts. A store that loses a change this often is unusable. */
const maxAttempts = 5;

/**
 * Stores a key, waits until every gateway that can reach the store knows of it, and checks that it is still there. Redis
 * can lose a change before any gateway has read it, and then nobody would restore it. A key whose revocation is lost stays
 * valid, and one whose rotation is lost keeps the old text.
 *
 * @param change as of `KeyStore.put`
 * @throws KeyStoreError also when the change is lost repeatedly
 */
export async function putToStay(
  store: Pick<KeyStore, 'read' | 'put' | 'settleMs'>,
  change: (keys: readonly StoredKey[]) => StoredKey,
): Promise<StoredKey> {
  const key = await store.put(change);
  for (let tried = 0; tried < maxAttempts; tried++) {
    await sleep(store.settleMs);
    const kept = (await store.read()).find(({ id }) => id === key.id);
    if (kept !== undefined && mergedKey(kept, key) === kept) return key;
    await store.put((keys) => {
      const present = keys.find(({ id }) => id === key.id);
      return present === undefined ? key : mergedKey(present, key);
    });
  }
  throw new KeyStoreError(`The key store loses changes: key ${key.id} was not stored`);
}
