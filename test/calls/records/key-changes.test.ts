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

test('a rotation tells when the new key expires, and until when the one before is valid', () => {
  const key = newKey({ name: 'a', scopes: ['query'] }, 1_000).addTo([]);
  const details = (rotated: StoredKey) => keyChanges([rotated], [key]).map((change) => change.details);
  const at = (time: number) => new Date(time).toISOString();
  const overlapping = rotatedKey({ end: 5_000, expires: 9_000 }, 2_000).applyTo([key], 'a');
  expect(details(overlapping)).toEqual([{ id: key.id, expires: at(9_000), former_until: at(5_000) }]);
  expect(details(rotatedKey({ end: 0 }, 2_000).applyTo([key], 'a'))).toEqual([{ id: key.id }]);
});
