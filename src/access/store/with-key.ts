import type { StoredKey } from '../key/stored-key.ts';

/** The keys with this one, which replaces the one with its id or is the last. */
export function withKey(keys: readonly StoredKey[], key: StoredKey): readonly StoredKey[] {
  const isThere = keys.some(({ id }) => id === key.id);
  return isThere ? keys.map((other) => (other.id === key.id ? key : other)) : [...keys, key];
}
