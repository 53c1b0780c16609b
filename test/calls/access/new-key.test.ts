import { expect, test } from 'vitest';
import { newKey } from '../../../src/calls/access/key/new-key.ts';

test('a key has an id that no other has', () => {
  /** The same digit for one key and its id, the next one after that. */
  let digit = 0;
  let asked = 0;
  const random = (count: number) => {
    asked += 1;
    if (asked > 4) digit = 1;
    return new Uint8Array(count).fill(digit);
  };
  const first = newKey({ name: 'first', scopes: ['query'] }, 0, random).addTo([]);
  const second = newKey({ name: 'second', scopes: ['query'] }, 0, random).addTo([first]);
  expect(first.id).toBe('key_00000000');
  expect(second.id).toBe('key_11111111');
});
