import { expect, test } from 'vitest';
import { cursorText, readCursor } from '../../src/live/tail-cursor.ts';

test.each([1_700_000_000_000_000n, -62_135_596_800_000_000n, 253_402_300_799_999_998n])(
  'a cursor at %s is read as it was written',
  (time) => {
    const cursor = { tail: 'a1', batch: 7, time };
    expect(readCursor(cursorText(cursor))).toEqual(cursor);
  },
);

test.each([
  ...['', 'x', 'a-1', 'a--1-0', 'a-1-0-0', `${'a'.repeat(21)}-1-0`, 'a-1234567890123456-0', 'a-1-0\n'],
  // After these there is no timestamp that the engine has.
  ...[
    'a-1-253402300799999999',
    'a-1-9223372036854775807',
    'a-1--62135596800000001',
    'a-1-9999999999999999999',
  ],
])('%j is not a cursor', (text) => {
  expect(readCursor(text)).toBeUndefined();
});
