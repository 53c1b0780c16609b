import type { StoredKey } from '../key/stored-key.ts';

/** The keys of a store, as known to a running process. */
export interface KeySource {
  /**
   * All keys, including expired and revoked ones. Cheap, because it is read with every request. The same list as long as
   * nothing has changed. Undefined until the store has been read.
   */
  current(): readonly StoredKey[] | undefined;
  close(): void | Promise<void>;
}
