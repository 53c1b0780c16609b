import { type LastUses, lastUseOf, shortDigest } from './last-uses.ts';
import { formerAt, type StoredKey, stateOf, storedKeyJson } from './stored-key.ts';

/** A key that expires in this time, in milliseconds, should be rotated soon. */
const soonMs = 14 * 86_400_000;

/**
 * Whether a key is valid and expires soon.
 *
 * @param now in milliseconds since the epoch
 */
export function expiresSoon(key: Pick<StoredKey, 'revoked' | 'expires'>, now: number): boolean {
  return stateOf(key, now) === 'active' && key.expires !== undefined && key.expires - now <= soonMs;
}

/**
 * A key as JSON for people who manage keys, without anything that could be used as a key.
 *
 * @param now in milliseconds since the epoch
 */
export function shownKey(key: StoredKey, now: number, uses: LastUses = new Map()): Record<string, unknown> {
  const { digest: _, former: __, rotatedBefore: ___, ...rest } = storedKeyJson(key);
  const used = (time: number | undefined) =>
    time === undefined ? {} : { lastUsed: new Date(time).toISOString() };
  const former = formerAt(key, now).map(({ digest, expires }) => ({
    expires: new Date(expires).toISOString(),
    ...used(uses.get(key.id)?.get(shortDigest(digest))),
  }));
  return {
    ...rest,
    ...(former.length > 0 && { former }),
    ...used(lastUseOf(key, uses)),
    state: stateOf(key, now),
    ...(expiresSoon(key, now) && { expiresSoon: true }),
  };
}
