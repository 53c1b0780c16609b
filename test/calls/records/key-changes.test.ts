import { expect, test } from 'vitest';
import { newKey } from '../../../src/calls/access/key/new-key.ts';
import { rotatedKey } from '../../../src/calls/access/key/rotation.ts';
import { type StoredKey, storedKeyJson, storedKeySchema } from '../../../src/calls/access/key/stored-key.ts';
import { keyChanges } from '../../../src/calls/records/key-changes.ts';

test('each rotation of several is a change with its time, and the key as stored remembers a hundred', () => {
  let key: StoredKey = newKey({ name: 'a', scopes: ['query'] }, 1_000).addTo([]);
  for (let turn = 1; turn <= 3; turn++) key = rotatedKey({ end: 0 }, 1_000 + turn * 10).applyTo([key], 'a');
  const stored = storedKeySchema.parse(storedKeyJson(key));
  expect(keyChanges([stored], []).map(({ action, at }) => [action, at])).toEqual([
    ['key.created', 1_000],
    ['key.rotated', 1_010],
    ['key.rotated', 1_020],
    ['key.rotated', 1_030],
  ]);
  for (let turn = 1; turn <= 200; turn++) key = rotatedKey({ end: 0 }, 2_000 + turn).applyTo([key], 'a');
  expect(storedKeySchema.parse(storedKeyJson(key)).rotatedBefore).toHaveLength(100);
});
