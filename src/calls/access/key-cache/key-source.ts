import type { StoredKey } from '../key/stored-key.ts';

/** The keys of a store, as known to a running process. */
export interface KeySource {
  /**
   * Returns all keys, including expired and revoked ones; undefined until the store has been read. Returns the same
   * list until something changes. Cheap, because every request calls it.
   */
  current(): readonly StoredKey[] | undefined;
  close(): void | Promise<void>;
}
