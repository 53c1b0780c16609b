import { describe, expect, test } from 'vitest';
import type { StoredKey } from '../../../src/calls/access/key/stored-key.ts';
import { withKey } from '../../../src/calls/access/store/file-key-store.ts';
import { KeyStoreError, putToStay } from '../../../src/calls/access/store/key-store.ts';
import { makeKey } from './support/keys.ts';

/** A store that takes back each of the first so many changes, before anybody has looked. */
function forgetfulStore(keys: readonly StoredKey[], times: number) {
  const kept: { keys: readonly StoredKey[]; forgotten: number } = { keys, forgotten: 0 };
  const store: Parameters<typeof putToStay>[0] = {
    settleMs: 1,
    read: async () => kept.keys,
    put: async (change) => {
      const key = change(kept.keys);
      if (kept.forgotten < times) kept.forgotten += 1;
      else kept.keys = withKey(kept.keys, key);
      return key;
    },
  };
  return { store, kept };
}

describe('a change of keys that the store loses at once', () => {
  const { key } = makeKey();
  const revoked = { ...key, revoked: Date.now() };

  test('is made again: a key that is new', async () => {
    const { store, kept } = forgetfulStore([], 2);
    expect(await putToStay(store, () => key)).toBe(key);
    expect(kept.keys).toEqual([key]);
  });

  test('is made again: a key that is revoked', async () => {
    const { store, kept } = forgetfulStore([key], 2);
    await putToStay(store, () => revoked);
    expect(kept.keys).toEqual([revoked]);
  });

  test('is made again: a key that is rotated, and nothing else then', async () => {
    const rotated = { ...key, digest: makeKey().key.digest, rotated: key.created + 1 };
    const { store, kept } = forgetfulStore([key], 2);
    await putToStay(store, () => rotated);
    expect(kept.keys).toEqual([rotated]);
    const put = putToStay(store, () => ({ ...rotated, revoked: Date.now() }));
    const later = { ...rotated, digest: makeKey().key.digest, rotated: key.created + 2 };
    kept.keys = [later];
    await put;
    expect(kept.keys).toEqual([{ ...later, revoked: expect.any(Number) }]);
  });

  test('is an error when it is lost again and again', async () => {
    const { store } = forgetfulStore([key], 100);
    await expect(putToStay(store, () => revoked)).rejects.toThrow(KeyStoreError);
  });

  test('is nothing that undoes what others have done since', async () => {
    const { store, kept } = forgetfulStore([], 0);
    const put = putToStay(store, () => key);
    kept.keys = [revoked];
    expect(await put).toBe(key);
    expect(kept.keys).toEqual([revoked]);
  });
});
