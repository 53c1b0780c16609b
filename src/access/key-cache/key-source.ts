import type { StoredKey } from '../key/stored-key.ts';

/** The keys of a store as a process that runs knows them. */
export interface KeySource {
  /**
   * All keys, those that are no good any more included. Cheap: it is asked with every request. The same list as long as
   * nothing has changed. Undefined as long as the store couldn't be read.
   */
  current(): readonly StoredKey[] | undefined;
  close(): void | Promise<void>;
}
