import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type NewKeyOptions, newKey } from '../../../../src/calls/access/key/new-key.ts';
import { readRotation, rotatedKey } from '../../../../src/calls/access/key/rotation.ts';
import type { StoredKey } from '../../../../src/calls/access/key/stored-key.ts';
import type { KeyStore } from '../../../../src/calls/access/store/key-store.ts';

/** A folder of the test's own. */
export function keysFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface MadeKey {
  /** What its holder has. */
  readonly text: string;
  readonly key: StoredKey;
}

/** A key that isn't in any store yet. */
export function makeKey(wish: Partial<NewKeyOptions> = {}, now = Date.now()): MadeKey {
  const { text, addTo } = newKey({ name: 'who', scopes: ['query'], ...wish }, now);
  return { text, key: addTo([]) };
}

/** Makes a key in a store. */
export async function addKey(
  store: KeyStore,
  wish: Partial<NewKeyOptions> = {},
  now = Date.now(),
): Promise<MadeKey> {
  const { text, addTo } = newKey({ name: 'who', scopes: ['query'], ...wish }, now);
  return { text, key: await store.put(addTo) };
}

/** Replaces the text of a key. The one before it ends after the overlap. */
export async function rotate(
  store: KeyStore,
  id: string,
  overlap = '24h',
  now = Date.now(),
): Promise<MadeKey> {
  const made = rotatedKey(
    readRotation({ overlap }, now, (option) => option),
    now,
  );
  return { text: made.text, key: await store.put((keys) => made.applyTo(keys, id)) };
}

/** Marks the key as revoked. */
export function revoke(store: KeyStore, id: string, now = Date.now()): Promise<StoredKey> {
  return store.put((keys) => {
    const key = keys.find((each) => each.id === id);
    if (key === undefined) throw new Error(`there is no key ${id}`);
    return { ...key, revoked: now };
  });
}
