import type { StoredKey } from '../key/stored-key.ts';

/** The store can't be read or changed. The message says which one, and why. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}

/** Where keys are kept, as the commands that change them see it. */
export interface KeyStore {
  /** @throws KeyStoreError */
  read(): Promise<readonly StoredKey[]>;
  /**
   * Puts keys in the place of those with their ids, or adds them. Whatever others change at the same time stays: the
   * function is asked again with what is there then. Nothing is ever taken out.
   *
   * @param change gives the keys to put; what it throws ends it
   * @throws KeyStoreError
   */
  put(change: (keys: readonly StoredKey[]) => StoredKey): Promise<StoredKey>;
  /** After so many milliseconds, every gateway that can reach the store knows of a change. */
  readonly settleMs: number;
  close(): Promise<void>;
}
