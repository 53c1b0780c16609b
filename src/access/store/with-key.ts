import type { StoredKey } from '../key/stored-key.ts';

/** The keys with this one in the place of the one with its id, or at the end. */
export function withKey(keys: readonly StoredKey[], key: StoredKey): readonly StoredKey[] {
  const isThere = keys.some(({ id }) => id === key.id);
  return isThere ? keys.map((other) => (other.id === key.id ? key : other)) : [...keys, key];
}
