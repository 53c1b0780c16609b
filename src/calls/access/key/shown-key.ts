import { type StoredKey, stateOf, storedKeyJson } from './stored-key.ts';

/**
 * A key as JSON for people who manage keys, without anything that could be used as a key.
 *
 * @param now in milliseconds since the epoch
 */
export function shownKey(key: StoredKey, now: number): Record<string, unknown> {
  const { digest: _, ...rest } = storedKeyJson(key);
  return { ...rest, state: stateOf(key, now) };
}
