import type { StoredKey } from '../key/stored-key.ts';
import type { KeysInRedis } from '../store/redis-keys.ts';

/**
 * What has to be put back into Redis: keys that were known and aren't there, and revocations. Keys never change otherwise, so
 * what several replicas put back is the same.
 */
export function lostIn({ keys, unreadable }: KeysInRedis, known: readonly StoredKey[]): StoredKey[] {
  const there = new Map(keys.map((key) => [key.id, key]));
  return known.flatMap((key) => {
    const theirs = there.get(key.id);
    if (theirs === undefined) return unreadable.includes(key.id) ? [] : [key];
    return key.revoked !== undefined && theirs.revoked === undefined
      ? [{ ...theirs, revoked: key.revoked }]
      : [];
  });
}
