import { keyDigest, newKeyText, type RandomBytes, randomDigits } from './key-text.ts';
import { type StoredKey, stateOf } from './stored-key.ts';

/** The properties of a key to create. */
export type NewKeyOptions = Omit<
  StoredKey,
  'id' | 'digest' | 'created' | 'revoked' | 'rotated' | 'rotatedBefore' | 'former'
>;

/** A request to create, rotate or revoke a key that can't be fulfilled. The message says why. */
export class KeyRefusal extends Error {
  override readonly name = 'KeyRefusal';
}

/** A request for a key that is not in the store. */
export class UnknownKey extends KeyRefusal {
  constructor(named: string) {
    super(`Unknown key ${JSON.stringify(named)}.`);
  }
}

interface NewKey {
  /** The key itself, which is never stored. */
  readonly text: string;
  /** @throws KeyRefusal when another key has the name */
  readonly addTo: (keys: readonly StoredKey[]) => StoredKey;
}

/** Names of keys that are not stored, such as those in settings. */
const takenNames: ReadonlySet<string> = new Set(['API_KEY', 'import']);

/**
 * Creates a key. No other active key has its name, because logs and budgets identify keys by name.
 *
 * @param now in milliseconds since the epoch
 */
export function newKey(wanted: NewKeyOptions, now: number, random?: RandomBytes): NewKey {
  const text = newKeyText(random);
  const digest = keyDigest(text);
  return {
    text,
    addTo(keys) {
      const { name } = wanted;
      if (takenNames.has(name)) throw new KeyRefusal(`The name ${JSON.stringify(name)} is reserved`);
      const other = keys.find((key) => key.name === name && stateOf(key, now) === 'active');
      if (other !== undefined) {
        throw new KeyRefusal(
          `An active key named ${JSON.stringify(name)} already exists (${other.id}). Revoke it first, or choose another name.`,
        );
      }
      const ids = new Set(keys.map(({ id }) => id));
      let id: string;
      do id = `key_${randomDigits(8, random)}`;
      while (ids.has(id));
      return { id, ...wanted, digest, created: now };
    },
  };
}

/**
 * The key with this id or name, revoked. If several have the name, the active one. A key that was revoked before is
 * returned unchanged.
 *
 * @param now in milliseconds since the epoch
 * @throws UnknownKey
 */
export function revokedKey(keys: readonly StoredKey[], named: string, now: number): StoredKey {
  const key = keyNamed(keys, named, now);
  return key.revoked === undefined ? { ...key, revoked: now } : key;
}

/**
 * The key with this id or name. If several have the name, the active one.
 *
 * @param now in milliseconds since the epoch
 * @throws UnknownKey
 */
export function keyNamed(keys: readonly StoredKey[], named: string, now: number): StoredKey {
  // Normalised like stored names: one letter can be written in two ways.
  const normal = named.normalize('NFC');
  const candidates = keys.filter(({ id, name }) => id === normal || name === normal);
  const key =
    candidates.find((candidate) => stateOf(candidate, now) === 'active') ??
    candidates.find(({ revoked }) => revoked === undefined) ??
    candidates.at(-1);
  if (key === undefined) throw new UnknownKey(named);
  return key;
}
