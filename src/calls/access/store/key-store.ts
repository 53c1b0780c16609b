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
