import type { StoredKey } from '../access/key/stored-key.ts';
import type { Change } from './change-records.ts';

type KeyChange = Change & { readonly identity: string };

/** The making of a key, as a change. */
export function keyCreated(key: StoredKey): KeyChange {
  const action = 'key.created';
  const { digest: _, former: __, revoked: ___, rotated: ____, ...kept } = key;
  const { rotatedBefore: _____, name, created, expires, ...others } = kept;
  const details = { ...others, ...(expires !== undefined && { expires: timeText(expires) }) };
  return { action, target: name, details, at: created, identity: `${action} ${key.id}` };
}

/** The revocation of a key, as a change. Undefined if it isn't revoked. */
export function keyRevoked({ id, name, revoked }: StoredKey): KeyChange | undefined {
  const action = 'key.revoked';
  if (revoked === undefined) return undefined;
  return { action, target: name, details: { id }, at: revoked, identity: `${action} ${id}` };
}

/**
 * The last rotation of a key, as a change: with when the new key expires, and until when the key before it is valid. Undefined if it
 * was never rotated.
 */
export function keyRotated(key: StoredKey): KeyChange | undefined {
  const { rotated, expires, former } = key;
  if (rotated === undefined) return undefined;
  const overlap = Math.max(rotated, ...(former ?? []).map((one) => one.expires));
  return rotationAt(rotated, key, {
    ...(expires !== undefined && { expires: timeText(expires) }),
    ...(overlap > rotated && { former_until: timeText(overlap) }),
  });
}

function rotationAt(at: number, { id, name }: StoredKey, details: Record<string, string> = {}): KeyChange {
  const action = 'key.rotated';
  return { action, target: name, details: { id, ...details }, at, identity: `${action} ${id} ${at}` };
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** Everything that has happened to stored keys and wasn't known before. */
export function keyChanges(keys: readonly StoredKey[], known: readonly StoredKey[]): readonly KeyChange[] {
  const before = new Set(known.flatMap(changesOf).map(({ identity }) => identity));
  return keys.flatMap(changesOf).filter(({ identity }) => !before.has(identity));
}

function changesOf(key: StoredKey): KeyChange[] {
  const earlier = (key.rotatedBefore ?? []).map((at) => rotationAt(at, key));
  return [keyCreated(key), ...earlier, keyRotated(key), keyRevoked(key)].filter(
    (change) => change !== undefined,
  );
}
