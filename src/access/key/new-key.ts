import { keyDigest } from './key-digest.ts';
import { newKeyText, type RandomBytes, randomDigits } from './key-text.ts';
import { type StoredKey, stateOf } from './stored-key.ts';

/** What a key is asked to be. */
export type KeyWish = Omit<StoredKey, 'id' | 'digest' | 'created' | 'revoked'>;

/** A key that can't be made or revoked as it was asked. The message says why. */
export class KeyRefusal extends Error {
  override readonly name = 'KeyRefusal';
}

interface NewKey {
  /** The key itself, which is kept nowhere. */
  readonly text: string;
  /** @throws KeyRefusal when the name is that of another key */
  readonly addTo: (keys: readonly StoredKey[]) => StoredKey;
}

/** Names of keys that aren't stored. */
const takenNames: ReadonlySet<string> = new Set(['API_KEY', 'import']);

/**
 * A new key. Its name is that of no other key that is active: it is what logs and budgets tell keys by.
 *
 * @param now in milliseconds since the epoch
 */
export function newKey(wish: KeyWish, now: number, random?: RandomBytes): NewKey {
  const text = newKeyText(random);
  const digest = keyDigest(text);
  return {
    text,
    addTo(keys) {
      const { name } = wish;
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
      return { id, ...wish, digest, created: now };
    },
  };
}

/**
 * The key of this id or name, revoked. Of several with the name, the active one; one that was revoked before stays as it is.
 *
 * @param now in milliseconds since the epoch
 * @throws KeyRefusal when there is none
 */
export function revokedKey(keys: readonly StoredKey[], named: string, now: number): StoredKey {
  // As names are kept: one letter may be written in two ways.
  const normal = named.normalize('NFC');
  const candidates = keys.filter(({ id, name }) => id === normal || name === normal);
  const key =
    candidates.find((candidate) => stateOf(candidate, now) === 'active') ??
    candidates.find(({ revoked }) => revoked === undefined) ??
    candidates.at(-1);
  if (key === undefined)
    throw new KeyRefusal(`Unknown key ${JSON.stringify(named)}. Run keys list to see all keys.`);
  return key.revoked === undefined ? { ...key, revoked: now } : key;
}
