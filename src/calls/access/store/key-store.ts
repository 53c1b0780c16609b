import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredKey } from '../key/stored-key.ts';

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
  /** After this many milliseconds, every gateway that can reach the store knows of a change. */
  readonly settleMs: number;
  close(): Promise<void>;
}

/** Attempts. A store that loses a change this often is unusable. */
const maxAttempts = 5;

/**
 * Stores a key, waits until every gateway that can reach the store knows of it, and checks that it is still there. Redis
 * can lose a change before any gateway has read it, and then nobody would restore it. A key whose revocation is lost stays
 * valid.
 *
 * @param change as of `KeyStore.put`
 * @throws KeyStoreError also when the change is lost repeatedly
 */
export async function putToStay(
  store: KeyStore,
  change: (keys: readonly StoredKey[]) => StoredKey,
): Promise<StoredKey> {
  const key = await store.put(change);
  for (let tried = 0; tried < maxAttempts; tried++) {
    await sleep(store.settleMs);
    if (keptIn(await store.read(), key) !== undefined) return key;
    await store.put((keys) => keptIn(keys, key) ?? key);
  }
  throw new KeyStoreError(`The key store loses changes: key ${key.id} was not stored`);
}

/** The stored key, if it still has our change. Someone else may have revoked it since. */
function keptIn(keys: readonly StoredKey[], { id, revoked }: StoredKey): StoredKey | undefined {
  return keys.find((each) => each.id === id && (revoked === undefined || each.revoked !== undefined));
}
