import type { StoredKey } from '../key/stored-key.ts';

/** Adds a key, or replaces the one with its id. */
export function withKey(keys: readonly StoredKey[], key: StoredKey): readonly StoredKey[] {
  const isPresent = keys.some(({ id }) => id === key.id);
  return isPresent ? keys.map((other) => (other.id === key.id ? key : other)) : [...keys, key];
}
